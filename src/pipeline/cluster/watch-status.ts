import {CrossplaneError} from '../../errors.js'
import type {Clock} from '../../http/clock.js'
import {firstBreak} from '../../health/health.js'
import type {ListedPackage} from './core/list-packages.js'
import type {InstallStatus} from './install-status.js'

/** Milliseconds between two reads. */
const PAUSE = 2000

/** How often something is read again. */
export interface WatchPace {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** In milliseconds. */
  readonly pause?: number
  /** Reports why a later read failed; not repeated while the reason is the same. */
  readonly reportFailed: (error: CrossplaneError) => void
}

/** A change of state of one install. */
export interface StatusTransition {
  readonly status: InstallStatus | undefined
  readonly before: InstallStatus | undefined
}

/**
 * Reads repeatedly, until the signal is aborted. Throws the errors of the first read: those of later ones are reported, since a
 * server that restarts or a file that is being replaced can be read again soon.
 */
export async function* watchStatuses<Look>(
  look: () => Promise<Look>,
  {clock, signal, pause = PAUSE, reportFailed}: WatchPace,
): AsyncGenerator<Look, void, undefined> {
  yield await look()
  let reported: string | undefined
  await clock.sleep(pause, signal)
  while (!signal.aborted) {
    try {
      yield await look()
      reported = undefined
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      if (error.message !== reported) reportFailed(error)
      reported = error.message
    }
    await clock.sleep(pause, signal)
  }
}

/** A change of state of one package for a current Crossplane. */
export type PackageTransition = Change<ListedPackage>

/** Something before and after; absent while it does not exist. */
interface Change<Item> {
  readonly now: Item | undefined
  readonly before: Item | undefined
}

/**
 * The differences between two reads: installs that appear, disappear, or are in another state or broken by another
 * cause.
 */
export function transitions(
  before: readonly InstallStatus[],
  after: readonly InstallStatus[],
): readonly StatusTransition[] {
  const changes = changesIn(before, after, ({namespace, name}) => `${namespace}/${name}`, stateText)
  return changes.map(({now, before: former}) => ({status: now, before: former}))
}

/** The same of packages for a current Crossplane: those that appear, disappear, or are in another state for another reason. */
export function packageTransitions(
  before: readonly ListedPackage[],
  after: readonly ListedPackage[],
): readonly PackageTransition[] {
  return changesIn(
    before,
    after,
    ({kind, name}) => `${kind} ${name}`,
    ({state, reason = ''}) => `${state} ${reason}`,
  )
}

function changesIn<Item>(
  before: readonly Item[],
  after: readonly Item[],
  keyOf: (item: Item) => string,
  textOf: (item: Item) => string,
): readonly Change<Item>[] {
  const byKey = new Map(before.map(item => [keyOf(item), item]))
  const changed = after
    .map(now => ({now, before: byKey.get(keyOf(now))}))
    .filter(change => change.before === undefined || textOf(change.before) !== textOf(change.now))
  const left = new Set(after.map(keyOf))
  const gone = before.filter(item => !left.has(keyOf(item)))
  return [...changed, ...gone.map(item => ({now: undefined, before: item}))]
}

function stateText(status: InstallStatus): string {
  return `${status.state} ${firstBreak(status)?.id ?? ''}`
}
