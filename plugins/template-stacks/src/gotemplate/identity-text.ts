/**
 * Takes the lines of a template that identify its object: `apiVersion`, `kind` and `metadata.name`. Undefined if they are
 * not written as such, for example because a partial has them.
 */
export function identityText(template: string): string | undefined {
  const lines = template.split(/\r?\n/)
  const [apiVersion, kind] = ['apiVersion', 'kind'].map(key => lines.find(line => line.startsWith(`${key}:`)))
  const name = nameLine(lines)
  if (apiVersion === undefined || kind === undefined || name === undefined) return undefined
  return [apiVersion, kind, ...name, ''].join('\n')
}

/** The name in block style, or all of the metadata in one line. */
function nameLine(lines: readonly string[]): readonly string[] | undefined {
  const start = lines.findIndex(line => line.startsWith('metadata:'))
  const first = lines[start]
  if (first === undefined) return undefined
  if (/^metadata:\s*\{[^{]/.test(first)) return [first]
  const below = lines.slice(start + 1)
  const end = below.findIndex(line => /^[A-Za-z-]/.test(line))
  const inside = end === -1 ? below : below.slice(0, end)
  const indent = /^ +(?=[A-Za-z])/.exec(inside.find(line => /^ +[A-Za-z]/.test(line)) ?? '')?.[0] ?? ''
  const name = inside.find(line => line.startsWith(`${indent}name:`))
  return name === undefined || indent === '' ? undefined : ['metadata:', name]
}
