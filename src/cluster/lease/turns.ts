/** Does work in a turn for each of some keys, in the order of the calls: work that has a key in common is never done at the same time. */
export type Turns = <T>(keys: readonly string[], work: () => Promise<T>) => Promise<T>

/** Creates turns that nothing waits for yet. Keys are taken in the order of their names, so that no two calls wait for each other. */
export function turns(): Turns {
  const last = new Map<string, Promise<void>>()
  const inTurn = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const result = (last.get(key) ?? Promise.resolve()).then(work)
    const done = result.then(ignore, ignore)
    last.set(key, done)
    return await result.finally(() => {
      if (last.get(key) === done) last.delete(key)
    })
  }
  return async (keys, work) =>
    await [...new Set(keys)].sort().reduceRight((next, key) => async () => await inTurn(key, next), work)()
}

const ignore = () => undefined
