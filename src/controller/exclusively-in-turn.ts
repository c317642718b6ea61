import {turns} from '../cluster/lease/turns.js'
import type {ChangePorts} from '../pipeline/cluster/cluster-change.js'

/**
 * Lets changes of one process take turns, so that they do not wait for Leases that the process holds itself. What waits for
 * a Lease that another process holds delays only its namespaces, as the turn for changes comes after it.
 */
export function exclusivelyInTurn(exclusively: ChangePorts['exclusively']): ChangePorts['exclusively'] {
  const [namespaceTurns, changeTurns] = [turns(), turns()]
  return async (namespaces, work, signal) => {
    const inTurn = async (lost: AbortSignal) =>
      await changeTurns([''], async () => {
        AbortSignal.any([signal, lost]).throwIfAborted()
        await work(lost)
      })
    await namespaceTurns(namespaces, async () => await exclusively(namespaces, inTurn, signal))
  }
}
