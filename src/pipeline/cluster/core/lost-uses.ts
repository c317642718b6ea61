import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {LockedXpkg} from '../../../declaration/lock.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {nameOf, objectKey} from '../../../kubernetes/object-key.js'
import {lossRejection} from '../../../plan/git/judge-xpkgs.js'
import {setLosses, type XpkgSetChange} from '../../../plan/git/xpkg-losses.js'
import {isSince, SINCE} from '../../../xpkg/core-release.js'
import {escaped} from '../../../text.js'
import {clusterLock, keepsVersion} from './cluster-lock.js'
import {crdsOf, type ReadableChange} from './crd-instances.js'
import {ownedCrds} from '../../../observe/core/owned-crds.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/state/core-state.js'
import {locatedXpkgs} from '../../../resolve/xpkg/located-xpkgs.js'
import {changedSet, lockedVersions} from '../../../package/xpkg/changed-set.js'
import {packageFiles} from '../../../package/xpkg/package-files.js'
import {type ResolvedPackages, type PackagesQuery} from './resolved-packages.js'

/** Reads the CRDs of installed packages that get other versions. */
export async function changedVersions(
  {closure}: ResolvedPackages,
  core: CoreState,
  {packages: ports, settings: {coreVersion}}: PackagesQuery,
  api: ClusterApi,
): Promise<readonly ReadableChange[]> {
  const isInert = ({kind}: CoreRequest) => kind === 'Function' && isSince(coreVersion, SINCE.newRules)
  const changed = new Map(
    closure.packages.flatMap(selected => {
      const request = core.requests.find(one => one.repository === selected.repository)
      const isChanged = request !== undefined && !keepsVersion(request, selected)
      // Crossplane 2.3 and later do not install the CRDs of Functions.
      return isChanged && !isInert(request) ? [[request, selected] as const] : []
    }),
  )
  const owned = await ownedCrds([...changed.keys()], core, api)
  return [...changed].map(([request, selected]) => ({
    request,
    objects: selected.objects ?? [],
    files: async () => await packageFiles(selected, closure.roots, ports),
    crds: crdsOf(request, owned),
  }))
}

/**
 * Returns what packages still use and lose, as rejections and as warnings of requests: the selected packages are compared with their
 * installed versions. Others stay in the cluster, and the Compositions of installed Configurations go on using what the selected packages have.
 * @param leaving - repositories that the cluster has none of any more.
 */
export async function observedLosses(
  {closure: {packages, names}}: {readonly closure: Pick<ResolvedPackages['closure'], 'packages' | 'names'>},
  core: CoreState,
  {packages: ports, settings: {coreVersion}}: LossQuery,
  leaving: readonly string[] = [],
): Promise<ReturnType<typeof lossesOf>> {
  const selected = new Set([...packages.map(({repository}) => repository), ...leaving])
  const installed = clusterLock(core, []).lock.xpkgs ?? []
  const catalog = locatedXpkgs(ports)
  const closure = new Map(packages.map(one => [one.repository, one]))
  // What is kept by its digest can have a tag in the closure.
  const isKept = (one: LockedXpkg) => {
    const now = closure.get(one.repository)
    return one.tag === undefined && now !== undefined && keepsVersion(one, now)
  }
  const locked = installed.filter(one => selected.has(one.repository) && !isKept(one))
  const change = await changedSet(locked, {packages, names}, catalog, coreVersion)
  if (change.changes.length === 0) return {losses: [], lossRisks: []}
  const others = installed.filter(
    ({repository, kind}) => kind === 'Configuration' && !selected.has(repository),
  )
  const {read, unread} = await lockedVersions(others, catalog, coreVersion)
  const former = change.changes.flatMap(({repository, before}) =>
    'reason' in before && leaving.includes(repository) ? [`${repository}: ${before.reason}`] : [],
  )
  return lossesOf({...change, after: [...change.after, ...read]}, [...unread, ...former], core)
}

type LossQuery = Pick<PackagesQuery, 'packages'> & {
  readonly settings: Pick<PackagesQuery['settings'], 'coreVersion'>
}

type RequestRisk = readonly [CoreRequest, readonly Diagnostic[]]

function lossesOf(change: XpkgSetChange, unread: readonly string[], {requests}: CoreState) {
  const judged = setLosses(change).map(loss => ({loss, diagnostic: lossRejection(loss)}))
  const risksOf = (wanted: string, risks: readonly Diagnostic[]): readonly RequestRisk[] =>
    requests.filter(({repository}) => repository === wanted).map(request => [request, risks])
  return {
    losses: judged.flatMap(({diagnostic}) => (diagnostic.severity === 'error' ? [diagnostic] : [])),
    lossRisks: [
      ...judged.flatMap(({loss, diagnostic}) =>
        diagnostic.severity === 'error' ? [] : risksOf(loss.repository, [diagnostic]),
      ),
      ...change.changes.flatMap(({repository}) => risksOf(repository, unread.map(unreadUse))),
    ],
  }
}

function unreadUse(cause: string): Diagnostic {
  const message = `whether an installed package still uses what the new version no longer has is not known: ${escaped(cause)}`
  return {severity: 'warning', rule: 'xpkg-use-unknown', message}
}

/** Returns the risks of objects by their keys, those of requests among them. */
export function joinedRisks(
  ofRequests: readonly RequestRisk[],
  others: ReadonlyMap<string, readonly Diagnostic[]>,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const joined = new Map(others)
  for (const [{object}, risks] of ofRequests) {
    const key = objectKey(nameOf(object))
    joined.set(key, [...risks, ...(joined.get(key) ?? [])])
  }
  return joined
}
