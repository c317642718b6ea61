import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {formatSummary} from '../../index/package-summary.js'
import {isCrdName} from '../../reference/install-target.js'
import {type Nameable, namedIn} from '../../reference/named.js'
import {installReasons} from '../../resolve/install-reasons.js'
import {parseCrdRequirement, matchingCrds} from '../../resolve/requirement.js'
import type {Resolution} from '../../resolve/resolution.js'
import {existingCrdOrigin} from '../existing-crd.js'
import {notSelected} from '../not-selected.js'
import type {ResolvedPackages} from '../../resolve/packages/solve-and-read.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {unresolved} from '../../resolve/packages/rejection.js'
import type {ResolutionPolicy} from '../../resolve/packages/resolution-policy.js'
import {resolvePackages} from '../../resolve/packages/resolve-packages.js'
import type {RequestedRoot} from '../../resolve/requested/requested-roots.js'
import {templateReasons} from './template-reasons.js'
import type {WhyReport} from '../reports.js'

/** Explains one package, or the package that provides a CRD. Throws `not-found` if it would not be installed. */
export async function why(
  what: string,
  requested: readonly RequestedRoot[],
  policy: ResolutionPolicy,
  ports: PackagePorts,
): Promise<WhyReport> {
  const result = await resolvePackages(requested, policy, ports)
  if (result.kind === 'rejected') throw unresolved(result)
  const {resolution} = result
  const identity = identityOf(what, resolution, policy)
  const selected = resolution.packages.find(({summary}) => summary.identity === identity)
  if (selected === undefined) throw notIncluded(what, result, policy)
  const {summary} = selected
  const isAbout = ({rule, message}: Diagnostic) =>
    rule === 'lock-outdated' ||
    message.startsWith(`${summary.identity}:`) ||
    message.startsWith(`${summary.identity} `)
  const reasons = installReasons(resolution, summary.identity)
  return {
    package: summary.identity,
    tag: summary.tag,
    installs: resolution.installs
      .filter(install => install.summary.identity === identity)
      .map(({namespace, name}) => `${namespace}/${name}`),
    ...(await templateReasons(formatSummary(summary), reasons, result, ports)),
    notes: resolution.notes.filter(isAbout).map(({message}) => message),
  }
}

/** The identity of a package, or of the one that owns a CRD. */
function identityOf(
  what: string,
  {packages, installs}: Resolution,
  {defaultSource}: ResolutionPolicy,
): string | undefined {
  const crd = what.replace(/^crd:/, '')
  if (isCrdName(crd)) {
    const owner = packages.find(
      ({summary}) => matchingCrds(parseCrdRequirement(crd), summary.crds).length > 0,
    )
    if (owner !== undefined || crd !== what) return owner?.summary.identity
  }
  const query = {text: what, action: 'explain', defaultSource}
  // All installs of a package have the same reasons.
  return namedIn(query, installs.map(nameableInstall))[0]?.repository
}

function nameableInstall({namespace, name, summary}: Resolution['installs'][number]): Nameable {
  return {namespace, name, repository: summary.identity}
}

function notIncluded(
  what: string,
  {resolution, input}: Pick<Extract<ResolvedPackages, {readonly kind: 'resolved'}>, 'resolution' | 'input'>,
  {crossplane}: ResolutionPolicy,
): CrossplaneError {
  const crd = what.replace(/^crd:/, '')
  const origin = isCrdName(crd)
    ? existingCrdOrigin(parseCrdRequirement(crd), input.facts, crossplane.version)
    : undefined
  if (origin !== undefined) {
    return new CrossplaneError('not-found', `no package is installed for ${crd}: it ${origin}`, {
      suggestions: ['Pass --crossplane-version none if the cluster runs a current Crossplane.'].slice(
        origin.includes('Crossplane') ? 0 : 1,
      ),
    })
  }
  return notSelected(what, resolution.installs.map(nameableInstall))
}
