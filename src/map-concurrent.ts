/**
 * Runs `work` for each item, with a maximum at a time, started in order. After a failure no further item is started,
 * running ones are waited for, and the first failure is thrown.
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
