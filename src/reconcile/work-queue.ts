import type {Clock} from '../http/clock.js'
import {Delays} from './delays.js'

/** Keys to work on. Each is with one worker at most, and is queued once however often it is added. */
export interface WorkQueue {
  /** Queues a key. One that is being worked on is queued again when that is done. Replaces a delay of the key. */
  add(key: string): void
  /**
   * Queues a key after some milliseconds, or at an earlier time that was set before: at most 10 ms later than that, and
   * after ten seconds or more, at most a second later.
   */
  addAfter(key: string, milliseconds: number): void
  /** Waits for a key; undefined once the signal is aborted. */
  take(signal: AbortSignal): Promise<string | undefined>
  /** Ends the work on a key. */
  done(key: string): void
  /** The number of keys that wait for a worker. */
  readonly depth: number
}

/**
 * Creates an empty queue. @param groupOf - the group of a key: the group with the fewest keys at work is next, of several the
 * one that waits for longest, so that many keys of one do not delay those of others. @param perGroup - how many keys of a
 * group are at work at most: with fewer than there are workers, slow ones of a group never delay those of all others.
 */
export function workQueue(
  clock: Pick<Clock, 'elapsed' | 'sleep'>,
  groupOf: (key: string) => string = () => '',
  perGroup = Infinity,
): WorkQueue {
  return new KeyQueue(clock, groupOf, perGroup)
}

class KeyQueue implements WorkQueue {
  readonly #groupOf: (key: string) => string
  readonly #perGroup: number
  /** By group, the one first that waits for longest. */
  readonly #ready = new Map<string, Set<string>>()
  readonly #running = new Set<string>()
  /** Keys that were added while they were worked on. */
  readonly #again = new Set<string>()
  readonly #delays: Delays
  readonly #takers = new Set<() => void>()

  constructor(clock: Pick<Clock, 'elapsed' | 'sleep'>, groupOf: (key: string) => string, perGroup: number) {
    this.#delays = new Delays(clock, key => this.add(key))
    this.#groupOf = groupOf
    this.#perGroup = perGroup
  }

  get depth(): number {
    return [...this.#ready.values()].reduce((sum, keys) => sum + keys.size, 0)
  }

  add(key: string): void {
    this.#delays.cancel(key)
    if (this.#running.has(key)) this.#again.add(key)
    else this.#readyIn(this.#groupOf(key)).add(key)
    this.#wake()
  }

  addAfter(key: string, milliseconds: number): void {
    if (this.#ready.get(this.#groupOf(key))?.has(key) === true || this.#again.has(key)) return
    this.#delays.set(key, milliseconds)
  }

  async take(signal: AbortSignal): Promise<string | undefined> {
    const isOver = () => signal.aborted
    while (!isOver()) {
      const key = this.#next()
      if (key !== undefined) return key
      await this.#added(signal)
    }
    this.#delays.clear()
    return undefined
  }

  done(key: string): void {
    this.#running.delete(key)
    if (this.#again.delete(key)) this.add(key)
    else this.#wake()
  }

  #readyIn(group: string): Set<string> {
    const keys = this.#ready.get(group) ?? new Set()
    this.#ready.set(group, keys)
    return keys
  }

  /** Takes the first key of the group whose turn it is; the group goes to the end. */
  #next(): string | undefined {
    const running = [...this.#running].map(key => this.#groupOf(key))
    const atWork = (group: string) => running.filter(other => other === group).length
    const groups = [...this.#ready.keys()].filter(group => atWork(group) < this.#perGroup)
    const [group] = groups.sort((a, b) => atWork(a) - atWork(b))
    const keys = group === undefined ? undefined : this.#ready.get(group)
    const [key] = keys ?? []
    if (group === undefined || keys === undefined || key === undefined) return undefined
    this.#ready.delete(group)
    keys.delete(key)
    if (keys.size > 0) this.#ready.set(group, keys)
    this.#running.add(key)
    return key
  }

  async #added(signal: AbortSignal): Promise<void> {
    await new Promise<void>(resolve => {
      const wake = () => {
        this.#takers.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#takers.add(wake)
      signal.addEventListener('abort', wake, {once: true})
    })
  }

  #wake(): void {
    const [taker] = this.#takers
    if (this.#ready.size > 0) taker?.()
  }
}
