import type {ImageStore} from '../fetch/image-store.js'
import type {Digest} from '../fetch/image.js'
import type {Repository} from '../reference/repository.js'
import type {OutgoingImage} from './outgoing-image.js'

/** Which image of a repository: a digest wins over a tag. */
export interface ImageChoice {
  readonly tag?: string
  readonly digest?: Digest
}

/**
 * A registry as the OCI Distribution Specification v1.1 has it, whichever host answers. All of it throws
 * `registry-unreachable`, `tls-refused`, `timeout`, `access-denied` (401, 403), `registry-failed` (what no registry
 * should answer) and `not-found`.
 */
export interface Registry {
  /** An image to be read with `fetchImage`. */
  image(repository: Repository, choice: ImageChoice): ImageStore
  /** The tags of a repository, all pages, in the registry's order. */
  tags(repository: Repository): AsyncIterable<string>
  /** What a tag leads to now, without reading it; undefined where there is no such tag. */
  digestOf(repository: Repository, tag: string): Promise<Digest | undefined>
  /** Uploads what the repository lacks and names it last; the same again changes nothing. */
  push(repository: Repository, tag: string, image: OutgoingImage): Promise<void>
}
