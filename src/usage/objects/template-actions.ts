/** A part of a text. */
export interface TextPart {
  readonly from: number
  readonly to: number
}

/** The beginning of an action of a Go template and of a tag of Jinja, and a variable. */
const BEGINNING = /\{\{|\{%|\$\{[^{}\n]*\}/g
const ENDS: ReadonlyMap<string, string> = new Map([
  ['{{', '}}'],
  ['{%', '%}'],
])

/**
 * Returns the actions of templates, the tags and the variables of a text, in order. An end that does not occur any more is
 * searched for once: a file can have a beginning at each character.
 */
export function actionsIn(text: string): readonly TextPart[] {
  const actions: TextPart[] = []
  const missing = new Set<string>()
  const endAfter = (end: string, from: number): number => {
    const at = missing.has(end) ? -1 : text.indexOf(end, from)
    if (at < 0) missing.add(end)
    return at < 0 ? at : at + end.length
  }
  for (let at = 0; ;) {
    BEGINNING.lastIndex = at
    const match = BEGINNING.exec(text)
    if (match === null) return actions
    const {0: token, index: from} = match
    const end = ENDS.get(token)
    const to = end === undefined ? from + token.length : endAfter(end, from + token.length)
    if (to >= 0) actions.push({from, to})
    at = to < 0 ? from + 1 : to
  }
}

/** Replaces parts of a text that are in order and apart from each other. */
export function replaced(text: string, parts: readonly TextPart[], by: (part: string) => string): string {
  const pieces: string[] = []
  let at = 0
  for (const {from, to} of parts) {
    pieces.push(text.slice(at, from), by(text.slice(from, to)))
    at = to
  }
  return `${pieces.join('')}${text.slice(at)}`
}
