import {asObject, asText, asTexts, type KubernetesObject, type Outcome} from 'kubectl-crossplane/plugin'
import {MANAGED_FINALIZER} from '../model/names.js'
import {isOutdated} from '../model/store.js'
import {reportVerdict, Stop, type Verdict} from '../model/verdict.js'
import {deleteExternal} from './delete-external.js'
import {RunnerStopped} from './external-call.js'
import {keepExternal} from './keep-external.js'
import {ManagedPass} from './managed-pass.js'
import type {ManagedPorts} from './managed-ports.js'
import {connectTo, observeWith} from './observe-external.js'

/** The object changed meanwhile, or its status did now: a pass over its new state follows. */
const SOON = 200

/** Makes one pass over a managed resource: creates, updates or deletes the external resource, and reports its state. */
export async function reconcileManaged(managed: KubernetesObject, ports: ManagedPorts): Promise<Outcome> {
  const isDeleted = managed.metadata.deletionTimestamp !== undefined
  try {
    if (!isDeleted) return await pass(managed, ports, keepExternal)
    if (!hasManagedFinalizer(managed)) return {result: 'success'}
    // Without the policy to delete, the external resource stays, and no provider is needed.
    if (asObject(managed.spec).reclaimPolicy !== 'Delete') return await letGo(managed, ports)
    return await pass(managed, ports, deleteExternal)
  } catch (error) {
    if (isOutdated(error)) return {result: 'requeue', again: SOON}
    if (error instanceof RunnerStopped) return {result: 'error'}
    throw error
  }
}

type Steps = typeof keepExternal

async function pass(managed: KubernetesObject, ports: ManagedPorts, steps: Steps): Promise<Outcome> {
  const state = new ManagedPass(managed, ports)
  const verdict = await stepsOf(state, steps).catch((error: unknown): Verdict => {
    if (error instanceof Stop) return error.verdict
    throw error
  })
  if (verdict.conditions.length === 0) return await letGo(state.managed, ports)
  const conditions = [...(state.ready === undefined ? [] : [state.ready]), ...verdict.conditions]
  const report = {...verdict, conditions, status: state.status}
  const {isChanged} = await reportVerdict(state.managed, report, ports.store)
  return isChanged && verdict.outcome.result !== 'error' ? {result: 'requeue', again: SOON} : verdict.outcome
}

async function stepsOf(state: ManagedPass, steps: Steps): Promise<Verdict> {
  const client = await connectTo(state)
  return await steps(state, client, await observeWith(state, client))
}

/** Whether an external resource may exist that this program created or adopted. */
function hasManagedFinalizer({metadata}: KubernetesObject): boolean {
  return asTexts(metadata.finalizers).includes(MANAGED_FINALIZER)
}

async function letGo(managed: KubernetesObject, {store, deleted}: ManagedPorts): Promise<Outcome> {
  const finalizers = asTexts(managed.metadata.finalizers).filter(name => name !== MANAGED_FINALIZER)
  await store.patch(managed, {metadata: {finalizers}})
  deleted.delete(asText(managed.metadata.uid))
  return {result: 'success'}
}
