import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../diagnostic.js'
import {ownedCrds} from '../../observe/core/owned-crds.js'
import {readCore} from '../../observe/core/read-core.js'
import {lockRejections} from '../../plan/cluster/core/cluster-names.js'
import type {CoreState} from '../../plan/cluster/state/core-state.js'
import {judgeCrds} from '../../plan/cluster/core/crd-gate.js'
import {unacceptableXpkgRejections} from '../../plan/git/judge-xpkgs.js'
import {notInCluster} from '../../plan/git/not-in-cluster.js'
import {observeCrdInstances, type ReadableChange} from '../cluster/core/crd-instances.js'
import type {ChangedXpkg, XpkgVersion} from '../../plan/git/xpkg-losses.js'
import type {ChangedXpkgSet} from '../../package/xpkg/changed-set.js'
import type {GitQuery} from './git-request.js'
import {inContext, type TreeCluster} from './judge-in-cluster.js'

/**
 * Judges new versions of packages by the Lock, the CRDs and the custom resources of a cluster. What a user assumes about custom resources
 * does not change what the Lock has. Throws the errors of the API.
 */
export async function judgeXpkgsInCluster(
  {set, filesOf}: ChangedXpkgSet,
  {assumeNoInstances, keepsInstances}: Pick<GitQuery, 'assumeNoInstances' | 'keepsInstances'>,
  {api, context}: TreeCluster,
): Promise<readonly Diagnostic[]> {
  const core = await readCore(api)
  const changed = set.changes.flatMap(({repository, before, after}) => {
    const request = core?.requests.find(one => one.repository === repository)
    return after === undefined ? [] : [{repository, before, after, request}]
  })
  const names = changed.flatMap(({request}) =>
    core === undefined || request === undefined ? [] : lockRejections(request, core),
  )
  const judged = names.map(diagnostic => inContext(context, diagnostic))
  if (assumeNoInstances) return [...judged, ...unacceptableXpkgRejections(set)]
  const looked = changed.filter(({before, after}) => !isInert(before, after))
  const absent = looked.filter(({request}) => request === undefined)
  const versions = looked.flatMap(({repository, after: {objects}, request}) =>
    request === undefined
      ? []
      : [{repository, objects, request, files: async () => await filesOf(repository)}],
  )
  const seen = await judgedVersions(versions, {core, keepsInstances}, api)
  return [
    ...absent.map(({repository}) => notInCluster(repository)),
    ...judged,
    ...seen.map(diagnostic => inContext(context, diagnostic)),
  ]
}

/** Judges versions by the CRDs that the core installed for the requests, and by their custom resources. */
async function judgedVersions(
  versions: readonly Omit<ReadableChange, 'crds'>[],
  {core, keepsInstances}: {readonly core: CoreState | undefined; readonly keepsInstances: boolean},
  api: ClusterApi,
): Promise<readonly Diagnostic[]> {
  if (core === undefined) return []
  const requests = versions.map(({request}) => request)
  const owned = await ownedCrds(requests, core, api)
  const changes = versions.map(change => ({
    ...change,
    crds: owned.filter(({request}) => request === change.request).map(({crd}) => crd),
  }))
  const {rejections, risks} = judgeCrds(changes, await observeCrdInstances(changes, api), {keepsInstances})
  return [...rejections, ...[...risks.values()].flat()]
}

/** Reports whether the core installs no objects of a Function: the set of such a core has none of them. */
function isInert(before: ChangedXpkg['before'], {kind, objects}: XpkgVersion): boolean {
  return kind === 'Function' && objects.length === 0 && ('reason' in before || before.objects.length === 0)
}
