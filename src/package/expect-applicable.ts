import {CrossplaneError} from '../errors.js'
import {type FormatName, formatOf} from '../locate/expect-format.js'
import type {LocatedPackage} from '../locate/located-package.js'
import type {ReadRequest} from '../pipeline/request/read-request.js'

/** Flags that are for packages with `.registry/` only. */
const STACK_FLAGS: readonly string[] = [
  ...['include-request', 'with-package-api', 'create-namespace', 'no-pin-image', 'controller-image'],
  ...['templates-from', 'non-structural', 'allow-core-permissions', 'allow-full-deployment'],
  ...['api', 'scope', 'cluster', 'namespace', 'source', 'system-namespace', 'dependency-namespace'],
  ...['crd-version', 'kube-version', 'crossplane-version', 'assume', 'allow-version-mismatch'],
  ...['no-dependencies', 'replace-crds', 'migrate-versions', 'v0.12-base'],
]

/** Flags that are for packages for a current Crossplane only. */
const XPKG_FLAGS: readonly string[] = [
  ...['expand', 'core-version', 'pin', 'resolver', 'activate'],
  ...['revision-activation-policy', 'revision-history-limit'],
]

/**
 * Throws `usage` for flags that none of the packages has: they would be ignored. Of no packages, nothing is known.
 * @param formats - the formats of the packages.
 * @param ofStacks - further flags of the command that are for packages with `.registry/` only.
 */
export function expectApplicable(
  formats: readonly FormatName[],
  flagNames: ReadonlySet<string>,
  ofStacks: readonly string[] = [],
): void {
  if (formats.length === 0) return
  if (!formats.includes('xpkg')) {
    const flag = XPKG_FLAGS.find(other => flagNames.has(other))
    if (flag !== undefined)
      throw notApplicable(`--${flag} is for Providers, Configurations and Functions (xpkg) only`)
  }
  if (formats.includes('stack')) return
  const flag = [...STACK_FLAGS, ...ofStacks].find(other => flagNames.has(other))
  if (flag !== undefined) throw notApplicable(`--${flag} is for packages of Crossplane v0.12 only`)
}

/** The same of one package that was read. */
export function expectApplicableTo(
  located: LocatedPackage,
  flagNames: ReadonlySet<string> = new Set(),
  ofStacks: readonly string[] = [],
): void {
  expectApplicable([formatOf(located)], flagNames, ofStacks)
}

/** The same of the package that a CRD was resolved to: until then, its format is not known. */
export function expectApplicableOfCrds(
  {requested, flagNames = new Set(), isRemoval = false}: ReadRequest,
  formats: readonly FormatName[],
): void {
  if (isRemoval || requested.every(({target}) => target.kind !== 'crd')) return
  expectApplicable(formats, flagNames)
}

function notApplicable(message: string): CrossplaneError {
  return new CrossplaneError('usage', message, {suggestions: ['Leave it out, or name another package.']})
}
