import {Buffer} from 'node:buffer'

/**
 * Returns a WebAssembly module whose memory cannot grow beyond a maximum: an allocation that would need more fails.
 *
 * @param {Uint8Array} module
 * @param {number} maximum in pages of 64 KiB
 * @returns {Uint8Array}
 */
export function withMaximumMemory(module, maximum) {
  const MEMORY_SECTION = 5
  for (let at = 8; at < module.length;) {
    const id = module[at]
    const size = readNumber(module, at + 1)
    const end = size.next + size.value
    if (id === MEMORY_SECTION) {
      const minimum = readNumber(module, size.next + 2)
      const content = [1, 1, ...numberBytes(minimum.value), ...numberBytes(maximum)]
      const section = [MEMORY_SECTION, ...numberBytes(content.length), ...content]
      return Buffer.concat([module.subarray(0, at), Uint8Array.from(section), module.subarray(end)])
    }
    at = end
  }
  throw new Error('the module has no memory')
}

/**
 * Reads a number in LEB128.
 *
 * @param {Uint8Array} bytes
 * @param {number} start
 */
function readNumber(bytes, start) {
  let value = 0
  for (let at = start, shift = 0; ; at++, shift += 7) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return {value, next: at + 1}
  }
}

/**
 * Returns a number in LEB128.
 *
 * @param {number} value
 * @returns {number[]}
 */
function numberBytes(value) {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...numberBytes(value >>> 7)]
}
