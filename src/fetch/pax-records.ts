/**
 * The records of a pax extended header, `LENGTH KEY=VALUE\n` each, or undefined where Go's archive/tar rejects them. Of
 * two records for a key the later one counts; an empty value stands for "as in the header".
 * https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html#tag_20_92_13_03
 */
export function paxRecords(header: Uint8Array): ReadonlyMap<string, string> | undefined {
  const records = new Map<string, string>()
  const sparseMap: string[] = []
  for (let at = 0; at < header.length;) {
    const record = recordAt(header, at)
    if (record === undefined || !isValid(record)) return undefined
    at = record.end
    if (!SPARSE_0_0.includes(record.key)) records.set(record.key, record.value)
    else if (record.key !== SPARSE_0_0[sparseMap.length % 2] || record.value.includes(',')) return undefined
    else sparseMap.push(record.value)
  }
  if (sparseMap.length > 0) records.set('GNU.sparse.map', sparseMap.join(','))
  return records
}

/** The map of sparse format 0.0, which repeats these two in turn; later formats have it in one record. */
const SPARSE_0_0 = ['GNU.sparse.offset', 'GNU.sparse.numbytes']

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

const INTEGER = /^[+-]?\d{1,18}$/
const TIME = /^[+-]?\d{1,18}(\.\d*)?$/
const TEXT = /^[^\0]*$/

/** The values that Go checks; it rejects an archive for any that it cannot read. */
const VALUES: Readonly<Record<string, RegExp>> = {
  path: TEXT,
  linkpath: TEXT,
  uname: TEXT,
  gname: TEXT,
  size: /^\d{1,18}$/,
  uid: INTEGER,
  gid: INTEGER,
  atime: TIME,
  mtime: TIME,
  ctime: TIME,
}

function isValid({key, value}: PaxRecord): boolean {
  const pattern = Object.hasOwn(VALUES, key) ? VALUES[key] : undefined
  return pattern === undefined ? !key.includes('\0') : value === '' || pattern.test(value)
}

/** The content of a sparse file's pax records: its real name, if present. */
export interface PaxSparse {
  readonly name?: string
}

/**
 * Returns the content of the records of a sparse file, by the rule of Go's reader: it takes the name from records of a
 * known version, or with a map. Records of another version do not change the name. Undefined for other files.
 */
export function paxSparse(records: ReadonlyMap<string, string>): PaxSparse | undefined {
  if (![...records.keys()].some(key => key.startsWith('GNU.sparse.'))) return undefined
  const [version, map, name] = [
    `${records.get('GNU.sparse.major') ?? ''}.${records.get('GNU.sparse.minor') ?? ''}`,
    records.get('GNU.sparse.map') ?? '',
    records.get('GNU.sparse.name') ?? '',
  ]
  const isKnown = ['0.0', '0.1', '1.0'].includes(version) || (version === '.' && map !== '')
  return isKnown && name !== '' ? {name} : {}
}
