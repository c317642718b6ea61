import {
  asText,
  type JsonObject,
  type KubernetesObject,
  type Outcome,
  sha256Of,
  writeJson,
} from 'kubectl-crossplane/plugin'
import {isDeleting} from './child-standing.js'
import {attempt, joined} from './pass-problem.js'
import {isOutdated, type Pass, readsObjects} from './pass.js'
import {lastCondition, type NewStatus, statusPatch} from './resource-status.js'

const INTERVAL = 60_000
const SOON = 1000
/** More than anyone reads; a condition has at most 32 KiB. */
const MAX_MESSAGE = 4096

/** The custom resource changed meanwhile: a pass over its new state comes soon. */
export const REPEATED: Outcome = {result: 'requeue', again: SOON}

/** Writes the status, and an Event when the condition changed; returns when the next pass is due. */
export async function reportPass(pass: Pass): Promise<Outcome> {
  if (pass.isOver) return {result: 'success'}
  const condition = conditionOf(pass)
  const failure = await attempt(async () => {
    await reportCondition(condition, pass)
    await writeStatus(condition, pass)
  })
  if (failure !== undefined && isOutdated(failure)) return REPEATED
  if (failure !== undefined) throw failure
  if (condition.status === 'False') return {result: 'error'}
  if (pass.waiting !== '') return REPEATED
  return {result: 'success', again: isToFollow(pass) ? SOON : INTERVAL}
}

function conditionOf({problems, resource, waiting}: Pass): NewStatus['condition'] {
  const problem = joined(problems)
  if (problem !== undefined) {
    return {status: 'False', reason: problem.reason, message: problem.message.slice(0, MAX_MESSAGE)}
  }
  return {status: 'True', reason: isDeleting(resource) ? 'Deleting' : 'ReconcileSuccess', message: waiting}
}

async function reportCondition(condition: NewStatus['condition'], pass: Pass): Promise<void> {
  const {status, reason, message} = condition
  const last = lastCondition(pass.resource)
  const text = textOf({status, reason, message})
  // A schema can drop the condition: then the memory is what keeps it from being reported in each pass.
  const isNew = text !== (pass.remembered.condition ?? textOf(last ?? {}))
  pass.ports.reported(pass.resource, condition, isNew)
  pass.remember({condition: text})
  if (!isNew || (status === 'True' && last?.status === 'True')) return
  await pass.event(status === 'False' ? 'Warning' : 'Normal', reason, message)
}

async function writeStatus(condition: NewStatus['condition'], pass: Pass): Promise<void> {
  const {hasStatus, now, writes} = pass.ports
  const hasSubresource = await hasStatus(pass.resource)
  const fields = pass.fields === undefined ? {} : {fields: pass.fields}
  const patch = statusPatch(pass.resource, {condition, ...fields, hasSubresource, now: now()})
  if (patch === undefined || pass.remembered.status === hashOf(patch, pass.resource)) return
  pass.written(await writes.patchStatus(pass.resource, patch, hasSubresource))
  pass.remember({status: hashOf(patch, pass.resource)})
}

/** Named templates read the objects that a pass applied in the next one. It comes at once, but only one of them. */
function isToFollow(pass: Pass): boolean {
  const canRead = !('problem' in pass.state) && readsObjects(pass.state.stack)
  const isFollowed = canRead && pass.hasApplied && pass.remembered.isFollowed !== true
  pass.remember({isFollowed})
  return isFollowed
}

/** The fields that were sent, without times, and the status that was there: a write that changed nothing is not repeated. */
function hashOf(patch: JsonObject, {status = null}: KubernetesObject): string {
  return sha256Of(writeJson({patch, status}).replace(/"lastTransitionTime": *"[^"]*"/g, ''))
}

function textOf({status = '', reason = '', message = ''}: JsonObject): string {
  return JSON.stringify([asText(status), asText(reason), asText(message)])
}
