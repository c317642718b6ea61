import {CrossplaneError, withSuggestions} from '../../errors.js'
import {
  carryOut,
  type ClusterChange,
  expectAccepted,
  expectPlanned,
} from '../../pipeline/cluster/cluster-change.js'
import {dryRunPlan} from '../../pipeline/cluster/dry-run-plan.js'
import {expectPlanAllowed} from '../../pipeline/cluster/expect-allowed.js'
import {planSummary} from '../../inspect/plan-summary.js'
import {ignoredWarnings} from '../../plan/cluster/inventories/ignored-inventories.js'
import {unreadableWarnings} from '../../plan/cluster/inventories/unreadable-inventories.js'
import {type ChangeOutput, type changeFlags, showsObjects} from '../plan/change-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {PlanFiles} from './cluster-plan.js'
import type {ClusterPorts} from '../cluster/cluster-ports.js'
import {whileChanging} from '../shell/process-events.js'
import {confirm} from '../plan/confirm.js'
import {type Paint, painter} from '../shell/text/paint.js'
import {ChangeLog, formatClusterPlan, type PlanOutput} from './show-cluster-change.js'
import {plainText} from '../shell/text/plain-text.js'
import {shownOwners} from '../../resolve/first-owners.js'
import {ownersInDocument} from '../shell/document/owners-in-document.js'
import {formatPlanDocument} from '../plan/show-plan.js'
import {present} from '../../present.js'
import {isQuietRun} from '../shell/flags/quiet-run.js'
import {savePlan} from '../plan/save-plan.js'
import {formatDocument, isDocument, show, showNotes, showWarnings} from '../shell/document/show.js'

/** The repair of a Lock changes no files. */
type ChangeFlags = Omit<FlagValues<typeof changeFlags>, 'show-files'> & {
  readonly output: ChangeOutput
  readonly 'show-files'?: boolean
}

/** The execution of a change, and the format of its report. */
export interface ChangeRun {
  readonly flags: ChangeFlags
  readonly ports: ClusterPorts
  readonly argv: readonly string[]
  readonly files: PlanFiles
  /** The reported change of an object that is removed. */
  readonly deletedAs?: 'deleted' | 'pruned'
  /** Whether the plan is shown as the steps that it has. */
  readonly showsSteps?: boolean
  /** The question of the prompt, by default whether to apply the plan. */
  readonly question?: string
}

/**
 * Shows a change of a cluster. Unless only that is requested, carries it out once it is confirmed: by a prompt, by
 * --yes or by a saved plan.
 */
export async function toCluster(change: ClusterChange, run: ChangeRun): Promise<void> {
  const {flags, argv, files, deletedAs = 'pruned'} = run
  const {plan, snapshot} = change.decision
  showAbsent(change, argv)
  showWarnings(
    {warnings: [...unreadableWarnings(plan.rejections, snapshot), ...ignoredWarnings(snapshot)]},
    argv,
  )
  if (files.saved !== undefined) {
    expectAccepted(plan)
    expectPlanned(change.decision, files.saved)
  }
  if (flags['dry-run'] !== 'none' || files.planOut !== undefined) return await preview(change, run)
  const log = new ChangeLog(deletedAs, line => {
    if (!isQuietRun(argv)) run.ports.progress.print(line)
  })
  if (plan.operations.length > 0 || plan.rejections.length > 0) await confirmed(change, log, run)
  await report(flags, log, change.decision)
}

async function confirmed(
  change: ClusterChange,
  log: ChangeLog,
  {flags, files: {saved}, ports: {interruption, progress, ...ports}, argv, ...texts}: ChangeRun,
): Promise<void> {
  const {showsSteps, question = 'Apply this plan?'} = texts
  const {yes} = flags
  const {plan} = change.decision
  const isPlanned = saved !== undefined
  // A prompt and a rejection need the plan also with --quiet.
  const isNeeded = (!yes && !isPlanned) || plan.rejections.length > 0
  if (isNeeded || !isQuietRun(argv)) {
    const output = {
      ...planOutput(change, painter(argv), {flags, argv, showsSteps}),
      // One rejection is the message of the error, without its rule.
      countsRejections: plan.rejections.length > 1,
    }
    process.stderr.write(formatClusterPlan(plan, summaryOf(change.decision), output))
  }
  expectAccepted(plan)
  await expectPlanAllowed(change.decision, ports.api).finally(progress.end)
  if (!isPlanned && !yes && !(await confirm(question))) throw declined()
  await whileChanging(interruption, async signal => {
    const isConfirmed = isPlanned || !yes
    const {report: reportObject, reportFile} = log
    await carryOut(change, {isConfirmed}, {...ports, signal, report: reportObject, reportFile}).catch(
      (error: unknown) => {
        throw withChanges(error, log)
      },
    )
  }).finally(progress.end)
}

/** Summarizes what a decision changes for packages. */
export function summaryOf({
  plan,
  snapshot,
  firstOwners,
  ownerChanges,
  signerChanges,
}: ClusterChange['decision']) {
  return planSummary(plan, snapshot, shownOwners(firstOwners, ownerChanges), signerChanges)
}

/** Prints the plan, and saves it where it can be applied. */
async function preview(
  change: ClusterChange,
  {flags, ports: {api, progress}, argv, files: {planOut, origin}, showsSteps}: ChangeRun,
): Promise<void> {
  const {output, 'dry-run': dryRun} = flags
  const {plan: planned} = change.decision
  const summary = summaryOf(change.decision)
  await expectPlanAllowed(change.decision, api).catch((error: unknown) => {
    progress.end()
    // Standard output is for the permissions that are missing.
    process.stderr.write(
      formatClusterPlan(planned, summary, planOutput(change, painter(argv), {flags, argv, showsSteps})),
    )
    throw error
  })
  const {plan, notes} =
    dryRun === 'server' ? await dryRunPlan(planned, api).finally(progress.end) : {plan: planned, notes: []}
  progress.end()
  showNotes(notes, argv)
  const text = () =>
    formatClusterPlan(plan, summary, planOutput(change, painter(argv, 'stdout'), {flags, argv, showsSteps}))
  await show(isDocument(output) ? formatPlanDocument(plan, output) : text())
  expectAccepted(plan)
  if (planOut !== undefined) await savePlan({...plan, origin}, planOut)
}

function planOutput(
  {decision: {plan}, files = []}: ClusterChange,
  paint: Paint,
  {flags, argv, showsSteps}: Pick<ChangeRun, 'flags' | 'argv' | 'showsSteps'>,
): PlanOutput {
  const contents = new Map(files.map(({target, before}) => [target, before]))
  const paths = plan.operations.flatMap(({target, path, object}) => {
    const before = contents.get(target)
    return path === undefined || object !== undefined || before === undefined ? [] : [[path, before] as const]
  })
  return {
    paint,
    argv,
    before: new Map(paths),
    showsObjects: showsObjects(flags),
    showsFiles: flags['show-files'] === true,
    ...present({showsSteps}),
  }
}

async function report(
  {output}: ChangeFlags,
  log: ChangeLog,
  {plan: {unchanged}, firstOwners, ownerChanges = [], signerChanges = []}: ClusterChange['decision'],
): Promise<void> {
  if (isDocument(output)) {
    const counts = log.counts(unchanged)
    const owners = ownersInDocument(firstOwners, ownerChanges, signerChanges)
    return await show(formatDocument({kind: 'ClusterChange', counts, ...owners}, output))
  }
  const summary = log.summary(unchanged)
  process.stderr.write(`${summary === '' ? 'nothing to change' : summary}\n`)
}

function showAbsent({absent}: Pick<ClusterChange, 'absent'>, argv: readonly string[]): void {
  if (absent === undefined || isQuietRun(argv)) return
  process.stderr.write(`${plainText(`not installed: ${absent}`)}\n`)
}

/** Adds the completed operations to an interruption. */
function withChanges(error: unknown, log: ChangeLog): unknown {
  if (!(error instanceof CrossplaneError)) return error
  if (error.code !== 'interrupted' && error.code !== 'terminated') return error
  const changes = log.summary(0)
  const done = changes === '' ? 'nothing was changed' : `${changes} so far`
  return withSuggestions(error, [], `cannot complete the change: ${error.message} (${done})`)
}

function declined(): CrossplaneError {
  return new CrossplaneError('declined', 'the plan was not confirmed, and nothing was changed')
}
