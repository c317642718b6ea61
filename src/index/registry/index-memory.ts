import type {Repository} from '../../reference/repository.js'

/**
 * Port: what was read of indexes before. What a tag of an index leads to never changes, so it is remembered by
 * repository and tag; what one repository says is no answer to what another is asked, as others may write that one.
 * Nothing of it fails: what is not there or damaged is undefined.
 */
export interface IndexMemory {
  /** The document of a tag. */
  indexDocument(repository: Repository, tag: string): Promise<Uint8Array | undefined>
  rememberIndexDocument(repository: Repository, tag: string, bytes: Uint8Array): Promise<void>
  /** The tags that a repository had when its registry was last asked for all of them. */
  knownTags(repository: Repository): Promise<{readonly tags: readonly string[]} | undefined>
  rememberTags(repository: Repository, tags: readonly string[]): Promise<void>
}
