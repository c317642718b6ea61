import type {Clock} from '../../http/clock.js'
import {firstBreak} from '../../health/health.js'
import type {InstallStatus} from './install-status.js'

/** Milliseconds between two reads. */
const PAUSE = 2000

/** How often something is read again. */
export interface WatchPace {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** In milliseconds. */
  readonly pause?: number
}

/** A change of state of one install. */
export interface StatusTransition {
  readonly status: InstallStatus | undefined
  readonly before: InstallStatus | undefined
}

/** Reads a cluster repeatedly, until the signal is aborted. Throws the errors of `look`. */
export async function* watchStatuses<Look>(
  look: () => Promise<Look>,
  {clock, signal, pause = PAUSE}: WatchPace,
): AsyncGenerator<Look, void, undefined> {
  while (!signal.aborted) {
    yield await look()
    await clock.sleep(pause, signal)
  }
}

/**
 * The differences between two reads: installs that appear, disappear, or are in another state or broken by another
 * cause.
 */
export function transitions(
  before: readonly InstallStatus[],
  after: readonly InstallStatus[],
): readonly StatusTransition[] {
  const byKey = new Map(before.map(status => [keyOf(status), status]))
  const changed = after
    .map(status => ({status, before: byKey.get(keyOf(status))}))
    .filter(change => change.before === undefined || stateText(change.before) !== stateText(change.status))
  const present = new Set(after.map(keyOf))
  const gone = before.filter(status => !present.has(keyOf(status)))
  return [...changed, ...gone.map(status => ({status: undefined, before: status}))]
}

function keyOf({namespace, name}: InstallStatus): string {
  return `${namespace}/${name}`
}

function stateText(status: InstallStatus): string {
  return `${status.state} ${firstBreak(status)?.id ?? ''}`
}
