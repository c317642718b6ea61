/**
 * Adds CRDs to the dependencies in the text of an app.yaml, and changes nothing else; undefined if its dependencies are
 * written in one line.
 */
export function withDependencies(text: string, crds: readonly string[]): string | undefined {
  if (crds.length === 0) return text
  const lines = text.split('\n')
  const start = lines.findIndex(line => /^dependsOn:/.test(line))
  if (start === -1) return `${text.replace(/\n*$/, '\n')}dependsOn:\n${entries('', crds).join('\n')}\n`
  const value = lines[start]?.replace(/^dependsOn:\s*/, '').replace(/\s*#.*$/, '')
  if (value === '[]') return lines.with(start, ['dependsOn:', ...entries('', crds)].join('\n')).join('\n')
  if (value !== '') return undefined
  const indent = /^\s*(?=-)/.exec(lines.slice(start + 1).find(line => /^\s*-/.test(line)) ?? '')?.[0] ?? ''
  return lines.toSpliced(start + 1, 0, ...entries(indent, crds)).join('\n')
}

function entries(indent: string, crds: readonly string[]): readonly string[] {
  return crds.map(crd => `${indent}- crd: ${crd}`)
}
