import {CrossplaneError} from '../../errors.js'
import type {ImageStore} from '../../fetch/image-store.js'
import type {Digest} from '../../fetch/image.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {Registry} from '../../registry/registry.js'
import {type DocumentKind, documentImage, readDocument} from './artifact.js'

/** The outcome for a document: new in the index, present before, or in the place of one with other content. */
export type Kept = 'added' | 'present' | 'replaced'

/** A document for a tag. */
export interface NewDocument {
  readonly kind: DocumentKind
  readonly tag: string
  readonly bytes: Uint8Array
  /**
   * Whether an existing document has the same content; it can throw `index-invalid`. Absent: any content is accepted.
   */
  readonly isSame?: (existing: Uint8Array) => boolean
  /** Whether it takes the place of other content, which it is known to be right about. */
  readonly replaces?: boolean
  /** Returns the tag that names this content as wrong; it is written before the content is replaced. */
  readonly correctionOf?: (existing: Uint8Array) => string | undefined
}

/** The ports through which documents are written. */
export interface KeepPorts {
  readonly registry: Registry
  readonly report?: ReportProgress
}

/**
 * Writes a document under a tag, unless the tag has one with the same content. Throws `output-refused` where its content
 * differs, unless it is to be replaced. A registry with immutable tags rejects the second of two publishers even if both write
 * the same. The blob is mounted from `from`, a repository that has it.
 */
export async function keepDocument(
  ports: KeepPorts,
  repository: Repository,
  document: NewDocument,
  from?: Repository,
): Promise<Kept> {
  const before = await ports.registry.digestOf(repository, document.tag)
  const existing = await compared(ports, repository, document, before)
  if (existing === 'same') return 'present'
  if (existing?.correction !== undefined) await keepCorrection(ports, repository, existing.correction)
  return await write(ports, repository, document, {before, from})
}

/** Writes a document in the place of what a tag had before. */
async function write(
  ports: KeepPorts,
  repository: Repository,
  document: NewDocument,
  {before, from}: {readonly before: Digest | undefined; readonly from: Repository | undefined},
): Promise<Kept> {
  const {kind, tag, bytes} = document
  try {
    const image = documentImage(kind, bytes)
    const {changed} = await ports.registry.push(repository, tag, image, ports.report, {
      before: {digest: before},
      mountFrom: from?.path,
      newBlob: kind === 'entry' ? image.layers[0]?.descriptor.digest : undefined,
    })
    return outcomeOf(changed, before)
  } catch (error) {
    if (!(error instanceof CrossplaneError) || !REJECTIONS.includes(error.code)) throw error
    const digest = await ports.registry.digestOf(repository, tag)
    if ((await compared(ports, repository, document, digest)) === 'same') return 'present'
    throw error
  }
}

/**
 * Writes a correction. It comes before the content that it is about is replaced: if the command is interrupted between, readers
 * read the entry once more than needed, and the next run replaces it.
 */
export async function keepCorrection(ports: KeepPorts, repository: Repository, tag: string): Promise<Kept> {
  return await keepDocument(ports, repository, {kind: 'correction', tag, bytes: Buffer.from('{}')})
}

function outcomeOf(changed: boolean, before: Digest | undefined): Kept {
  if (!changed) return 'present'
  return before === undefined ? 'added' : 'replaced'
}

/** The errors of a registry that rejects a tag because another publisher has written it in the meantime. */
const REJECTIONS: readonly string[] = ['output-refused', 'registry-failed', 'access-denied']

/** The content that a document replaces, with the tag that names it as wrong, if it can be read. */
interface Replaced {
  readonly correction?: string
}

/** Compares a tag with this digest; undefined for none. Throws `output-refused` if it has content that is not to be replaced. */
async function compared(
  {registry, report}: KeepPorts,
  repository: Repository,
  {kind, tag, bytes, isSame, replaces = false, correctionOf}: NewDocument,
  digest: Digest | undefined,
): Promise<'same' | Replaced | undefined> {
  if (digest === undefined) return undefined
  if (isSame === undefined || digest === documentImage(kind, bytes).descriptor.digest) return 'same'
  const difference = await differenceOf(registry.image(repository, {digest}, report), kind, isSame)
  if (difference === undefined) return 'same'
  const {existing, cause} = difference
  if (!replaces || isLater(cause)) throw taken(repository, tag, cause)
  return existing === undefined ? {} : {correction: correctionOf?.(existing)}
}

/** Reports whether a document of a later version was read, which can be right. */
function isLater(cause: CrossplaneError | undefined): boolean {
  return (
    cause?.code === 'unsupported' || cause?.diagnostics.some(({rule}) => rule === 'index-format') === true
  )
}

interface Difference {
  /** Absent if it cannot be read. */
  readonly existing?: Uint8Array
  readonly cause?: CrossplaneError
}

/** Compares the document of an image; undefined if it is the same. */
async function differenceOf(
  image: ImageStore,
  kind: DocumentKind,
  isSame: NonNullable<NewDocument['isSame']>,
): Promise<Difference | undefined> {
  try {
    const existing = await readDocument(image, kind)
    return isSame(existing) ? undefined : {existing}
  } catch (error) {
    if (!(error instanceof CrossplaneError) || !UNLIKE.includes(error.code)) throw error
    return {cause: error}
  }
}

/** The errors of reading any other document. */
const UNLIKE: readonly string[] = [
  'index-invalid',
  'source-invalid',
  'unsupported',
  'limit-exceeded',
  'digest-mismatch',
]

function taken(repository: Repository, tag: string, cause?: unknown): CrossplaneError {
  return new CrossplaneError(
    'output-refused',
    `cannot write ${formatRepository(repository)}:${tag}: it exists with other content, and an index is never overwritten`,
    {cause, suggestions: ['Publish the package under a new version']},
  )
}
