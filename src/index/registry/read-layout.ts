import {CrossplaneError} from '../../errors.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {Registry} from '../../registry/registry.js'
import {readDocument} from './artifact.js'
import {type IndexLayout, ROOT_TAG} from './layout.js'
import {readRoot} from './root-document.js'

/** What the root of an index says, and as which bytes. */
export interface IndexRoot {
  readonly layout: IndexLayout
  readonly bytes: Uint8Array
}

/** Undefined where there is no index. Throws `access-denied` where nobody may look, and what reading documents throws. */
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
  const message = `Cannot look for a package index at ${name}: the repository ${name} is not there or may not be read`
  return new CrossplaneError('access-denied', message, {cause, suggestions: cause.suggestions})
}

export function noIndex(root: Repository): CrossplaneError {
  const name = formatRepository(root)
  return new CrossplaneError('not-found', `there is no package index at ${name}`, {
    suggestions: [
      `Check the name, or start one: kubectl crossplane registry index add PACKAGE --index ${name}`,
    ],
  })
}
