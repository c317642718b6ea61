import {CrossplaneError} from '../errors.js'
import type {Clock} from '../http/clock.js'
import {type BackOff, backOff} from './back-off.js'
import type {Log} from './log.js'
import type {ControllerMetrics, PassResult} from './metrics.js'
import type {WorkQueue} from './work-queue.js'

/** How a pass over one object ended, and when the next one is due. */
export interface Outcome {
  readonly result: PassResult
  /**
   * Milliseconds until the next pass if nothing changes before; absent: the object is only looked at again when something
   * changes. After an error, the wait is that of `backOff`.
   */
  readonly again?: number
}

/** A controller: what it does with each key of its queue. */
export interface Controller {
  /** For metrics and log. */
  readonly name: string
  readonly queue: WorkQueue
  /** The number of keys that are worked on at a time. */
  readonly workers: number
  /** The waits after errors; absent: from a second to five minutes. */
  readonly backOff?: BackOff
  /** Makes one pass. An error that it throws counts as one of the pass. */
  readonly reconcile: (key: string) => Promise<Outcome>
}

/** The ports of a controller. */
export interface ControllerPorts {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: ControllerMetrics
}

/** A controller that watches. */
export interface RunningController {
  /** Returns why it changes nothing; undefined if it does. */
  notReady(): string | undefined
  /** Works until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>
}

/** Runs a controller until the signal is aborted; passes that have begun are completed. */
export async function runController(
  controller: Controller,
  ports: ControllerPorts,
  signal: AbortSignal,
): Promise<void> {
  const failures = new Map<string, number>()
  const work = async () => {
    for (;;) {
      const key = await controller.queue.take(signal)
      if (key === undefined) return
      await pass(key, controller, ports, failures)
    }
  }
  await Promise.all(Array.from({length: controller.workers}, work))
}

async function pass(
  key: string,
  {name, queue, reconcile, backOff: waits}: Controller,
  {clock, log, metrics}: ControllerPorts,
  failures: Map<string, number>,
): Promise<void> {
  const start = clock.elapsed()
  metrics.queued(name, queue.depth)
  const outcome = await reconcile(key).catch((error: unknown): Outcome => {
    log({level: 'error', message: textOf(error), fields: {controller: name, object: key}})
    return {result: 'error'}
  })
  metrics.reconciled(name, outcome.result, (clock.elapsed() - start) / 1000)
  queue.done(key)
  if (outcome.result !== 'error') {
    failures.delete(key)
    if (outcome.again !== undefined) queue.addAfter(key, outcome.again)
    return
  }
  const count = (failures.get(key) ?? 0) + 1
  failures.set(key, count)
  queue.addAfter(key, backOff(count, clock.random(), waits))
}

function textOf(error: unknown): string {
  if (error instanceof CrossplaneError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
