import type {Repository} from '../../reference/repository.js'

/** What a package URL names besides the repository of an image. */
export interface PurlParts {
  readonly digest?: string
  readonly tag?: string
}

/**
 * Returns the package URL of an image. https://github.com/package-url/purl-spec/blob/main/types-doc/oci-definition.md
 */
export function imagePurl({registry, path}: Repository, {digest, tag}: PurlParts = {}): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const version = digest === undefined ? '' : `@${encodeURIComponent(digest)}`
  const url = encodeURIComponent(`${registry}/${path}`).replaceAll('%2F', '/')
  return `pkg:oci/${name}${version}?repository_url=${url}${tag === undefined ? '' : `&tag=${tag}`}`
}
