/**
 * Calls `show` once something has been going on for a while: by a timer, or at an event if the thread is too busy for
 * timers. Each call starts again at the next event.
 */
export class Delayed {
  readonly #delay: number
  readonly #show: () => void
  readonly #now: () => number
  #start: number | undefined
  #timer: NodeJS.Timeout | undefined

  /** The delay and `now` are in milliseconds. */
  constructor(delay: number, show: () => void, now: () => number = processTime) {
    this.#delay = delay
    this.#show = show
    this.#now = now
  }

  /** Takes notice of an event. */
  event(): void {
    if (this.#start === undefined) {
      this.#start = this.#now()
      // A command that has nothing left to do ends.
      this.#timer = setTimeout(() => this.#fire(), this.#delay).unref()
    } else if (this.#now() - this.#start >= this.#delay) this.#fire()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#start = undefined
  }

  #fire(): void {
    this.stop()
    this.#show()
  }
}

/** Milliseconds since the process began. `performance` would load ten modules of Node.js first. */
function processTime(): number {
  return process.uptime() * 1000
}
