const UNITS = ['kB', 'MB', 'GB', 'TB']

/** A number of bytes for people: `512 B`, `1.5 MB`; powers of 1000, as docker and skopeo count. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  let [value, unit] = [bytes / 1000, 0]
  // What would be rounded to 1000 is one of the next unit.
  while (value >= 999.95 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1]
  return `${value.toFixed(1)} ${UNITS[unit] ?? ''}`
}
