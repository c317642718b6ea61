import type {Clock} from '../http/clock.js'

/** Keys to work on. Each is with one worker at most, and is queued once however often it is added. */
export interface WorkQueue {
  /** Queues a key. One that is being worked on is queued again when that is done. Replaces a delay of the key. */
  add(key: string): void
  /** Queues a key after some milliseconds, or at an earlier time that was set before. */
  addAfter(key: string, milliseconds: number): void
  /** Waits for a key; undefined once the signal is aborted. */
  take(signal: AbortSignal): Promise<string | undefined>
  /** Ends the work on a key. */
  done(key: string): void
  /** The number of keys that wait for a worker. */
  readonly depth: number
}

/** Creates an empty queue. */
export function workQueue(clock: Pick<Clock, 'elapsed' | 'sleep'>): WorkQueue {
  return new KeyQueue(clock)
}

interface Delay {
  readonly due: number
  readonly cancel: AbortController
}

class KeyQueue implements WorkQueue {
  readonly #clock: Pick<Clock, 'elapsed' | 'sleep'>
  readonly #ready = new Set<string>()
  readonly #running = new Set<string>()
  /** Keys that were added while they were worked on. */
  readonly #again = new Set<string>()
  readonly #delays = new Map<string, Delay>()
  readonly #takers = new Set<() => void>()

  constructor(clock: Pick<Clock, 'elapsed' | 'sleep'>) {
    this.#clock = clock
  }

  get depth(): number {
    return this.#ready.size
  }

  add(key: string): void {
    this.#cancel(key)
    if (this.#running.has(key)) this.#again.add(key)
    else this.#ready.add(key)
    this.#wake()
  }

  addAfter(key: string, milliseconds: number): void {
    if (this.#ready.has(key) || this.#again.has(key)) return
    const due = this.#clock.elapsed() + milliseconds
    const before = this.#delays.get(key)
    if (before !== undefined && before.due <= due) return
    this.#cancel(key)
    const cancel = new AbortController()
    this.#delays.set(key, {due, cancel})
    void this.#clock.sleep(milliseconds, cancel.signal).then(() => {
      if (!cancel.signal.aborted) this.add(key)
    })
  }

  async take(signal: AbortSignal): Promise<string | undefined> {
    const isOver = () => signal.aborted
    while (!isOver()) {
      const [key] = this.#ready
      if (key === undefined) {
        await this.#added(signal)
        continue
      }
      this.#ready.delete(key)
      this.#running.add(key)
      return key
    }
    for (const key of this.#delays.keys()) this.#cancel(key)
    return undefined
  }

  done(key: string): void {
    this.#running.delete(key)
    if (this.#again.delete(key)) this.add(key)
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

  #cancel(key: string): void {
    this.#delays.get(key)?.cancel.abort()
    this.#delays.delete(key)
  }
}
