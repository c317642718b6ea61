import {atUnicodeClass, classError, Cursor, escapeError, unicodeClassError} from './go-pattern-class.js'

/**
 * Returns why Go's regexp package would not compile a pattern; undefined if it would. See
 * https://pkg.go.dev/regexp/syntax: no look-around, no backreferences, repeats of at most 1000.
 */
export function goPatternError(pattern: string): string | undefined {
  const cursor = new Cursor(pattern)
  const groups: Group[] = [newGroup()]
  while (cursor.at < pattern.length) {
    const error = step(cursor, groups)
    if (error !== undefined) return error
  }
  return groups.length === 1 ? undefined : 'a ( is never closed'
}

/** An open group, or the whole pattern. */
interface Group {
  /** The maximum repeats of the last part, with all repeats within it; undefined if nothing can be repeated. */
  operand: number | undefined
  /** Whether that part was repeated already. */
  repeated: boolean
  /** The maximum repeats of any part of the group. */
  maxRepeats: number
}

const MAX_REPEAT = 1000

function newGroup(): Group {
  return {operand: undefined, repeated: false, maxRepeats: 1}
}

function step(cursor: Cursor, groups: Group[]): string | undefined {
  const group = groups.at(-1)
  if (group === undefined) return 'a ) closes nothing'
  if (cursor.take(/[*+?]/y) !== undefined) return repeat(cursor, group, 1)
  switch (cursor.text[cursor.at]) {
    case '(':
      return open(cursor, group, groups)
    case ')':
      return close(cursor, groups)
    case '|':
      cursor.skip(1)
      Object.assign(group, {operand: undefined, repeated: false})
      return undefined
    case '{':
      return counted(cursor, group)
    case '[':
      return operand(group, classError(cursor))
    case '\\':
      return escaped(cursor, group)
    default:
      cursor.take(/./suy)
      return operand(group, undefined)
  }
}

/** Notes that a part was read, which can be repeated; returns the error, if it has one. */
function operand(group: Group, error: string | undefined): string | undefined {
  Object.assign(group, {operand: 1, repeated: false})
  return error
}

const FLAGS = /\(\?[imsU]*(?:-[imsU]+)?\)/y
const GROUP_START = /\((?:\?(?:P?<\w+>|[imsU]*(?:-[imsU]+)?:)|(?!\?))/y

function open(cursor: Cursor, group: Group, groups: Group[]): string | undefined {
  // Flags for what follows are not a part that could be repeated.
  if (cursor.take(FLAGS) !== undefined) {
    Object.assign(group, {repeated: false})
    return undefined
  }
  if (cursor.take(GROUP_START) === undefined) {
    return `${cursor.text.slice(cursor.at, cursor.at + 3)} is not supported`
  }
  groups.push(newGroup())
  return undefined
}

function close(cursor: Cursor, groups: Group[]): string | undefined {
  cursor.skip(1)
  const closed = groups.pop()
  const group = groups.at(-1)
  if (closed === undefined || group === undefined) return 'a ) closes nothing'
  group.maxRepeats = Math.max(group.maxRepeats, closed.maxRepeats)
  Object.assign(group, {operand: closed.maxRepeats, repeated: false})
  return undefined
}

function repeat(cursor: Cursor, group: Group, times: number): string | undefined {
  cursor.take(/\?/y)
  if (group.repeated) return 'a repeat is repeated'
  if (group.operand === undefined) return 'there is nothing to repeat'
  const maxRepeats = group.operand * times
  if (times > 1 && maxRepeats > MAX_REPEAT) return `it repeats more than ${MAX_REPEAT} times`
  Object.assign(group, {
    operand: maxRepeats,
    repeated: true,
    maxRepeats: Math.max(group.maxRepeats, maxRepeats),
  })
  return undefined
}

const COUNT = /\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/y

/** Reads `{2}`, `{2,}` or `{2,3}`; a brace that does not start one of these is a character. */
function counted(cursor: Cursor, group: Group): string | undefined {
  const count = cursor.take(COUNT)
  if (count === undefined) {
    cursor.skip(1)
    return operand(group, undefined)
  }
  const [whole, low, comma, high] = count
  const min = Number(low)
  const max = comma === undefined ? min : high === undefined ? undefined : Number(high)
  if (!isCount(min, max)) return `${whole} is not a count from 0 to ${MAX_REPEAT}`
  // A part that occurs zero times at most does not count, whatever the repeats within it.
  if (max === 0 && group.operand !== undefined) Object.assign(group, {operand: 1})
  return repeat(cursor, group, Math.max(max ?? min, 1))
}

function isCount(min: number, max = min): boolean {
  return max <= MAX_REPEAT && min <= max
}

function escaped(cursor: Cursor, group: Group): string | undefined {
  if (cursor.take(/\\[AbBzdDsSwW]/y) !== undefined) return operand(group, undefined)
  // All text between \Q and \E, or the end, is literal.
  const quoted = cursor.take(/\\Q(.*?)(?:\\E|$)/sy)
  if (quoted !== undefined) {
    Object.assign(group, {operand: quoted[1] === '' ? group.operand : 1, repeated: false})
    return undefined
  }
  return operand(group, atUnicodeClass(cursor) ? unicodeClassError(cursor) : escapeError(cursor))
}
