import {createHash} from 'node:crypto'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {effectText, isStopping} from '../../../usage/objects/accepted-impact.js'
import {totalsOf, type UsageFinding} from '../../../usage/objects/compare-usage.js'
import {type Verdict, VERDICTS} from '../../../usage/objects/verdict.js'

/** The effects of a change of a CRD on its instances, by the verdicts of `package impact`. */
export interface InstanceUsage {
  /** The first effects of each verdict. */
  readonly effects: Readonly<Record<Verdict, readonly UsageFinding[]>>
  /** The number of instances by verdict. */
  readonly totals: Readonly<Record<Verdict, number>>
  /** What breaks at a field that the same instance does not lose. */
  readonly broken: {readonly total: number; readonly effects: readonly UsageFinding[]}
  /** The number of instances with effects that stop a change. */
  readonly stopped: number
  /** The hash of all effects, also of those that are not kept. */
  readonly hash: string
}

/** Tells what a change does to an instance. */
export type InstanceJudge = (object: KubernetesObject) => readonly UsageFinding[]

/** The usage before the first instance. */
export const NO_USAGE: InstanceUsage = {
  effects: {breaks: [], lost: [], unserved: [], meaning: [], convert: [], unread: []},
  totals: totalsOf([]),
  broken: {total: 0, effects: []},
  stopped: 0,
  hash: '',
}

/** The maximum number of effects to keep of a verdict. */
const MAX_KEPT = 20

/** Adds the effects on one instance; the usage stays small whatever their number. */
export function withUsage(usage: InstanceUsage, findings: readonly UsageFinding[]): InstanceUsage {
  if (findings.length === 0) return usage
  const [effects, totals] = [{...usage.effects}, {...usage.totals}]
  for (const verdict of VERDICTS) {
    const own = findings.filter(finding => finding.verdict === verdict)
    if (own.length === 0) continue
    effects[verdict] = firstOf(effects[verdict], own)
    totals[verdict] += 1
  }
  const lost = new Set(findings.flatMap(({verdict, path}) => (verdict === 'lost' ? [path] : [])))
  const broken = findings.filter(({verdict, path}) => verdict === 'breaks' && !lost.has(path))
  const texts = findings.map(effectText).sort()
  return {
    ...{effects, totals},
    broken: {
      total: usage.broken.total + (broken.length === 0 ? 0 : 1),
      effects: firstOf(usage.broken.effects, broken),
    },
    stopped: usage.stopped + (findings.some(isStopping) ? 1 : 0),
    hash: createHash('sha256')
      .update([usage.hash, ...texts].join('\n'))
      .digest('hex'),
  }
}

function firstOf(kept: readonly UsageFinding[], added: readonly UsageFinding[]): readonly UsageFinding[] {
  return kept.length >= MAX_KEPT ? kept : [...kept, ...added].slice(0, MAX_KEPT)
}
