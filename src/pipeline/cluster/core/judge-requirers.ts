import type {Diagnostic} from '../../../diagnostic.js'
import type {PackagePorts} from '../../../locate/located-package.js'
import {ownedCrds} from '../../../observe/core/owned-crds.js'
import type {ChangedRequirer} from '../../../plan/cluster/core/changed-requirers.js'
import {judgeCrds, type VersionChange} from '../../../plan/cluster/core/crd-gate.js'
import type {HandOver} from '../../../plan/cluster/core/move-operations.js'
import {unknownUseText, withMoveAdvice} from '../../../plan/cluster/core/moved-package.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/state/core-state.js'
import {locatedXpkgs} from '../../../resolve/xpkg/located-xpkgs.js'
import type {InstallPorts} from '../install.js'
import {crdsOf, observeCrdInstances, type ReadableChange, readableChange} from './crd-instances.js'

/** Packages that are handed over, and why what changes with them cannot. */
interface JudgedHandOvers {
  readonly packages: readonly HandOver[]
  readonly rejections: readonly Diagnostic[]
  /** What changes of CRDs. */
  readonly changes: readonly VersionChange[]
}

/**
 * Compares the custom resources of what changes its version with a move with the CRDs of that version, as an upgrade does. A version that can no longer be read
 * is a risk: a move must be able to go back from a registry that is gone.
 */
export async function judgedRequirers(
  packages: readonly HandOver[],
  core: CoreState,
  {api, requests}: InstallPorts,
  ports?: PackagePorts,
): Promise<JudgedHandOvers> {
  const changing = packages
    .flatMap(({requirers = []}) => requirers)
    .filter(({live, to}) => live.reference !== to.reference)
  if (changing.length === 0) return {packages, rejections: [], changes: []}
  const {changes, risks} = await readChanges(changing, ports ?? (await requests.packages()))
  const crds = await ownedCrds(
    changes.map(({request}) => request),
    core,
    api,
  )
  const own = changes.map(change => ({
    ...change,
    crds: crdsOf(change.request, crds),
  }))
  const instances = await observeCrdInstances(own, api, requests.usage.judge)
  const verdict = judgeCrds(own, instances, {keepsInstances: false, acceptsImpact: false})
  const risksOf = ({live, risks: losses = []}: ChangedRequirer) => [
    ...losses,
    ...(risks.get(live) ?? []),
    ...(verdict.risks.get(live) ?? []),
  ]
  return {
    packages: packages.map(({requirers = [], ...one}) => ({
      ...one,
      requirers: requirers.map(requirer => ({...requirer, risks: risksOf(requirer)})),
    })),
    rejections: withMoveAdvice(verdict.rejections),
    changes: own,
  }
}

/** Reads what requests get, without the CRDs that they have. */
async function readChanges(changing: readonly ChangedRequirer[], ports: PackagePorts) {
  const catalog = locatedXpkgs(ports)
  const changes: Omit<ReadableChange, 'crds'>[] = []
  const risks = new Map<CoreRequest, readonly Diagnostic[]>()
  for (const {live, to} of changing) {
    const {repository, tag = ''} = coreReference(to.reference)
    const change = await readableChange(live, {repository, tag}, catalog, ports)
    if ('reason' in change) risks.set(live, [unread(to.reference, change.reason)])
    else changes.push(change)
  }
  return {changes, risks}
}

function unread(reference: string, reason: string): Diagnostic {
  return {severity: 'warning', rule: 'xpkg-use-unknown', message: unknownUseText(reference, reason)}
}
