/**
 * Returns whether a path below a folder matches one of the patterns, as a file or with all that is in the folder.
 * In a pattern, `*` stands for any text without `/`, and `?` for one character: as for `crossplane xpkg build --ignore`,
 * but a folder that matches is left out as well.
 */
export function ignoredPaths(patterns: readonly string[]): (path: string) => boolean {
  const expressions = patterns.map(pattern => expressionOf(pattern.replace(/^\.\//, '').replace(/\/+$/, '')))
  return path => expressions.some(expression => expression.test(path))
}

function expressionOf(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replace(/\*+/g, '[^/]*')
    .replace(/\?/g, '[^/]')
  return new RegExp(`^${source}$`)
}
