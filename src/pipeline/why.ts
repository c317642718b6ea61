import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {formatSummary} from '../index/package-summary.js'
import {isCrdName} from '../reference/install-target.js'
import {formatImageName} from '../reference/image-name.js'
import {parsePackageReference} from '../reference/package-reference.js'
import {installReasons, type Reason} from '../resolve/install-reasons.js'
import {parseCrdRequirement, meant} from '../resolve/requirement.js'
import type {Resolution} from '../resolve/resolution.js'
import type {PackagePorts} from './locate/located-package.js'
import {type ResolutionPolicy, resolvePackages, unresolved} from './resolve/resolve-packages.js'
import type {Requested} from './resolve/wanted-roots.js'

/** Why a package is part of an answer. */
export interface WhyReport {
  readonly package: string
  readonly tag: string
  /** Where it is installed, as namespace and name. */
  readonly installs: readonly string[]
  /** Ways from what was asked for to it, the shortest first. */
  readonly reasons: readonly Reason[]
  /** What else is to be known of how it was chosen; with a lock, also how the whole answer differs from that. */
  readonly notes: readonly string[]
}

/** Explains one package, or the package that brings a CRD. Throws `not-found` if it is no part of the answer. */
export async function why(
  what: string,
  requested: readonly Requested[],
  policy: ResolutionPolicy,
  ports: PackagePorts,
): Promise<WhyReport> {
  const result = await resolvePackages(requested, policy, ports)
  if (result.kind === 'rejected') throw unresolved(result)
  const {resolution, input} = result
  const identity = identityOf(what, resolution, input.identify)
  const found = resolution.packages.find(({summary}) => summary.identity === identity)
  if (found === undefined) throw nowhere(what, resolution)
  const {summary} = found
  const isAbout = ({rule, message}: Diagnostic) =>
    rule === 'lock-outdated' ||
    message.startsWith(`${summary.identity}:`) ||
    message.startsWith(`${summary.identity} `)
  return {
    package: summary.identity,
    tag: summary.tag,
    installs: resolution.installs
      .filter(install => install.summary.identity === identity)
      .map(({namespace, name}) => `${namespace}/${name}`),
    reasons: installReasons(resolution, summary.identity),
    notes: resolution.notes.filter(isAbout).map(({message}) => message),
  }
}

/** The package that is meant: by a CRD that it owns, or by itself. */
function identityOf(
  what: string,
  {packages}: Resolution,
  identify: (repository: string) => string,
): string | undefined {
  const crd = what.replace(/^crd:/, '')
  if (isCrdName(crd)) {
    const owner = packages.find(({summary}) => meant(parseCrdRequirement(crd), summary.crds).length > 0)
    if (owner !== undefined || crd !== what) return owner?.summary.identity
  }
  const target = parsePackageReference(what)
  return target.kind === 'image' ? identify(formatImageName(target.name)) : undefined
}

function nowhere(what: string, {packages}: Resolution): CrossplaneError {
  const names = packages.map(({summary}) => formatSummary(summary)).sort()
  return new CrossplaneError('not-found', `${what} is no part of what would be installed`, {
    suggestions: [`That is ${names.length === 0 ? 'nothing' : names.join(', ')}.`],
  })
}
