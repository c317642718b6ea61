import {atUnicodeClass, classError, Cursor, escapeError, unicodeClassError} from './go-pattern-class.js'

/**
 * Why Go's regexp package would not compile a pattern; undefined if it would. See
 * https://pkg.go.dev/regexp/syntax: no looking around, no references back, repeats of at most 1000.
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

/** An open parenthesis, or the whole. */
interface Group {
  /** How often the part read last may occur, with all repeats within it; undefined where nothing can be repeated. */
  operand: number | undefined
  /** Whether that part was repeated already. */
  repeated: boolean
  /** The most that any part of the group may occur. */
  most: number
}

const MAX_REPEAT = 1000

function newGroup(): Group {
  return {operand: undefined, repeated: false, most: 1}
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
  // Flags for what follows are no part that could be repeated.
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
  group.most = Math.max(group.most, closed.most)
  Object.assign(group, {operand: closed.most, repeated: false})
  return undefined
}

function repeat(cursor: Cursor, group: Group, times: number): string | undefined {
  cursor.take(/\?/y)
  if (group.repeated) return 'a repeat is repeated'
  if (group.operand === undefined) return 'there is nothing to repeat'
  const most = group.operand * times
  if (times > 1 && most > MAX_REPEAT) return `it repeats more than ${MAX_REPEAT} times`
  Object.assign(group, {operand: most, repeated: true, most: Math.max(group.most, most)})
  return undefined
}

const COUNT = /\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/y

/** `{2}`, `{2,}` or `{2,3}`; a brace that begins none of these is a brace. */
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
  // What occurs at most zero times does not occur, however often it is repeated within.
  if (max === 0 && group.operand !== undefined) Object.assign(group, {operand: 1})
  return repeat(cursor, group, Math.max(max ?? min, 1))
}

function isCount(min: number, max = min): boolean {
  return max <= MAX_REPEAT && min <= max
}

function escaped(cursor: Cursor, group: Group): string | undefined {
  if (cursor.take(/\\[AbBzdDsSwW]/y) !== undefined) return operand(group, undefined)
  // Everything between \Q and \E, or the end, stands for itself.
  const quoted = cursor.take(/\\Q(.*?)(?:\\E|$)/sy)
  if (quoted !== undefined) {
    Object.assign(group, {operand: quoted[1] === '' ? group.operand : 1, repeated: false})
    return undefined
  }
  return operand(group, atUnicodeClass(cursor) ? unicodeClassError(cursor) : escapeError(cursor))
}
