/** The arguments with which git reads the paths of `pathspecInput` from standard input. */
export const PATHS_FROM_INPUT = ['--pathspec-from-file=-', '--pathspec-file-nul'] as const

/** Paths relative to the working tree, as input; no character of them is special. */
export function pathspecInput(paths: readonly string[]): string {
  return paths.map(path => `:(top,literal)${path}\0`).join('')
}

/** More arguments than that are not passed to a command that lists paths. */
const MAX_PREFIXES = 100

/**
 * Returns at most a hundred paths and folders that include all of these paths, as pathspecs for arguments; the caller
 * selects from what git lists.
 */
export function prefixesOf(paths: readonly string[]): readonly string[] {
  const split = paths.map(path => path.split('/'))
  const deepest = Math.max(0, ...split.map(({length}) => length))
  for (let depth = deepest; depth > 0; depth -= 1) {
    const prefixes = new Set(split.map(segments => segments.slice(0, depth).join('/')))
    if (prefixes.size <= MAX_PREFIXES) return [...prefixes]
  }
  return ['.']
}

/** Returns the pathspec of a path, relative to the root of the working tree, which no other file matches. */
export function literalPathspec(path: string): string {
  return `:(top,literal)${path === '.' ? '' : path}`
}
