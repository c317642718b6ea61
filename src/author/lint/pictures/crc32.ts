/** The remainder of each byte for the polynomial of IEEE 802.3, lowest bit first. */
const REMAINDERS = Uint32Array.from({length: 256}, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0)
  return remainder
})

/**
 * Returns the checksum that PNG has of each chunk. The function in Node's zlib requires a newer Node.js than the oldest
 * supported one.
 */
export function crc32(bytes: Uint8Array): number {
  let remainder = 0xffffffff
  for (const byte of bytes) remainder = (remainder >>> 8) ^ (REMAINDERS[(remainder ^ byte) & 0xff] ?? 0)
  return (remainder ^ 0xffffffff) >>> 0
}
