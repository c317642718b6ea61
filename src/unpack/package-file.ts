/**
 * One regular file below a package's `.registry/`. `path` is relative to `.registry/`, with `/` between segments,
 * free of `.`, `..` and empty segments.
 */
export interface PackageFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** The file's path as users know it: from the package's root. */
export function displayPath(file: PackageFile): string {
  return `.registry/${file.path}`
}

/** The path's last segment, by which a file's meaning is recognised. */
export function baseName(file: PackageFile): string {
  return file.path.slice(file.path.lastIndexOf('/') + 1)
}

/** The segments of the directory that holds the file; none for `.registry/` itself. */
export function directoryOf(file: PackageFile): readonly string[] {
  return file.path.split('/').slice(0, -1)
}

/** The order in which a sorted directory walk meets two files: segment by segment, each by its UTF-8 bytes. */
export function compareWalkOrder(a: PackageFile, b: PackageFile): number {
  const [left, right] = [a.path.split('/'), b.path.split('/')]
  const differing = left.findIndex((segment, index) => segment !== right[index])
  return differing === -1 ? left.length - right.length : compareBytes(left[differing], right[differing])
}

/** UTF-8 order, which is not JavaScript's own for characters beyond the basic plane. */
export function compareBytes(a = '', b = ''): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
