/** V8 copies shorter parts of a string; longer ones are slices, which keep the whole string in memory. */
const MIN_SLICE_LENGTH = 13
const MAX_TEXTS = 20_000
/** Longer texts are not shared: they are rarely repeated, and would stay in memory after their file. */
const MAX_SHARED_LENGTH = 4000

const texts = new Map<string, string>()

/**
 * Returns an equal string that does not keep the text it was cut out of in memory, the same one for repeated texts of
 * usual length: generated CRDs repeat most of their descriptions.
 */
export function detached(text: string): string {
  if (text.length < MIN_SLICE_LENGTH) return text
  if (text.length > MAX_SHARED_LENGTH) return copied(text)
  const cached = texts.get(text)
  if (cached !== undefined) return cached
  if (texts.size >= MAX_TEXTS) texts.clear()
  const copy = copied(text)
  texts.set(copy, copy)
  return copy
}

function copied(text: string): string {
  return Buffer.from(text).toString()
}
