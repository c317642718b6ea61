/**
 * Reports whether a whole text matches a pattern, in linear time for each `*`: `*` stands for any characters except `/`, `**`
 * for any characters. Every other character is itself, and case matters.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const parts = pattern.split(/(\*+)/)
  let places = new Set([0])
  parts.forEach((part, index) => {
    const isWildcard = index % 2 === 1
    places = isWildcard ? after(text, places, part.length > 1) : literal(text, places, part)
  })
  return places.has(text.length)
}

function literal(text: string, places: ReadonlySet<number>, part: string): Set<number> {
  return new Set([...places].filter(place => text.startsWith(part, place)).map(place => place + part.length))
}

/** All places that a wildcard leads to, each once. */
function after(text: string, places: ReadonlySet<number>, isAny: boolean): Set<number> {
  const reached = new Set<number>()
  for (const start of [...places].sort((a, b) => a - b)) {
    for (let place = start; place <= text.length && !reached.has(place); place += 1) {
      reached.add(place)
      if (!isAny && text[place] === '/') break
    }
  }
  return reached
}
