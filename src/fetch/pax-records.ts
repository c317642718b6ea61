/**
 * The records of a pax extended header, `LENGTH KEY=VALUE\n` each, or undefined where they break that form. A later
 * record for a key wins; an empty value says nothing, as Go's reader has it.
 * https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html#tag_20_92_13_03
 */
export function paxRecords(header: Uint8Array): ReadonlyMap<string, string> | undefined {
  const records = new Map<string, string>()
  for (let at = 0; at < header.length;) {
    const record = recordAt(header, at)
    if (record === undefined) return undefined
    if (record.value !== '') records.set(record.key, record.value)
    at = record.end
  }
  return records
}

const SPACE = 0x20
const NEWLINE = 0x0a

interface PaxRecord {
  readonly key: string
  readonly value: string
  readonly end: number
}

function recordAt(header: Uint8Array, start: number): PaxRecord | undefined {
  const space = header.indexOf(SPACE, start)
  const length = Buffer.from(header.subarray(start, Math.max(space, start))).toString('latin1')
  if (!/^\d{1,9}$/.test(length)) return undefined
  const end = start + Number(length)
  if (end > header.length || end <= space + 1 || header[end - 1] !== NEWLINE) return undefined
  const text = Buffer.from(header.subarray(space + 1, end - 1)).toString('utf8')
  const equals = text.indexOf('=')
  return equals < 1 ? undefined : {key: text.slice(0, equals), value: text.slice(equals + 1), end}
}
