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
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {instanceJudge} from '../../plan/cluster/crds/crd-usage.js'
import {NO_USAGE} from '../../plan/cluster/state/instance-usage.js'
import type {ObjectJudge} from '../../crd/instances/check-object.js'
import {recordedKinds} from '../objects/recorded-kinds.js'

/** Loads what judges the effects on instances by the verdicts of `package impact`. */
export type JudgeLoader = () => Promise<ObjectJudge>

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
  loadJudge?: JudgeLoader,
): Promise<Pick<ClusterSnapshot, 'surveys' | 'recorded'>> {
  const changed = desired.flatMap(object => {
    const [liveObject, dryRun] = [live.get(object.key), dryRuns.get(object.key)]
    if (liveObject === undefined || dryRun === undefined) return []
    const change = crdChange(object, liveObject, dryRun)
    return change === undefined ? [] : [{key: object.key, change}]
  })
  const surveys = await surveyChanges(changed, api, loadJudge)
  return {surveys, recorded: changed.length === 0 ? [] : await recordedKinds(api)}
}

/** Reads the instances of CRDs that change, by `objectKey`; none of a CRD without a served version. Effects are judged with a judge. */
export async function surveyChanges(
  changed: readonly {readonly key: string; readonly change: CrdChange}[],
  api: ClusterApi,
  loadJudge?: JudgeLoader,
): Promise<ReadonlyMap<string, InstanceSurvey>> {
  const judge = changed.length === 0 ? undefined : await loadJudge?.()
  const surveys = new Map<string, InstanceSurvey>()
  await mapConcurrent(changed, CONCURRENCY, async ({key, change}) => {
    const check = instanceCheck(change)
    if (check === undefined || (await api.resource(check.kind)) === undefined) return
    surveys.set(
      key,
      await surveyOf({...check, judgeUsage: judge && instanceJudge(change, check.kind, judge)}, api),
    )
  })
  return surveys
}

async function surveyOf(check: InstanceCheck, api: ClusterApi): Promise<InstanceSurvey> {
  let survey = check.judgeUsage === undefined ? NO_INSTANCES : {...NO_INSTANCES, usage: NO_USAGE}
  await eachInstance(check.kind, api, object => {
    survey = surveyed(survey, object, check)
  })
  return survey
}

/** Passes on the custom resources of a kind; a page of them is in memory. None of a kind that is not served. */
export async function eachInstance(
  kind: InstanceCheck['kind'],
  api: Pick<ClusterApi, 'list'>,
  act: (object: KubernetesObject) => void,
): Promise<void> {
  for await (const object of api.list(kind)) act(object)
}
