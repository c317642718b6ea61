/** Compares two texts by code units, which are the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
