/** How many of a noun: `1 error`, `2 errors`; `many` is for irregular plurals such as `entries`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
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

/** Untrusted text in double quotes, without anything that moves a cursor or reorders text; at most 200 characters. */
export function quoted(text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 200)}…` : text
  return JSON.stringify(short).replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The same without the quotes. */
export function escaped(text: string): string {
  return quoted(text).slice(1, -1)
}

/** A word for a POSIX shell, in single quotes where it needs them. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
