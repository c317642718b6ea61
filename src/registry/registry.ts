import type {ArtifactStore} from '../fetch/artifact-store.js'
import type {ImageStore} from '../fetch/image-store.js'
import type {Digest, Image} from '../fetch/image.js'
import type {Repository} from '../reference/repository.js'
import type {ReportProgress} from './progress.js'

/** An image of a repository: a digest takes precedence over a tag. */
export interface ImageChoice {
  readonly tag?: string
  readonly digest?: Digest
}

/** The outcome of a push: whether the tag changed, and how many blobs were uploaded, mounted or present. */
export interface PushResult {
  readonly digest: Digest
  readonly changed: boolean
  readonly uploaded: number
  readonly mounted: number
  readonly present: number
}

/** Facts that the caller of a push already knows, to save requests. */
export interface PushOptions {
  /** The digest that the tag has now; undefined if the tag does not exist. */
  readonly before?: {readonly digest: Digest | undefined}
  /** The path of a repository of the same registry that has some of the blobs. */
  readonly mountFrom?: string
  /** A small blob that the repository probably lacks: it is uploaded without a check. */
  readonly newBlob?: Digest
  /** The repository may lack what the documents list: a rejection for that reason is not retried. */
  readonly isSparse?: boolean
  /** The repository has the content already, pushed under its digest: only the tag is written. */
  readonly isStored?: boolean
}

/**
 * A registry by the OCI Distribution Specification v1.1, on any host. All methods throw `registry-unreachable`,
 * `tls-refused`, `timeout`, `access-denied` (401, 403), `credentials-failed`, `registry-failed` (an invalid response),
 * `limit-exceeded` and `not-found`.
 */
export interface Registry {
  /** An image to be read with `fetchImage`. */
  image(repository: Repository, choice: ImageChoice, report?: ReportProgress): ImageStore
  /** The tags of a repository, all pages, in the registry's order. */
  tags(repository: Repository): AsyncIterable<string>
  /** The signatures and attestations of the images in a repository. */
  artifacts(repository: Repository): ArtifactStore
  /** The digest of a tag, without reading the image; undefined if the tag does not exist. */
  digestOf(repository: Repository, tag: string): Promise<Digest | undefined>
  /**
   * Uploads the content that the repository lacks, and the manifest of the tag last; the same push again changes
   * nothing. Throws `output-refused` if the tag exists and the registry does not allow it to change,
   * `digest-mismatch` if the registry stored something else.
   */
  push(
    repository: Repository,
    tag: string,
    image: Image,
    report?: ReportProgress,
    options?: PushOptions,
  ): Promise<PushResult>
}

/** The registry at a host. */
export type RegistryAt = (host: string) => Promise<Registry>
