import {groupOf, objectText} from '../../kubernetes/object-key.js'
import type {Connection} from '../../cluster/connection.js'
import type {ReportChange} from '../../apply/change-report.js'
import type {PlanSummary} from '../../inspect/plan-summary.js'
import {summaryRows} from '../../inspect/summary-rows.js'
import {isInstanceRemoval} from '../../plan/cluster/instance-removal.js'
import type {Plan, Operation} from '../../plan/plan.js'
import {impactRows} from './show-impact.js'
import {formatDiagnostic} from './format-diagnostic.js'
import {lines} from './lines.js'
import type {Paint} from './paint.js'
import {isQuietRun} from '../flags/quiet-run.js'
import {plainLine, plainText} from './plain-text.js'
import {riskLines} from './show-plan.js'
import {formatTable, type Row} from './table.js'
import {unifiedDiff} from './unified-diff.js'

/** The output that a plan is formatted for, and the current contents of the files that it changes, by path. */
export interface PlanOutput {
  readonly paint: Paint
  readonly argv: readonly string[]
  readonly before: ReadonlyMap<string, string>
}

/**
 * A plan for users: its effect on packages, permissions and images, a line for each object, the diffs of files, risks,
 * rejections and the number of each. Claims are counted only.
 */
export function formatClusterPlan(
  plan: Plan,
  summary: PlanSummary,
  {paint, argv, before}: PlanOutput,
): string {
  const shown = plan.operations.filter(
    operation => !COUNTED.includes(operation.action) && !isInstanceRemoval(operation),
  )
  const rows = shown.map((operation): Row => [
    {text: verbOf(operation), style: 'bold'},
    operation.object === undefined ? (operation.path ?? '') : objectText(operation.object),
    operation.reason,
  ])
  const kept = (plan.kept ?? []).map(({object, reason}): Row => [
    {text: 'keep', style: 'bold'},
    objectText(object),
    reason,
  ])
  return lines([
    ...formatTable([...summaryCells(summary), ...impactRows(plan.impact)], paint, ''),
    ...formatTable([...instanceRemovalRows(plan), ...rows, ...kept], paint, ''),
    ...shown.flatMap(operation => fileDiff(operation, before)),
    ...shown.flatMap(({risks = []}) => risks.flatMap(risk => riskLines(risk, paint, argv))),
    ...plan.rejections.map(rejection => `${paint('red', 'rejected')} ${formatDiagnostic(rejection)}`),
    countsOf(plan),
  ])
}

/** The diff of a file, as `package lock --dry-run` shows it; none for an object. */
function fileDiff(
  {path, object, content}: Operation,
  before: ReadonlyMap<string, string>,
): readonly string[] {
  if (path === undefined || object !== undefined) return []
  return unifiedDiff({path, before: before.get(path), after: content}).map(plainLine)
}

/** There can be many instances: the impact names the first of them. */
function instanceRemovalRows({operations}: Plan): Row[] {
  const removals = operations.filter(isInstanceRemoval)
  const kinds = removals.map(({object}) => `${object?.kind ?? ''} in ${groupOf(object?.apiVersion ?? '')}`)
  const [first] = removals
  return [...new Set(kinds)].map(kind => [
    {text: 'delete', style: 'bold'},
    `${kinds.filter(text => text === kind).length} ${kind}`,
    first?.reason ?? '',
  ])
}

/** Every shared CRD has such operations beside its own. */
const COUNTED: readonly Operation['action'][] = ['wait', 'claim', 'unclaim']

function summaryCells(summary: PlanSummary): Row[] {
  return summaryRows(summary, MAX_PERMISSIONS).map(([title = '', ...cells]) => [
    {text: title, style: 'bold'},
    ...cells,
  ])
}

const MAX_PERMISSIONS = 8

function verbOf({action, object, precondition}: Operation): string {
  if (action === 'create-only') return 'create'
  // A file is replaced as a whole.
  if (object === undefined && action === 'replace') return 'update'
  if (action !== 'apply') return action
  return precondition !== undefined && 'absent' in precondition ? 'create' : 'update'
}

function countsOf({operations, unchanged, rejections, kept = []}: Plan): string {
  const verbs = operations.filter(({action}) => action !== 'wait').map(verbOf)
  const counts = [...new Set(verbs)].map(verb => `${verbs.filter(text => text === verb).length} to ${verb}`)
  const rejected = rejections.length === 0 ? [] : [`${rejections.length} rejected`]
  const keeping = kept.length === 0 ? [] : [`${kept.length} to keep`]
  return [...counts, ...keeping, ...rejected, `${unchanged} unchanged`].join(', ')
}

/** Prints each change as it is made, one line each, and remembers how many there were. */
export class ChangeLog {
  readonly #counts = new Map<string, number>()
  readonly #print: (line: string) => void

  readonly #deletedAs: 'deleted' | 'pruned'

  /** An object that leaves an install set is pruned; one of an install that is removed is deleted. */
  constructor(deletedAs: 'deleted' | 'pruned', print: (line: string) => void) {
    this.#deletedAs = deletedAs
    this.#print = print
  }

  readonly report: ReportChange = (made, object) => {
    this.#add(made === 'deleted' ? this.#deletedAs : made, objectText(object))
  }

  readonly reportFile = (name: string) => {
    this.#add('configured', name)
  }

  #add(change: string, what: string): void {
    this.#counts.set(change, (this.#counts.get(change) ?? 0) + 1)
    this.#print(`${plainText(what)} ${change}`)
  }

  /** The number of objects and files by change. */
  counts(unchanged: number): Readonly<Record<string, number>> {
    const counts = new Map(this.#counts)
    if (unchanged > 0) counts.set('unchanged', (counts.get('unchanged') ?? 0) + unchanged)
    return Object.fromEntries(counts)
  }

  /** Such as `3 created, 1 pruned`. */
  summary(unchanged: number): string {
    return Object.entries(this.counts(unchanged))
      .map(([change, number]) => `${number} ${change}`)
      .join(', ')
  }
}

/** Names the cluster that a command is about to change. */
export function showTarget({context, server, namespace}: Connection, argv: readonly string[]): void {
  if (isQuietRun(argv)) return
  const name = context === '' ? 'the cluster of this pod' : `context ${context}`
  process.stderr.write(plainText(`Using ${name}, server ${server.href}, namespace ${namespace}`) + '\n')
}
