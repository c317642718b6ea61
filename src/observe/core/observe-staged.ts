import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {isChangeable} from '../../plan/cluster/core/judge-package-object.js'
import type {StagedObject} from '../../plan/cluster/core/plan-packages.js'
import type {ClusterSnapshot, DryRun} from '../../plan/cluster/state/cluster-snapshot.js'
import {dryRunOf} from '../changes/observe-cluster.js'
import {observeGitSources} from '../objects/git-sources.js'
import {CONCURRENCY, readObjects} from '../objects/read-live.js'

/** Reads the objects of a set that exist, and how the server would change them; changes nothing. Throws the errors of the API. */
export async function observeStaged(
  objects: readonly StagedObject[],
  api: ClusterApi,
  adopt: boolean,
): Promise<Pick<ClusterSnapshot, 'live' | 'dryRuns' | 'sources'>> {
  const live = await readObjects(
    objects.map(({desired}) => desired.name),
    api,
  )
  const dryRuns = new Map<string, DryRun>()
  await mapConcurrent([...objects], CONCURRENCY, async ({desired: {key, content}}) => {
    const object = live.get(key)
    if (object === undefined || !isChangeable(object, {adopt})) return
    dryRuns.set(key, await dryRunOf(content, object, api, false))
  })
  return {live, dryRuns, sources: await observeGitSources(live, api)}
}
