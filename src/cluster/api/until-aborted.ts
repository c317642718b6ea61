/** Passes items on until the signal is aborted, also while the next one is awaited. */
export async function* untilAborted<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  if (signal.aborted) return
  const iterator = items[Symbol.asyncIterator]()
  let stop: () => void = () => undefined
  const aborted = new Promise<undefined>(resolve => (stop = () => resolve(undefined)))
  signal.addEventListener('abort', stop)
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted])
      if (next === undefined || next.done === true) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    // Not awaited: it ends only with the item that is on its way.
    iterator.return?.().catch(() => undefined)
  }
}
