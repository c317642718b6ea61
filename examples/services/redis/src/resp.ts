/** A reply of a Redis server, in RESP2: https://redis.io/docs/latest/develop/reference/protocol-spec/ */
export type Reply = string | number | null | RedisError | readonly Reply[]

/** An error that the server returned. */
export class RedisError extends Error {}

/** Writes a command as an array of bulk strings. */
export function encoded(command: readonly string[]): string {
  const parts = command.map(part => `$${Buffer.byteLength(part)}\r\n${part}\r\n`)
  return `*${command.length}\r\n${parts.join('')}`
}

/** A reply, and the offset after it. */
interface Decoded {
  readonly reply: Reply
  readonly end: number
}

/** Reads the reply at an offset; returns undefined until it is complete. */
export function decoded(data: Buffer, start = 0): Decoded | undefined {
  const lineEnd = data.indexOf('\r\n', start)
  if (lineEnd === -1) return undefined
  const line = data.toString('utf8', start + 1, lineEnd)
  const end = lineEnd + 2
  switch (data.toString('latin1', start, start + 1)) {
    case '+':
      return {reply: line, end}
    case '-':
      return {reply: new RedisError(line), end}
    case ':':
      return {reply: Number(line), end}
    case '$':
      return bulk(data, end, Number(line))
    case '*':
      return array(data, end, Number(line))
    default:
      throw new Error('the server does not use the protocol of Redis')
  }
}

function bulk(data: Buffer, start: number, length: number): Decoded | undefined {
  if (length < 0) return {reply: null, end: start}
  const end = start + length + 2
  return data.length < end ? undefined : {reply: data.toString('utf8', start, end - 2), end}
}

function array(data: Buffer, start: number, length: number): Decoded | undefined {
  if (length < 0) return {reply: null, end: start}
  const items: Reply[] = []
  let end = start
  while (items.length < length) {
    const item = decoded(data, end)
    if (item === undefined) return undefined
    items.push(item.reply)
    end = item.end
  }
  return {reply: items, end}
}
