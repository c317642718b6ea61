import {objectText} from '../../kubernetes/object-key.js'
import type {Connection} from '../../cluster/connection.js'
import type {ReportChange} from '../../apply/change-report.js'
import type {PlanSummary} from '../../inspect/plan-summary.js'
import {summaryRows} from '../../inspect/summary-rows.js'
import {type Operation, type Plan, risksOf} from '../../plan/plan.js'
import {impactRows} from './impact-rows.js'
import {formatDiagnostic} from '../shell/text/format-diagnostic.js'
import {lines} from '../shell/text/lines.js'
import type {Paint} from '../shell/text/paint.js'
import {isQuietRun} from '../shell/flags/quiet-run.js'
import {plainLine, plainText} from '../shell/text/plain-text.js'
import {changeRows, stepRows} from '../plan/show-groups.js'
import {countsOf, HIDDEN, riskLines, SHORTENED, withoutFiles} from '../plan/show-plan.js'
import {formatNarrow, formatTable, type Row} from '../shell/text/table.js'
import {unifiedDiff} from '../shell/text/unified-diff.js'
import {migratedBy} from '../../plan/cluster/crds/migrate-operation.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import {withShortDigests} from '../../reference/image-name.js'
import {count, listNames, listSome} from '../../text.js'

/** The output that a plan is formatted for, and the current contents of the files that it changes, by path. */
export interface PlanOutput {
  readonly paint: Paint
  readonly argv: readonly string[]
  readonly before: ReadonlyMap<string, string>
  /** Shows a line for each object, instead of one for each group. */
  readonly showsObjects: boolean
  /** Shows files, and their diffs. */
  readonly showsFiles: boolean
  /** Shows each step with its number. */
  readonly showsSteps?: boolean
  /** Only counts rejections, which an error on the same stream lists right after the plan. */
  readonly countsRejections?: boolean
}

/**
 * A plan for users: risks, its effect on packages, permissions and images, a line for each group of changes, the diffs
 * of files, rejections and the number of each. Claims are counted only, unless every object is shown.
 */
export function formatClusterPlan(
  plan: Plan,
  summary: PlanSummary,
  {paint, argv, before, showsObjects, showsFiles, showsSteps = false, countsRejections}: PlanOutput,
): string {
  const {rows, isShortened, columns} = showsSteps
    ? stepRows(plan)
    : changeRows(showsFiles ? plan : withoutFiles(plan), showsObjects)
  const hasFiles = plan.operations.some(({object}) => object === undefined)
  return lines([
    ...(showsSteps ? riskTexts(plan, paint, argv) : effectLines(plan, summary, paint, argv, showsObjects)),
    ...migrationLines(plan),
    ...formatNarrow(rows, columns, paint).flat(),
    ...(showsFiles ? plan.operations.flatMap(operation => fileDiff(operation, before)) : []),
    ...(countsRejections === true ? [] : rejectionLines(plan, paint)),
    `${countsOf(plan)}${isShortened ? SHORTENED : ''}${hasFiles && !showsFiles ? HIDDEN : ''}`,
  ])
}

function rejectionLines({rejections}: Plan, paint: Paint): readonly string[] {
  return rejections.map(rejection => `${paint('red', 'rejected')} ${formatDiagnostic(rejection)}`)
}

/**
 * Returns what comes first of a plan: risks, and its effect on packages, permissions and images. Digests are shortened, unless each
 * object has a line.
 */
export function effectLines(
  plan: Plan,
  summary: PlanSummary,
  paint: Paint,
  argv: readonly string[],
  showsObjects = false,
): readonly string[] {
  const rows = effectRows(summary, plan)
  const shown = showsObjects
    ? formatTable(rows, paint, '')
    : formatNarrow(
        rows.map(row => row.map(shortCell)),
        2,
        paint,
      ).flat()
  return [...riskTexts(plan, paint, argv), ...shown]
}

function shortCell(cell: Row[number]): Row[number] {
  return typeof cell === 'string' ? withShortDigests(cell) : cell
}

function riskTexts(plan: Plan, paint: Paint, argv: readonly string[]): readonly string[] {
  return risksOf(plan).flatMap(risk => riskLines(risk, paint, argv))
}

/** The diff of a file, as `package lock --dry-run` shows it; none for an object. */
function fileDiff(
  {path, object, content}: Operation,
  before: ReadonlyMap<string, string>,
): readonly string[] {
  if (path === undefined || object !== undefined) return []
  return unifiedDiff({path, before: before.get(path), after: content}).map(plainLine)
}

/** What loses its controller comes right after the packages, before the many lines of permissions. */
function effectRows(summary: PlanSummary, {impact}: Plan): Row[] {
  const rows = summaryCells(summary)
  const at = summary.packages.length
  return [...rows.slice(0, at), ...impactRows(impact), ...rows.slice(at)]
}

function summaryCells(summary: PlanSummary): Row[] {
  return summaryRows(summary, MAX_PERMISSIONS).map(([title = '', ...cells]) => [
    {text: title, style: 'bold'},
    ...cells,
  ])
}

const MAX_PERMISSIONS = 8

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

/** The steps by which CRDs lose the versions that custom resources are stored in; none if no CRD does. */
function migrationLines({operations}: Pick<Plan, 'operations'>): readonly string[] {
  const migrations = operations
    .filter(({action}) => action === 'migrate')
    .map(operation => ({crd: operation.object?.name ?? '', ...migratedBy(operation)}))
  // A migration by itself neither serves nor drops a version.
  const isStep = operations.some(({action, object}) => action === 'apply' && isCrd(object))
  if (migrations.length === 0 || !isStep) return []
  const total = migrations.reduce((sum, migration) => sum + migration.total, 0)
  const pairs = [...new Set(migrations.map(({from, to}) => `from ${listNames(from)} to ${to}`))]
  const former = [...new Set(migrations.flatMap(({from}) => from))].sort()
  const crds = `${count(migrations.length, 'CRD')} (${listSome(migrations.map(({crd}) => crd))})`
  return [
    'Versions of CRDs change in three steps:',
    `1. Serve the former and the new versions of ${crds}.`,
    `2. Migrate ${count(total, 'custom resource')} ${listSome(pairs)}.`,
    `3. Drop ${listNames(former)}.`,
  ].map(line => plainText(line))
}
