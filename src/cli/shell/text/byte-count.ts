const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** A number of bytes in binary units: `340 B`, `1.2 KiB`, `35 MiB`. */
export function formatBytes(bytes: number): string {
  let [number, unit] = [bytes, 0]
  while (rounded(number) >= 1024 && unit < UNITS.length - 1) {
    number /= 1024
    unit += 1
  }
  return `${rounded(number)} ${UNITS[unit] ?? ''}`
}

/** One digit after the point below ten. */
function rounded(number: number): number {
  return number < 9.95 ? Math.round(number * 10) / 10 : Math.round(number)
}
