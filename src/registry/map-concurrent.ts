/**
 * Does something for each item, at most so many at a time, in order of their start. After a failure nothing new is
 * begun, what is under way is waited for, and the first failure is thrown.
 */
export async function mapConcurrent<T>(
  items: readonly T[],
  most: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const failures: unknown[] = []
  const lane = async () => {
    for (const item of left) {
      if (failures.length > 0) return
      await act(item).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({length: Math.min(most, items.length)}, lane))
  if (failures.length > 0) throw failures[0]
}
