import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError, type ErrorCode} from '../../errors.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import type {Registry} from '../../registry/registry.js'

/** The suggestion for an index in a registry that does not list tags. */
export function needsTagLists({registry}: Repository): string {
  return `Use another registry for the index if ${registry} does not list tags`
}

const UNLISTED: readonly ErrorCode[] = ['registry-failed', 'not-found', 'access-denied']

/** Reports whether an error is the response of a registry that does not list tags. */
export function isUnlisted(error: unknown): error is CrossplaneError {
  return error instanceof CrossplaneError && UNLISTED.includes(error.code)
}

/**
 * Returns a warning if the registry does not list the tags of an index that was just written: it can be written
 * there, but never read. Other failures are left to readers.
 */
export async function unlistedTags(root: Repository, registry: Registry): Promise<readonly Diagnostic[]> {
  try {
    await registry.tags(root)[Symbol.asyncIterator]().next()
    return []
  } catch (error) {
    if (!isUnlisted(error)) return []
    const message = `cannot list the tags of ${formatRepository(root)}, and an index is read by its tags: ${error.message}`
    return [{severity: 'warning', rule: 'index-unlisted', message, suggestions: [needsTagLists(root)]}]
  }
}
