import type {Diagnostic} from '../../diagnostic.js'
import {ownedCrds} from '../../observe/core/owned-crds.js'
import {readCore} from '../../observe/core/read-core.js'
import {lockRejections} from '../../plan/cluster/core/cluster-names.js'
import {judgeCrds} from '../../plan/cluster/core/crd-gate.js'
import {notInCluster} from '../../plan/git/not-in-cluster.js'
import {observeCrdInstances} from '../cluster/core/crd-instances.js'
import type {ChangedXpkg, XpkgVersion} from '../../plan/git/xpkg-losses.js'
import type {ChangedXpkgSet} from '../../package/xpkg/changed-set.js'
import {inContext, type TreeCluster} from './judge-in-cluster.js'

/** Judges new versions of packages by the CRDs and custom resources of a cluster. Throws the errors of the API. */
export async function judgeXpkgsInCluster(
  {set, filesOf}: ChangedXpkgSet,
  {keepsInstances}: {readonly keepsInstances: boolean},
  {api, context}: TreeCluster,
): Promise<readonly Diagnostic[]> {
  const core = await readCore(api)
  const changed = set.changes.flatMap(({repository, before, after}) => {
    const request = core?.requests.find(one => one.repository === repository)
    return after === undefined ? [] : [{repository, before, after, request}]
  })
  const looked = changed
    .filter(({before, after}) => !isInert(before, after))
    .map(({repository, after: {objects}, request}) => ({
      ...{repository, objects, request},
      files: async () => await filesOf(repository),
    }))
  const present = looked.flatMap(({request, ...change}) =>
    request === undefined ? [] : [{...change, request}],
  )
  const owned =
    core === undefined
      ? []
      : await ownedCrds(
          present.map(({request}) => request),
          core,
          api,
        )
  const versions = present.map(change => ({
    ...change,
    crds: owned.filter(({request}) => request === change.request).map(({crd}) => crd),
  }))
  const {rejections, risks} = judgeCrds(versions, await observeCrdInstances(versions, api), {keepsInstances})
  const names = changed.flatMap(({request}) =>
    core === undefined || request === undefined ? [] : lockRejections(request, core),
  )
  const absent = looked.filter(({request}) => request === undefined)
  return [
    ...absent.map(({repository}) => notInCluster(repository)),
    ...[...names, ...rejections, ...[...risks.values()].flat()].map(diagnostic =>
      inContext(context, diagnostic),
    ),
  ]
}

/** Reports whether the core installs no objects of a Function: the set of such a core has none of them. */
function isInert(before: ChangedXpkg['before'], {kind, objects}: XpkgVersion): boolean {
  return kind === 'Function' && objects.length === 0 && ('reason' in before || before.objects.length === 0)
}
