import {CrossplaneError} from '../../errors.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import type {Registry} from '../../registry/registry.js'
import {FailedAnswer} from '../../http/failed-answer.js'
import {isUnwritable} from '../../registry/unwritable.js'

/** A repository that cannot be written. */
export interface Unwritable {
  readonly repository: Repository
  readonly error: unknown
}

/** Returns the repositories to create for a new index: also the root, which is written last, where it does not exist. */
export async function repositoriesToCreate(
  registry: Registry,
  root: Repository,
  unwritable: readonly Unwritable[],
): Promise<readonly Unwritable[]> {
  if (unwritable.some(({repository}) => repository.path === root.path)) return unwritable
  try {
    await registry.tags(root)[Symbol.asyncIterator]().next()
    return unwritable
  } catch (error) {
    if (!isUnwritable(error)) throw error
    return [{repository: root, error}, ...unwritable]
  }
}

/** Returns one error with all repositories to create. `aim` completes the sentence "cannot … the package index". */
export function mayNotWrite(
  aim: string,
  root: Repository,
  unwritable: readonly Unwritable[],
  mayBeSingle: boolean,
): CrossplaneError {
  const names = [...new Set(unwritable.map(({repository}) => formatRepository(repository)))].sort()
  const repositories =
    names.length === 1 ? 'a repository does not exist' : `${names.length} repositories do not exist`
  const name = formatRepository(root)
  const single = mayBeSingle
    ? `Or keep the whole index in the repository ${name}: add --single-repository`
    : 'Or create another index in a single repository: add --single-repository'
  const login = `kubectl crossplane registry login ${root.registry}`
  const isAnonymous = unwritable.some(({error}) => statusOf(error) === 401)
  return new CrossplaneError(
    'access-denied',
    `cannot ${aim} the package index ${name}: ${repositories}, or permission is denied`,
    {
      cause: unwritable[0]?.error,
      suggestions: [
        // Without authentication, a registry may answer the same for repositories that exist.
        ...(isAnonymous ? [`Log in: ${login}`] : []),
        ...names.map(text => `${isAnonymous ? 'Or create' : 'Create'} the repository ${text}`),
        ...(isAnonymous ? [] : [`Or log in as another user: ${login}`]),
        ...(names.length === 1 && names[0] === name ? [] : [single]),
      ],
    },
  )
}

function statusOf(error: unknown): number | undefined {
  return error instanceof CrossplaneError && error.cause instanceof FailedAnswer
    ? error.cause.status
    : undefined
}
