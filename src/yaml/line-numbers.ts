/** Numbers the lines of a text from 1. Reads no further than to the offsets that are requested. */
export function lineNumbers(text: string): (offset: number) => number {
  const breaks: number[] = []
  let next = text.indexOf('\n')
  return offset => {
    for (; next !== -1 && next < offset; next = text.indexOf('\n', next + 1)) breaks.push(next)
    return countBefore(breaks, offset) + 1
  }
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
