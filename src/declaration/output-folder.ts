/** The folder of the rendered tree that applies where a declaration has none, relative to the declaration. */
export const OUTPUT_FOLDER = 'packages'

/**
 * Returns the segments of a folder below the one of a declaration; undefined for a path that is absolute, leaves that
 * folder, is that folder itself, is in a `.git`, or is in place of the declaration, its lock or its entries.
 */
export function outputSegments(path: string): readonly string[] | undefined {
  const segments = path.split('/').filter(text => text !== '' && text !== '.')
  const [first] = segments
  const isFree = first !== undefined && !/^(?:crossplane-packages\.(?:yaml|lock)|packages\.d)$/i.test(first)
  return isFree && !path.startsWith('/') && segments.every(isFolderName) ? segments : undefined
}

/** Reports whether a segment of a path names a folder of a repository. */
export function isFolderName(segment: string): boolean {
  return segment !== '..' && !/^\.git$/i.test(segment) && !/[\\\p{Cc}]/u.test(segment)
}
