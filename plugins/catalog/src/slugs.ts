/** The longest name of a file or folder. */
const MAX_LENGTH = 120

/** Returns a name for a file or folder for each text: in lowercase, different for each, and the same for the same texts. */
export function slugs(texts: Iterable<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const text of texts) {
    if (names.has(text)) continue
    const name = freeName(plainName(text), taken)
    taken.add(name)
    names.set(text, name)
  }
  return names
}

function plainName(text: string): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9.-]+/g, '_')
  return (/^[a-z0-9]/.test(plain) ? plain : `x${plain}`).slice(0, MAX_LENGTH)
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`
    if (!taken.has(free)) return free
  }
}
