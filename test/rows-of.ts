/** Returns how many rows a terminal of 80 columns needs for a text: it wraps the commands that are longer. */
export function rowsOf(text: string): number {
  const lines = text.replace(/\n$/, '').split('\n')
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 80)), 0)
}
