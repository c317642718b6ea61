import {CrossplaneError} from '../../errors.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {Registry} from '../../registry/registry.js'
import {readDocument} from './artifact.js'
import {type IndexLayout, ROOT_TAG} from './layout.js'
import {readRoot} from './root-document.js'

/** The root of an index, and its bytes. */
export interface IndexRoot {
  readonly layout: IndexLayout
  readonly bytes: Uint8Array
}

/** Reads the root; undefined without an index. Throws `access-denied`, and the errors of reading documents. */
export async function readIndexRoot(
  root: Repository,
  registry: Registry,
  report?: ReportProgress,
): Promise<IndexRoot | undefined> {
  const image = registry.image(root, {tag: ROOT_TAG}, report)
  try {
    const bytes = await readDocument(image, 'root')
    return {layout: readRoot(image.name, bytes), bytes}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    if (error.code === 'not-found') return undefined
    if (error.code === 'access-denied') throw mayNotRead(root, error)
    throw error
  }
}

function mayNotRead(root: Repository, cause: CrossplaneError): CrossplaneError {
  const name = formatRepository(root)
  const message = `cannot read the package index ${name}: the repository does not exist or permission is denied`
  return new CrossplaneError('access-denied', message, {cause, suggestions: cause.suggestions})
}

export function noIndex(root: Repository): CrossplaneError {
  const name = formatRepository(root)
  return new CrossplaneError('not-found', `package index ${name} not found`, {
    suggestions: [
      `Check the name, or create the index: kubectl crossplane registry index add PACKAGE --index ${name}`,
    ],
  })
}
