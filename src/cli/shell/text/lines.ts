/** Formats each text as a line. */
export function lines(texts: readonly string[]): string {
  return texts.map(text => `${text}\n`).join('')
}

/** Joins texts of several lines, with an empty line between two; empty ones are left out. */
export function parts(texts: readonly string[]): string {
  return texts.filter(text => text !== '').join('\n')
}
