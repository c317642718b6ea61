import {CrossplaneError} from '../../errors.js'
import {parseExactJson} from '../../yaml/exact-json.js'
import type {JsonValue} from '../../yaml/json-value.js'

/** In bytes: an event has one object. */
const MAX_LINE = 16 * 1024 * 1024
const LINE_BREAK = 0x0a

/**
 * Reads one JSON value per line; an incomplete last line is left out. Throws `limit-exceeded` for a line of more than
 * 16 MiB and `cluster-failed` for one that is not JSON. `aim` completes "cannot …".
 */
export async function* jsonLines(
  chunks: AsyncIterable<Uint8Array>,
  aim: string,
): AsyncGenerator<JsonValue, void, undefined> {
  let parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, start)) {
      yield parsed(Buffer.concat([...parts, chunk.subarray(start, end)]), aim)
      parts = []
      size = 0
      start = end + 1
    }
    parts.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > MAX_LINE) {
      throw new CrossplaneError('limit-exceeded', `cannot ${aim}: an event has more than ${MAX_LINE} bytes`)
    }
  }
}

function parsed(line: Uint8Array, aim: string): JsonValue {
  try {
    return parseExactJson(new TextDecoder('utf-8', {fatal: true}).decode(line))
  } catch (cause) {
    throw new CrossplaneError('cluster-failed', `cannot ${aim}: an event is not valid JSON`, {cause})
  }
}
