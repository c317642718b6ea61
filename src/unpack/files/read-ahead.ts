/**
 * Yields the items of several sources in order, while some of them are read concurrently: one that is not yet requested
 * buffers `capacity` items. A failure is thrown at its position. All opened sources are closed by the time it ends: a
 * source with slow items checks in between whether it is still requested, and throws any error if not.
 */
export async function* readAhead<T>(
  sources: readonly Source<T>[],
  {most, capacity}: {readonly most: number; readonly capacity: number},
): AsyncGenerator<T, void, undefined> {
  const lanes = sources.map(open => new Lane(open, capacity))
  const waiting = [...lanes]
  const started: Promise<void>[] = []
  const startNext = (): void => {
    const next = waiting.shift()
    if (next !== undefined) started.push(next.run().then(startNext))
  }
  try {
    for (let lane = 0; lane < most; lane++) startNext()
    for (const lane of lanes) yield* lane.items()
  } finally {
    waiting.length = 0
    for (const lane of lanes) lane.stop()
    await Promise.all(started)
  }
}

/** Opens a source; `isRequested` returns whether its next item will be read. */
export type Source<T> = (isRequested: () => boolean) => AsyncIterable<T>

/** A source with its buffered items. */
class Lane<T> {
  readonly #open: Source<T>
  readonly #capacity: number
  #items: T[] = []
  #isOver = false
  #isStopped = false
  #failure: {readonly error: unknown} | undefined
  #changed = signal()

  constructor(open: Source<T>, capacity: number) {
    this.#open = open
    this.#capacity = capacity
  }

  /** Reads the source to its end or to its failure; never rejects. */
  async run(): Promise<void> {
    try {
      for await (const item of this.#open(() => !this.#isStopped)) {
        if (this.#isStopped) break
        this.#items.push(item)
        this.#notify()
        while (this.#isFull()) await this.#changed.promise
      }
    } catch (error) {
      this.#failure = {error}
    }
    this.#isOver = true
    this.#notify()
  }

  async *items(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const items = this.#items
      this.#items = []
      this.#notify()
      yield* items
      if (this.#items.length > 0) continue
      if (this.#failure !== undefined) throw this.#failure.error
      if (this.#isOver) return
      await this.#changed.promise
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#notify()
  }

  #isFull(): boolean {
    return this.#items.length >= this.#capacity && !this.#isStopped
  }

  #notify(): void {
    const {resolve} = this.#changed
    this.#changed = signal()
    resolve()
  }
}

function signal(): {readonly promise: Promise<void>; readonly resolve: () => void} {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>(settle => {
    resolve = settle
  })
  return {promise, resolve}
}
