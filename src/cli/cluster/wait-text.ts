import {objectText} from '../../kubernetes/object-key.js'
import type {Pending} from '../../observe/readiness/observe.js'

/** Names the first object that a command waits for, with the reason, and the number of the others. */
export function waitText(pending: readonly Pick<Pending, 'object' | 'reason'>[]): string {
  const [first] = pending
  if (first === undefined) return 'Waiting'
  const more = pending.length === 1 ? '' : ` (and ${pending.length - 1} more)`
  return `Waiting for ${objectText(first.object)}${more}: ${first.reason}`
}
