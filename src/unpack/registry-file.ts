/**
 * One regular file below a package's `.registry/`. `path` is relative to `.registry/`, with `/` between segments,
 * free of `.`, `..` and empty segments.
 */
export interface RegistryFile {
  readonly path: string
  readonly bytes: Uint8Array
}
