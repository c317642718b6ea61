/** How many letters may differ before two names are taken for different ones. */
const MAX_EDITS = 2

/** Whether two names differ by at most two letters that are wrong, missing or too many. */
export function isNear(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > MAX_EDITS) return false
  let row = Array.from({length: b.length + 1}, (_, index) => index)
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return (row[b.length] ?? Infinity) <= MAX_EDITS
}
