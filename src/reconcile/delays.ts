import type {Clock} from '../http/clock.js'

/** Milliseconds: keys that are due within that time are due together. */
const FINE = 10
/** The same of delays of at least `LONG`: an idle process wakes up once for the many objects that it looks at again. */
const COARSE = 1000
const LONG = 10_000

/** Keys that are due later. One timer waits for the first of them. */
export class Delays {
  readonly #clock: Pick<Clock, 'elapsed' | 'sleep'>
  readonly #expired: (key: string) => void
  readonly #dueOf = new Map<string, number>()
  readonly #keysAt = new Map<number, Set<string>>()
  #timer: {readonly due: number; readonly cancel: AbortController} | undefined

  /** @param expired - is called with each key when it is due. */
  constructor(clock: Pick<Clock, 'elapsed' | 'sleep'>, expired: (key: string) => void) {
    this.#clock = clock
    this.#expired = expired
  }

  /** Delays a key, unless it is due earlier. */
  set(key: string, milliseconds: number): void {
    const step = milliseconds < LONG ? FINE : COARSE
    const due = Math.ceil((this.#clock.elapsed() + milliseconds) / step) * step
    const before = this.#dueOf.get(key)
    if (before !== undefined && before <= due) return
    this.cancel(key)
    this.#dueOf.set(key, due)
    const keys = this.#keysAt.get(due) ?? new Set()
    this.#keysAt.set(due, keys.add(key))
    if (this.#timer === undefined || due < this.#timer.due) this.#wait(due)
  }

  /** Forgets a key. */
  cancel(key: string): void {
    const due = this.#dueOf.get(key)
    if (due === undefined) return
    this.#dueOf.delete(key)
    const keys = this.#keysAt.get(due)
    keys?.delete(key)
    if (keys?.size === 0) this.#keysAt.delete(due)
    if (this.#dueOf.size === 0) this.#stop()
  }

  /** Forgets all keys. */
  clear(): void {
    this.#dueOf.clear()
    this.#keysAt.clear()
    this.#stop()
  }

  #wait(due: number): void {
    this.#stop()
    const cancel = new AbortController()
    this.#timer = {due, cancel}
    void this.#clock.sleep(Math.max(0, due - this.#clock.elapsed()), cancel.signal).then(() => {
      if (!cancel.signal.aborted) this.#expire()
    })
  }

  #stop(): void {
    // Without a reason, it would make an error with a stack.
    this.#timer?.cancel.abort('another time')
    this.#timer = undefined
  }

  /** A timer can end a little early: what is due then is due when the next one ends. */
  #expire(): void {
    const now = this.#clock.elapsed()
    this.#timer = undefined
    for (const [due, keys] of this.#keysAt) {
      if (due > now) continue
      this.#keysAt.delete(due)
      for (const key of keys) {
        this.#dueOf.delete(key)
        this.#expired(key)
      }
    }
    if (this.#keysAt.size > 0) this.#wait(Math.min(...this.#keysAt.keys()))
  }
}
