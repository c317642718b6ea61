/** A name out of a source as it may appear in a message: quoted, nothing that moves a cursor, not endless. */
export function quoted(name: string): string {
  const short = name.length > 200 ? `${name.slice(0, 200)}…` : name
  return JSON.stringify(short).replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const MANY = 20

/** Names out of a source as a list in a message: each once, in order, without quotes, and not all of very many. */
export function listed(names: readonly string[]): string {
  const sorted = [...new Set(names)].sort()
  return firstOf(
    sorted.map(name => quoted(name).slice(1, -1)),
    MANY,
  )
}

/** Texts as a list in a sentence; of many the first few and how many more there are. */
export function firstOf(texts: readonly string[], most: number): string {
  const rest = texts.length - most
  return rest <= 0 ? texts.join(', ') : `${texts.slice(0, most).join(', ')} and ${rest} more`
}
