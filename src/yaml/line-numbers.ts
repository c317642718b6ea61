/**
 * Numbers the lines of a text from 1. The table is built when the first line is requested, which for most texts
 * never happens.
 */
export function lineNumbers(text: string): (offset: number) => number {
  let breaks: readonly number[] | undefined
  return offset => {
    breaks ??= lineBreaks(text)
    return countBefore(breaks, offset) + 1
  }
}

function lineBreaks(text: string): readonly number[] {
  const breaks: number[] = []
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) breaks.push(at)
  return breaks
}

/** Counts how many of these ascending numbers are less than the limit. */
function countBefore(ascending: readonly number[], limit: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? limit) < limit) low = middle + 1
    else high = middle
  }
  return low
}
