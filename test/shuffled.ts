/** Where chance begins; a failing run's is in the names of its tests, and SEED=… repeats it. */
export const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)

/** The same items in an order that only `seed` decides. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const chance = random(seed)
  return items
    .map(item => ({item, at: chance()}))
    .sort((a, b) => a.at - b.at)
    .map(({item}) => item)
}

/** Numbers from 0 to 1 (mulberry32), which is chance enough for an order. */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
