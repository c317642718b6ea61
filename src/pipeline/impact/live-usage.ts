import type {ClusterApi, ResourceKind} from '../../cluster/api/cluster-api.js'
import type {ObjectJudge} from '../../crd/instances/check-object.js'
import {eachInstance} from '../../observe/instances/survey-instances.js'
import type {SurfacePackage} from '../../usage/compare-sets.js'
import {type UsageFinding, type UsageImpact, totalsOf, usageJudge} from '../../usage/objects/compare-usage.js'
import {changedKinds} from '../../usage/objects/kind-judgments.js'
import {failureOf} from '../../cluster/api/cluster-failure.js'

/** A cluster whose objects are judged. */
export interface LiveObjects {
  /** The context of the kubeconfig. */
  readonly context: string
  readonly api: Pick<ClusterApi, 'discover' | 'list'>
}

/** The effects on the objects of a cluster. */
export interface LiveImpact extends UsageImpact {
  /** The number of effects that are counted, but not listed. */
  readonly omitted: number
}

/** A cluster can have a million objects with the same effect. */
const MAX_LISTED = 1000

/**
 * Judges the objects of a cluster of all kinds that change, as it stores them, or else in a version that it serves. They are read page
 * by page, and only effects are kept. Throws the errors of the API.
 */
export async function liveUsage(
  before: readonly SurfacePackage[],
  after: readonly SurfacePackage[],
  {context, api}: LiveObjects,
  judge: ObjectJudge,
): Promise<LiveImpact> {
  const judgeOne = usageJudge(before, after, judge)
  const findings: UsageFinding[] = []
  const invalid: UsageFinding[] = []
  const totals = {...totalsOf([])}
  let objects = 0
  let omitted = 0
  const {resources} = await api.discover()
  const servedIn = (group: string, kind: string) =>
    resources.flatMap(own => (own.group === group && own.kind === kind ? [own.version] : []))
  for (const kind of changedKinds(before, after, servedIn)) {
    const isListed = await listedInstances(kind, api, value => {
      const place = {file: clusterName(context), line: 0, lineOf: () => 0}
      const judged = judgeOne({...kind, value: {...value, ...kind}, ...place, isLive: true})
      objects += 1
      for (const verdict of new Set(judged.findings.map(finding => finding.verdict))) totals[verdict] += 1
      if (findings.length < MAX_LISTED) findings.push(...judged.findings.map(withoutLine))
      else omitted += judged.findings.length
      if (invalid.length < MAX_LISTED) invalid.push(...judged.invalid.map(withoutLine))
    })
    if (isListed) continue
    totals.unread += 1
    findings.push({verdict: 'unread', file: clusterName(context), path: '', message: deniedText(kind)})
  }
  return {findings, invalid, totals, omitted, read: {files: 0, objects, judged: objects}}
}

function clusterName(context: string): string {
  return `the cluster of ${context}`
}

function deniedText({apiVersion, kind}: ResourceKind): string {
  return `permission to list ${kind} (${apiVersion}) is denied`
}

/** Passes on the objects of a kind; returns whether the user may list them. */
async function listedInstances(...[kind, api, act]: Parameters<typeof eachInstance>): Promise<boolean> {
  try {
    await eachInstance(kind, api, act)
    return true
  } catch (error) {
    if (failureOf(error)?.status !== 403) throw error
    return false
  }
}

/** Objects of a cluster have no lines. */
function withoutLine({line: _none, ...finding}: UsageFinding): UsageFinding {
  return finding
}
