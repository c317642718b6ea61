import type {Repository} from '../../reference/repository.js'

/**
 * Port: cached documents of indexes, by repository and tag: the document of a tag changes only if the index corrects it,
 * but another repository can have another one, as other publishers can write to it. Absent and damaged documents are
 * undefined; nothing throws.
 */
export interface IndexMemory {
  /** The document of a tag. */
  indexDocument(repository: Repository, tag: string): Promise<Uint8Array | undefined>
  rememberIndexDocument(repository: Repository, tag: string, bytes: Uint8Array): Promise<void>
  /** The tags that a repository had when all of them were last listed. */
  knownTags(repository: Repository): Promise<{readonly tags: readonly string[]} | undefined>
  rememberTags(repository: Repository, tags: readonly string[]): Promise<void>
}
