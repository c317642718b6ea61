/** So many requests are under way at once. */
const ABREAST = 8

/** The answers to all questions in their order, a few asked at a time. */
export async function abreast<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = []
  const rest = items.entries()
  const worker = async () => {
    for (const [index, item] of rest) answers[index] = await ask(item)
  }
  await Promise.all(Array.from({length: ABREAST}, worker))
  return answers
}
