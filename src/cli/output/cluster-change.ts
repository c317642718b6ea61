import {CrossplaneError, withSuggestions} from '../../errors.js'
import {carryOut, type ClusterChange, expectAccepted} from '../../pipeline/cluster/cluster-change.js'
import {dryRunPlan} from '../../pipeline/cluster/dry-run-plan.js'
import {planSummary, type PlanSummary} from '../../inspect/plan-summary.js'
import {formatPlan} from '../../plan/plan-document.js'
import type {Plan} from '../../plan/plan.js'
import type {changeFlags} from '../flags/change.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {ClusterPorts} from '../ports/cluster-ports.js'
import {whileChanging} from '../process-events.js'
import {confirm} from './confirm.js'
import {painter} from './paint.js'
import {ChangeLog, formatClusterPlan} from './show-cluster-change.js'
import {isQuietRun} from './quiet-run.js'
import {formatJson, show, showNotes} from './show.js'

/** How a change is executed, and in which format it is reported. */
export type ChangeFlags = FlagValues<typeof changeFlags> & {readonly output: 'text' | 'json'}

/** Shows a change of a cluster; unless that is all, prompts for confirmation and carries it out. */
export async function toCluster(
  change: ClusterChange,
  flags: ChangeFlags,
  ports: ClusterPorts,
  argv: readonly string[],
  deletedAs: 'deleted' | 'pruned' = 'pruned',
): Promise<void> {
  const {plan, snapshot} = change.decision
  const summary = planSummary(plan, snapshot)
  if (flags['dry-run'] !== 'none') return await preview({plan, summary}, flags, ports, argv)
  const log = new ChangeLog(deletedAs, line => {
    if (!isQuietRun(argv)) process.stderr.write(`${line}\n`)
  })
  if (plan.operations.length > 0 || plan.rejections.length > 0) {
    process.stderr.write(formatClusterPlan(plan, summary, painter(argv)))
    expectAccepted(plan)
    if (!flags.yes && !(await confirm('Carry out this plan?'))) throw declined()
    await whileChanging(async signal => {
      await carryOut(change, {isConfirmed: !flags.yes}, {...ports, signal, report: log.report}).catch(
        (error: unknown) => {
          throw withChanges(error, log)
        },
      )
    })
  }
  await report(flags, log, plan.unchanged)
}

async function preview(
  {plan: planned, summary}: {readonly plan: Plan; readonly summary: PlanSummary},
  flags: ChangeFlags,
  {api}: ClusterPorts,
  argv: readonly string[],
): Promise<void> {
  const {output, 'dry-run': dryRun} = flags
  const {plan, notes} = dryRun === 'server' ? await dryRunPlan(planned, api) : {plan: planned, notes: []}
  showNotes(notes, argv)
  await show(output === 'json' ? formatPlan(plan) : formatClusterPlan(plan, summary, painter(argv, 'stdout')))
  expectAccepted(plan)
}

async function report({output}: ChangeFlags, log: ChangeLog, unchanged: number): Promise<void> {
  if (output === 'json') return await show(formatJson({kind: 'ClusterChange', counts: log.counts(unchanged)}))
  process.stderr.write(`${log.summary(unchanged)}\n`)
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
