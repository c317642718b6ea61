/** Reads the first `count` bytes as a number, at most six; missing bytes count as zeros. */
export function littleEndian(bytes: Uint8Array, count: number): number {
  let value = 0
  for (let at = count - 1; at >= 0; at--) value = value * 256 + (bytes[at] ?? 0)
  return value
}
