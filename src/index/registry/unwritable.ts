import {CrossplaneError} from '../../errors.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import type {Registry} from '../../registry/registry.js'
import {FailedAnswer} from '../../registry/http/failed-answer.js'
import {isUnwritable} from '../../registry/unwritable.js'

/** A repository that refused to be written. */
export interface Unwritable {
  readonly repository: Repository
  readonly error: unknown
}

/** What has to be created for an index to begin: the root as well, which is written last, where it is not there. */
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

/** One failure with all repositories that somebody has to create. `aim` completes the sentence "Cannot … the package index". */
export function mayNotWrite(
  aim: string,
  root: Repository,
  unwritable: readonly Unwritable[],
  mayBeSingle: boolean,
): CrossplaneError {
  const names = [...new Set(unwritable.map(({repository}) => formatRepository(repository)))].sort()
  const [are, they] =
    names.length === 1 ? ['a repository is', 'it'] : [`${names.length} repositories are`, 'them']
  const name = formatRepository(root)
  const single = mayBeSingle
    ? `Or keep the whole index in the repository ${name} alone: --single-repository.`
    : 'Where that cannot be done, begin another index in one repository alone: --single-repository.'
  const isNobody = unwritable.some(({error}) => statusOf(error) === 401)
  return new CrossplaneError(
    'access-denied',
    `Cannot ${aim} the package index at ${name}: ${are} not there, or may not be written`,
    {
      cause: unwritable[0]?.error,
      suggestions: [
        // Who is not known to the registry may not be told either what is there.
        ...(isNobody ? [`Log in with credentials that may write ${they}: registry login.`] : []),
        ...names.map(each => `${isNobody ? 'Or create' : 'Create'} the repository ${each}`),
        ...(isNobody ? [] : [`Or log in with credentials that may write ${they}: registry login.`]),
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
