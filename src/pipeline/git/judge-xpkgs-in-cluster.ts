import type {Diagnostic} from '../../diagnostic.js'
import {countInstances, ownedCrds} from '../../observe/core/owned-crds.js'
import {readCore} from '../../observe/core/read-core.js'
import {judgeCrds} from '../../plan/cluster/core/crd-gate.js'
import type {ChangedXpkg} from '../../plan/git/judge-xpkg-crds.js'
import {notInCluster} from '../../plan/git/not-in-cluster.js'
import {inContext, type TreeCluster} from './judge-in-cluster.js'

/** Judges new versions of packages by the CRDs and custom resources of a cluster. Throws the errors of the API. */
export async function judgeXpkgsInCluster(
  changes: readonly ChangedXpkg[],
  options: {readonly keepsInstances: boolean},
  {api, context}: TreeCluster,
): Promise<readonly Diagnostic[]> {
  const core = await readCore(api)
  const looked = changes.map(({repository, after}) => ({
    repository,
    objects: after,
    request: core?.requests.find(one => one.repository === repository),
  }))
  const present = looked.flatMap(({request, objects}) => (request === undefined ? [] : [{request, objects}]))
  const owned =
    core === undefined
      ? []
      : await ownedCrds(
          present.map(({request}) => request),
          core,
          api,
        )
  const instances = await countInstances(
    owned.map(({crd}) => crd),
    api,
  )
  const versions = present.map(change => ({
    ...change,
    crds: owned.filter(({request}) => request === change.request).map(({crd}) => crd),
  }))
  const {rejections, risks} = judgeCrds(versions, instances, options)
  const absent = looked.filter(({request}) => request === undefined)
  return [
    ...absent.map(({repository}) => notInCluster(repository)),
    ...[...rejections, ...[...risks.values()].flat()].map(diagnostic => inContext(context, diagnostic)),
  ]
}
