/** Formats a number of a noun: `1 error`, `2 errors`; `many` is for irregular plurals such as `entries`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${plural(number, one, many)}`
}

/** Returns the form of a noun or phrase for a number, without the number. */
export function plural(number: number, one: string, many = `${one}s`): string {
  return number === 1 ? one : many
}

/** A list in a sentence: `a`, `a and b`, `a, b and c`. */
export function listAll(texts: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  const last = texts.at(-1) ?? ''
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} ${conjunction} ${last}`
}

/** A list in a sentence with at most `max` of the texts: `a, b and 3 more`. */
export function listSome(texts: readonly string[], max = 6): string {
  const rest = texts.length - max
  return rest <= 0 ? texts.join(', ') : `${texts.slice(0, max).join(', ')} and ${rest} more`
}

const MAX_NAMES = 20

/** Untrusted names as a list in a message: each once, sorted, escaped, at most 20. */
export function listNames(names: readonly string[]): string {
  const sorted = [...new Set(names)].sort()
  return listSome(sorted.map(escaped), MAX_NAMES)
}

/** Quotes untrusted text without characters that move a cursor or reorder text; at most 200 characters. */
export function quoted(text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 200)}…` : text
  return JSON.stringify(short).replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Escapes the same text without quotes. */
export function escaped(text: string): string {
  return quoted(text).slice(1, -1)
}

/**
 * Escapes what GitHub Actions reads as a command in a line of a log: `::` at its beginning, after blanks, and `##[` anywhere.
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function withoutCommands(line: string): string {
  return line.replace(/^(\s*):(?=:)/, '$1\\u003a').replaceAll('##[', '#\\u0023[')
}

/** Formats a word for a POSIX shell, in single quotes if necessary. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** Formats a command of this program that works when pasted into a shell. */
export function commandLine(words: readonly string[]): string {
  return ['kubectl crossplane', ...words.map(shellWord)].join(' ')
}

/** Returns the candidate most similar to a text, if there is one: by edit distance, the first of the nearest. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(text.length / 4))
  const lower = text.toLowerCase()
  // A distance is at least the difference of the lengths: most of many and long candidates need not be compared.
  const distances = candidates
    .map(candidate => ({candidate, other: candidate.toLowerCase()}))
    .filter(({other}) => Math.abs(other.length - lower.length) <= limit)
    .map(({candidate, other}) => ({candidate, distance: editDistance(lower, other)}))
    .filter(({distance}) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
  return distances[0]?.candidate
}

const MAX_EDITS = 2

/**
 * Reports whether two different names differ by at most two edits, so that one was probably meant to be the other.
 */
export function isNear(a: string, b: string): boolean {
  return a !== b && Math.abs(a.length - b.length) <= MAX_EDITS && editDistance(a, b) <= MAX_EDITS
}

/** Counts the insertions, deletions, replacements and swaps of neighbors that turn one text into another. */
function editDistance(from: string, to: string): number {
  const distances = [Array.from({length: to.length + 1}, (_, column) => column)]
  const at = (row: number, column: number) => distances[row]?.[column] ?? Infinity
  for (let row = 1; row <= from.length; row += 1) {
    distances.push([row])
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const replaced = at(row - 1, column - 1) + (isSame ? 0 : 1)
      const swapped = isSwap ? at(row - 2, column - 2) + 1 : Infinity
      distances[row]?.push(Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced, swapped))
    }
  }
  return at(from.length, to.length)
}
