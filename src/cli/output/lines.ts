/** Formats each text as a line. */
export function lines(texts: readonly string[]): string {
  return texts.map(text => `${text}\n`).join('')
}
