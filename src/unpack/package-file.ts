/**
 * One regular file below a package's `.registry/`. `path` is relative to `.registry/`, with `/` between segments,
 * free of `.`, `..` and empty segments.
 */
export interface PackageFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** Returns the file's path as users know it: from the package's root. */
export function displayPath(file: PackageFile): string {
  return `.registry/${file.path}`
}

/** Returns the path's last segment, which gives a file's kind. */
export function baseName(file: PackageFile): string {
  return file.path.slice(file.path.lastIndexOf('/') + 1)
}

/** Returns the segments of the directory of the file; none for `.registry/` itself. */
export function directoryOf(file: PackageFile): readonly string[] {
  return file.path.split('/').slice(0, -1)
}

/** Compares two files in the order of a sorted directory walk: segment by segment, each by its UTF-8 bytes. */
export function compareWalkOrder(a: PackageFile, b: PackageFile): number {
  const [left, right] = [a.path.split('/'), b.path.split('/')]
  const differing = left.findIndex((segment, index) => segment !== right[index])
  return differing === -1 ? left.length - right.length : compareBytes(left[differing], right[differing])
}

/** UTF-8 order, which is not JavaScript's own for characters beyond the basic plane. */
export function compareBytes(a = '', b = ''): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
