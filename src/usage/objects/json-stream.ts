/** A JSON object of a text with several, with the number of lines before it. */
interface JsonPart {
  readonly text: string
  readonly lines: number
}

/** A string of JSON, a brace or a bracket. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|[{}[\]]/g
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
  for (const {0: token, index} of text.matchAll(TOKEN)) {
    const step = DEPTHS.get(token)
    depth += step ?? 0
    if (depth > 0 || step === undefined) continue
    const part = text.slice(from, index + 1)
    parts.push({text: part, lines})
    lines += part.split('\n').length - 1
    from = index + 1
  }
  const areObjects = parts.every(part => /^\s*\{/.test(part.text))
  return areObjects && text.slice(from).trim() === '' ? parts : []
}
