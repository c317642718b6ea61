import {CrossplaneError} from '../../errors.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {Registry} from '../../registry/registry.js'
import {type DocumentKind, documentImage, readDocument} from './artifact.js'

/** Whether something is new in an index, or was there before. */
export type Kept = 'added' | 'present'

/** A document for a tag. */
export interface NewDocument {
  readonly kind: DocumentKind
  readonly tag: string
  readonly bytes: Uint8Array
  /** Whether another one that is there says the same; it may throw for what it cannot read. None: anything will do. */
  readonly isSame?: (found: Uint8Array) => boolean
}

/** How documents are written. */
export interface KeepPorts {
  readonly registry: Registry
  readonly report?: ReportProgress
}

/**
 * Sees to it that a tag leads to a document, unless it leads to one that says the same. `output-refused` where it says
 * something else: nothing is rewritten. Registries that keep tags refuse whoever comes second even with the same.
 */
export async function keepDocument(
  ports: KeepPorts,
  repository: Repository,
  document: NewDocument,
): Promise<Kept> {
  if (await isThere(ports, repository, document)) return 'present'
  const {kind, tag, bytes} = document
  try {
    const {changed} = await ports.registry.push(repository, tag, documentImage(kind, bytes), ports.report)
    return changed ? 'added' : 'present'
  } catch (error) {
    if (!(error instanceof CrossplaneError) || !REFUSALS.includes(error.code)) throw error
    if (await isThere(ports, repository, document)) return 'present'
    throw error
  }
}

/** As what a registry may refuse a tag that somebody was faster with. */
const REFUSALS: readonly string[] = ['output-refused', 'registry-failed', 'access-denied']

async function isThere(
  {registry, report}: KeepPorts,
  repository: Repository,
  {kind, tag, bytes, isSame}: NewDocument,
): Promise<boolean> {
  const digest = await registry.digestOf(repository, tag)
  if (digest === undefined) return false
  if (isSame === undefined || digest === documentImage(kind, bytes).root.digest) return true
  const image = registry.image(repository, {digest}, report)
  try {
    if (isSame(await readDocument(image, kind))) return true
  } catch (error) {
    if (!(error instanceof CrossplaneError) || !UNLIKE.includes(error.code)) throw error
    throw taken(repository, tag, error)
  }
  throw taken(repository, tag)
}

/** What reading something else than such a document throws. */
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
    `Cannot write ${formatRepository(repository)}:${tag}: it is there and says something else, and an index is only added to`,
    {
      cause,
      suggestions: [
        'Publish under a new version, or ask whoever wrote it, or runs the index, to take it away.',
      ],
    },
  )
}
