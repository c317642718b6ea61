/** A JSON object of a text with several, with the number of lines before it. */
interface JsonPart {
  readonly text: string
  readonly lines: number
}

/** The beginning of a string of JSON, a brace or a bracket. */
const TOKEN = /["{}[\]]/g
const DEPTHS: ReadonlyMap<string, number> = new Map([
  ['{', 1],
  ['[', 1],
  ['}', -1],
  [']', -1],
])

/** Returns the JSON objects that follow each other in a text; none if it begins or ends with anything else. */
export function jsonObjectsIn(text: string): readonly JsonPart[] {
  const parts: JsonPart[] = []
  let [depth, from, lines] = [0, 0, 0]
  for (const {token, end} of tokensOf(text)) {
    const step = DEPTHS.get(token)
    depth += step ?? 0
    if (depth > 0 || step === undefined) continue
    const part = text.slice(from, end)
    parts.push({text: part, lines})
    lines += part.split('\n').length - 1
    from = end
  }
  const areObjects = parts.every(part => /^\s*\{/.test(part.text))
  return areObjects && text.slice(from).trim() === '' ? parts : []
}

interface Token {
  /** Its first character. */
  readonly token: string
  readonly end: number
}

/** Each character is read once: a string without an end is the last token, and ends with the text. */
function* tokensOf(text: string): Generator<Token> {
  for (let from = 0; from < text.length;) {
    TOKEN.lastIndex = from
    const match = TOKEN.exec(text)
    if (match === null) return
    const {0: token, index} = match
    const end = token === '"' ? endOfString(text, index + 1) : index + 1
    yield {token, end}
    from = end
  }
}

/** The end of a string, an escape, or a line: no string of JSON has several lines. */
const IN_STRING = /["\\\n]/g

function endOfString(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    IN_STRING.lastIndex = at
    const match = IN_STRING.exec(text)
    if (match === null || match[0] === '\n') return text.length
    at = match.index
    if (match[0] === '"') return at + 1
  }
}
