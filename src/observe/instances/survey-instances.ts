import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {ClusterSnapshot} from '../../plan/cluster/state/cluster-snapshot.js'
import {type CrdChange, crdChange, instanceCheck} from '../../plan/cluster/crds/crd-change.js'
import type {DesiredObject} from '../../plan/cluster/state/desired-object.js'
import {
  type InstanceCheck,
  type InstanceSurvey,
  NO_INSTANCES,
  surveyed,
} from '../../plan/cluster/state/instance-survey.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {recordedKinds} from '../objects/recorded-kinds.js'

/** Concurrent lists: each keeps a page of instances in memory. */
const CONCURRENCY = 4

/**
 * Reads the input of the gate for CRDs, if a CRD of the set changes: its instances, and the kinds that package records
 * name.
 */
export async function surveyInstances(
  desired: readonly DesiredObject[],
  {live, dryRuns}: Pick<ClusterSnapshot, 'live' | 'dryRuns'>,
  api: ClusterApi,
): Promise<Pick<ClusterSnapshot, 'surveys' | 'recorded'>> {
  const changed = desired.flatMap(object => {
    const [liveObject, dryRun] = [live.get(object.key), dryRuns.get(object.key)]
    if (liveObject === undefined || dryRun === undefined) return []
    const change = crdChange(object, liveObject, dryRun)
    return change === undefined ? [] : [{key: object.key, change}]
  })
  const surveys = await surveyChanges(changed, api)
  return {surveys, recorded: changed.length === 0 ? [] : await recordedKinds(api)}
}

/** Reads the instances of CRDs that change, by `objectKey`; none of a CRD without a served version. */
export async function surveyChanges(
  changed: readonly {readonly key: string; readonly change: CrdChange}[],
  api: ClusterApi,
): Promise<ReadonlyMap<string, InstanceSurvey>> {
  const surveys = new Map<string, InstanceSurvey>()
  await mapConcurrent(changed, CONCURRENCY, async ({key, change}) => {
    const check = instanceCheck(change)
    if (check === undefined || (await api.resource(check.kind)) === undefined) return
    surveys.set(key, await surveyOf(check, api))
  })
  return surveys
}

async function surveyOf(check: InstanceCheck, api: ClusterApi): Promise<InstanceSurvey> {
  let survey = NO_INSTANCES
  for await (const object of api.list(check.kind)) survey = surveyed(survey, object, check)
  return survey
}
