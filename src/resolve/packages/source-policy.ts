import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {ImageName} from '../../reference/image-name.js'
import {isInSource} from '../../reference/source-prefix.js'
import {count, escaped, listSome} from '../../text.js'
import type {Catalog} from '../catalog/catalog.js'
import type {Rejection} from '../resolution.js'
import type {ExcludedVersion} from '../solver-input.js'
import type {PackageSummary} from '../../index/package-summary.js'
import type {ResolutionPolicy, SourcePolicy} from './resolution-policy.js'
import type {NameRepository} from '../repository-names.js'

/** The policies that apply to a command, each by itself. */
type SourcePolicies = readonly SourcePolicy[]

/** Reports whether every policy allows the source of a package or image. */
export function isAllowedSource(name: string, policies: SourcePolicies = []): boolean {
  return refusingPolicy(name, policies) === undefined
}

function refusingPolicy(name: string, policies: SourcePolicies): SourcePolicy | undefined {
  return policies.find(({sources}) => sources?.some(({prefix}) => isInSource(name, prefix)) === false)
}

/**
 * Throws `policy-refused` for a package from a source that the policy does not have, naming the line of the sources.
 * @param reasons - why it is needed.
 */
export function expectSource(
  identity: string,
  policies: SourcePolicies | undefined,
  reasons: readonly Diagnostic[] = [],
): void {
  expectAllowed({kind: 'package', name: identity}, policies, reasons)
}

/** What comes from a source. */
interface Sourced {
  readonly kind: 'package' | 'image'
  readonly name: string
  /** What runs an image. */
  readonly by?: string
}

/** Does the same for an image that is run without a package, in place of one. */
export function expectImageSource(
  {image, by}: {readonly image: string; readonly by: string},
  policies: SourcePolicies | undefined,
): void {
  expectAllowed({kind: 'image', name: image, by}, policies)
}

function expectAllowed(
  {kind, name, by}: Sourced,
  policies: SourcePolicies = [],
  reasons: readonly Diagnostic[] = [],
): void {
  const policy = refusingPolicy(name, policies)
  if (policy === undefined) return
  const {sources = [], file} = policy
  const places = listSome(sources.map(({prefix, line}) => `${prefix} (line ${line})`))
  const allowed = sources.length === 0 ? 'it allows none' : `it allows ${places}`
  const what = `the ${kind} ${escaped(name)}${by === undefined ? '' : ` of ${escaped(by)}`}`
  const message = `cannot use ${what}: ${file} does not allow its source; ${allowed}`
  const article = kind === 'image' ? 'an' : 'a'
  throw new CrossplaneError('policy-refused', message, {
    diagnostics: [
      ...reasons,
      ...sourceDiagnostics(policy).map(diagnostic => ({
        ...diagnostic,
        subject: by === undefined ? {package: name} : {object: by},
      })),
    ],
    suggestions: [
      `${changeOf(policy, `add the source of the ${kind} to sources in ${file}`)}, or use ${article} ${kind} from an allowed one.`,
    ],
  })
}

function sourceDiagnostics(policy: SourcePolicy): readonly Diagnostic[] {
  const {sources = [], file} = policy
  return sources.map(({prefix, line}, index) => ({
    ...{severity: 'error', rule: 'policy-source', message: `${prefix} is an allowed source`},
    ...{file, line, field: `sources[${index}]`, ...ownerOf(policy)},
  }))
}

/** Throws `policy-refused` for more packages than a policy allows. */
export function expectFew(identities: readonly string[], policies: SourcePolicies = []): void {
  for (const policy of policies) expectFewIn(identities, policy)
}

function expectFewIn(identities: readonly string[], policy: SourcePolicy): void {
  const limit = policy.limits.packages
  if (limit === undefined || identities.length <= limit.value) return
  const {file} = policy
  const message = `cannot use ${count(identities.length, 'package')}: line ${limit.line} of ${file} allows ${limit.value}`
  throw new CrossplaneError('policy-refused', message, {
    diagnostics: [
      {
        ...{severity: 'error', rule: 'policy-limit', message: `at most ${count(limit.value, 'package')}`},
        ...{file, line: limit.line, field: 'limits.packages', ...ownerOf(policy)},
      },
    ],
    suggestions: [`${changeOf(policy, `raise limits.packages in ${file}`)}, or request fewer packages.`],
  })
}

function ownerOf({contact}: SourcePolicy): Pick<Diagnostic, 'owner'> {
  return contact === undefined ? {} : {owner: contact}
}

function changeOf({contact}: SourcePolicy, change: string): string {
  return contact === undefined
    ? `${change.charAt(0).toUpperCase()}${change.slice(1)}`
    : `Ask ${contact} to ${change}`
}

/** The settings by which the source of a package is judged. */
type JudgedBy = Pick<ResolutionPolicy, 'teams' | 'lock' | 'installed'>

/**
 * Returns a catalog that reads packages, and asks registries for tags, only from allowed sources. What is installed
 * already can be read: a policy decides about what a command requests.
 */
export function withinPolicy(catalog: Catalog, policy: JudgedBy, nameOf: NameRepository): Catalog {
  const {teams = [], installed} = policy
  if (teams.every(({sources}) => sources === undefined)) return catalog
  const present = new Set((installed?.packages ?? []).map(({identity}) => identity))
  const expected = (identity: string) => {
    if (!present.has(identity)) expectSource(identity, teams)
  }
  return {
    summaries: catalog.summaries,
    tagsOf: async name => {
      expected(nameOf(name))
      return await catalog.tagsOf(name)
    },
    yankedOf: identity => catalog.yankedOf(identity),
    carrierOf: summary => catalog.carrierOf(summary),
    contradictionOf: async summary => {
      expected(summary.identity)
      return await catalog.contradictionOf(summary)
    },
    open: async version => {
      expected(version.identity)
      return await catalog.open(version)
    },
  }
}

/**
 * Returns the versions that an index has from other sources: anyone can add entries, and one of them must not stop a
 * request. Locked and installed packages are judged once they are selected.
 */
export function foreignVersions(
  summaries: readonly PackageSummary[],
  {teams = [], lock, installed}: JudgedBy,
): readonly ExcludedVersion[] {
  if (teams.every(({sources}) => sources === undefined)) return []
  const kept = new Set(
    [...(lock?.lock.packages ?? []), ...(installed?.packages ?? [])].map(({identity}) => identity),
  )
  return summaries.flatMap(({identity, tag, digest}) => {
    const policy = kept.has(identity) ? undefined : refusingPolicy(identity, teams)
    if (policy === undefined) return []
    const reason = `${policy.file}${linesOf(policy)} does not allow its source`
    return [{identity, tag, digest, kind: 'foreign', reason}]
  })
}

function linesOf({sources: [first] = []}: SourcePolicy): string {
  return first === undefined ? '' : ` (line ${first.line})`
}

const FOREIGN_RULES: readonly string[] = ['foreign-version', 'foreign-candidate']

/** Returns a rejection as `policy-refused` where it is one because of packages that a policy does not allow. */
export function refusedByPolicy<Result extends Rejection>(
  rejection: Result,
  policies: SourcePolicies = [],
): Result {
  const {diagnostics, suggestions} = rejection
  const restricting = policies.filter(({sources}) => sources !== undefined)
  if (restricting.length === 0 || !diagnostics.some(({rule}) => FOREIGN_RULES.includes(rule)))
    return rejection
  throw new CrossplaneError('policy-refused', rejection.message, {
    diagnostics: [...diagnostics, ...restricting.flatMap(sourceDiagnostics)],
    suggestions: [
      ...suggestions,
      ...restricting.map(policy => `${changeOf(policy, `change sources in ${policy.file}`)}.`),
    ],
  })
}

/** Checks what a request names, before anything is read. */
export function expectRequested(
  names: readonly ImageName[],
  policies: SourcePolicies | undefined,
  nameOf: NameRepository,
): void {
  for (const name of names) expectSource(nameOf(name), policies)
}
