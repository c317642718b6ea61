/** The characters that block style is made of, as codes of UTF-16. */
export const TAB = 9
export const LINE_FEED = 10
export const SPACE = 32
export const HASH = 35
export const SINGLE_QUOTE = 39
export const PLUS = 43
export const HYPHEN = 45

/** Thrown where a text is not surely the plain block style that is read fast: it is left to js-yaml. */
export class Doubt extends Error {}

/** Leaves the text to js-yaml. */
export function doubt(): never {
  throw new Doubt('not plain block style')
}

/** Counts the blanks from here on. */
export function blanksAt(text: string, at: number): number {
  let end = at
  while (text.charCodeAt(end) === SPACE) end++
  return end - at
}

/** Reports whether a line or the text ends here. */
export function endsAt(text: string, at: number): boolean {
  return at >= text.length || text.charCodeAt(at) === LINE_FEED
}

/** Returns where the line of an offset ends: at its line break or at the end of the text. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** Finds a character from offsets on that only grow: each part of the text is searched once. */
export class Occurrences {
  readonly #text: string
  readonly #character: string
  #position = -1

  constructor(text: string, character: string) {
    this.#text = text
    this.#character = character
  }

  /** Returns the offset of the next one, or the length of the text. */
  next(from: number): number {
    if (this.#position >= from) return this.#position
    const position = this.#text.indexOf(this.#character, from)
    this.#position = position === -1 ? this.#text.length : position
    return this.#position
  }
}
