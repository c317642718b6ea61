import {createHash} from 'node:crypto'

const SUFFIX_LENGTH = 6
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/**
 * Shortens text to at most `length` bytes as the package manager did: text that fits is unchanged, otherwise the last
 * six bytes become `-` and five characters of the base32 of the text's SHA-1. Text is ASCII: names are checked.
 */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text
  const kept = text.slice(0, length - SUFFIX_LENGTH)
  return `${withoutTrailingDots(kept)}-${checksum(text)}`
}

/** The longest value of a label, and the longest name after a label's prefix. */
export const LABEL_LENGTH = 63

function withoutTrailingDots(text: string): string {
  let end = text.length
  while (text[end - 1] === '.') end -= 1
  return text.slice(0, end)
}

/** The first five characters of unpadded base32 (RFC 4648), which are the first 25 bits. */
function checksum(text: string): string {
  const bits = createHash('sha1').update(text).digest().readUInt32BE(0)
  return Array.from({length: SUFFIX_LENGTH - 1}, (_, index) => BASE32[(bits >>> (27 - 5 * index)) & 31]).join(
    '',
  )
}
