/** Each text as a line of its own. */
export function lines(texts: readonly string[]): string {
  return texts.map(text => `${text}\n`).join('')
}
