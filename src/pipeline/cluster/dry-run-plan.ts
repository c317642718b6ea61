import {CONCURRENCY} from '../../observe/objects/read-live.js'
import {type Checked, dryRunOperation, earlierChanges} from '../../apply/dry-run-operation.js'
import {nameIn} from '../../apply/operation-parts.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../diagnostic.js'
import {objectText} from '../../kubernetes/object-key.js'
import {clusterPart} from '../../plan/cluster/cluster-part.js'
import type {Operation, Plan} from '../../plan/plan.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {count} from '../../text.js'

/** A plan after its dry run: with the server's rejections, and a note on operations that could not be checked. */
interface CheckedPlan {
  readonly plan: Plan
  readonly notes: readonly Diagnostic[]
}

/**
 * Sends every operation of a plan that changes the cluster to the server as a dry run; changes nothing. Throws the
 * errors of the API.
 */
export async function dryRunPlan(plan: Plan, api: ClusterApi): Promise<CheckedPlan> {
  const {operations} = clusterPart(plan)
  const earlier = earlierChanges({operations})
  const sent = operations.filter(({action}) => action !== 'wait')
  const answers = new Map<Operation, Checked>()
  await mapConcurrent(sent, CONCURRENCY, async operation => {
    answers.set(operation, await dryRunOperation(operation, earlier, api))
  })
  const rejections = sent.flatMap(operation => rejectionOf(operation, answers.get(operation)))
  const reasons = sent.flatMap(operation => {
    const checked = answers.get(operation)
    return checked?.kind === 'unchecked' ? [checked.why] : []
  })
  return {plan: {...plan, rejections: [...plan.rejections, ...rejections]}, notes: uncheckedNote(reasons)}
}

/** The rejection for an operation that the server does not accept. */
export function rejectionOf(operation: Operation, checked: Checked | undefined): readonly Diagnostic[] {
  if (checked?.kind !== 'rejected') return []
  const object = objectText(nameIn(operation))
  return [
    {
      severity: 'error',
      rule: 'object-rejected',
      message: `${object} is rejected by the API server: ${checked.message}`,
      subject: {object},
    },
  ]
}

function uncheckedNote(reasons: readonly string[]): readonly Diagnostic[] {
  if (reasons.length === 0) return []
  const counts = [...new Set(reasons)].map(reason => {
    const number = reasons.filter(text => text === reason).length
    return `${reason} (${count(number, 'operation')})`
  })
  const message = `not checked by the server: ${counts.join('; ')}`
  return [{severity: 'note', rule: 'operation-unchecked', message}]
}
