/** Markup of a page: either written in this program, or made of escaped text. */
export class Html {
  constructor(readonly markup: string) {}

  toString(): string {
    return this.markup
  }
}

type Part = Html | string | number | undefined | readonly Part[]

/** Returns the markup of a template; every value that is not markup itself is escaped. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const texts = textsOf(template)
  let markup = texts[0] ?? ''
  for (const [index, part] of parts.entries()) markup += markupOf(part) + (texts[index + 1] ?? '')
  return new Html(markup)
}

const TEXTS = new WeakMap<TemplateStringsArray, readonly string[]>()

/** The texts of a template without its indentation, which would be a third of a large page. */
function textsOf(template: TemplateStringsArray): readonly string[] {
  const before = TEXTS.get(template)
  if (before !== undefined) return before
  const texts = template.map(text => text.replace(/\s*\n\s*/g, '\n'))
  TEXTS.set(template, texts)
  return texts
}

function markupOf(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.markup
  if (typeof part === 'object') return part.map(markupOf).join('')
  return escapeHtml(String(part))
}

/** Joins markup by line breaks. */
export function htmlLines(parts: readonly Html[]): Html {
  return new Html(parts.map(part => part.markup).join('\n'))
}

const NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Escapes untrusted text for content and quoted attributes. Characters that hide or reorder others become visible escapes, as on a
 * terminal; line breaks and tabs stay.
 */
export function escapeHtml(text: string): string {
  return withoutHidden(text).replace(/[&<>"']/g, character => NAMES[character] ?? '')
}

/** Replaces the characters of a text that hide or reorder others by visible escapes; line breaks and tabs stay. */
export function withoutHidden(text: string): string {
  if (PLAIN.test(text)) return text
  return text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, character =>
    character === '\n' || character === '\t' ? character : escapes(character),
  )
}

/** Most text. */
const PLAIN = /^[\n\t\x20-\x7e]*$/

function escapes(character: string): string {
  return character.replace(/[^]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Cuts a text that is only a preview. */
export function shortened(text: string, length: number): string {
  const characters = [...text.slice(0, 2 * length + 2)]
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
}

/** A JSON value as data in a page: no text in it can end the element. Integers that JSON does not have are marked. */
export function jsonData(id: string, value: unknown): Html {
  const json = JSON.stringify(value, (_key, own: unknown) =>
    typeof own === 'bigint' ? {$integer: String(own)} : own,
  )
  const safe = json.replace(/[<>&\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu, escapes)
  return new Html(`<script type="application/json" id="${escapeHtml(id)}">${safe}</script>`)
}
