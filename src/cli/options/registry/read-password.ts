import {CrossplaneError} from '../../../errors.js'

/** Longer than any token that registries hand out. */
const MAX_BYTES = 64 * 1024

/**
 * A password from standard input, without the line break at its end. Throws `usage` where it is not to be read from
 * there, or there is none: passwords never come as flags, which history and process lists keep.
 */
export async function readPassword(
  fromStdin: boolean,
  input: AsyncIterable<unknown> & {readonly isTTY?: boolean},
): Promise<string> {
  if (!fromStdin)
    throw refusal('a password is read from standard input alone, and --password-stdin was not given')
  if (input.isTTY === true) throw refusal('standard input is a terminal, which would show the password')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk as Uint8Array)
    size += bytes.length
    if (size > MAX_BYTES) throw refusal(`standard input holds more than a password: over ${MAX_BYTES} bytes`)
    chunks.push(bytes)
  }
  const password = Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '')
  if (password === '') throw refusal('the password on standard input is empty')
  return password
}

function refusal(message: string): CrossplaneError {
  return new CrossplaneError('usage', message, {
    suggestions: [
      'Pipe it in, such as: pass show registry | kubectl crossplane registry login HOST --username NAME --password-stdin.',
    ],
  })
}
