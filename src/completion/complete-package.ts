import type {Completion} from './completion.js'

/** A package that a local file names. */
export interface KnownPackage {
  /** As in references: `example/app`, or with a host. */
  readonly repository: string
  /** Newest first. */
  readonly tags: readonly string[]
}

/**
 * Completes `REPOSITORY` and, unless tags are not allowed, `REPOSITORY:TAG`: repositories first, and the tags of one
 * when it is the only one left. If no package is known, it can be a file.
 */
export function completePackage(
  packages: readonly KnownPackage[],
  current: string,
  allowsTag: boolean,
): Completion {
  const matching = packages.filter(({repository}) => repository.startsWith(current))
  const [only] = matching.length === 1 && allowsTag ? matching : []
  const [named] = allowsTag ? packages.filter(({repository}) => current.startsWith(`${repository}:`)) : []
  const selected = named ?? only
  if (selected !== undefined && selected.tags.length > 0) return tagsOf(selected, current)
  const candidates = matching.map(({repository}) => ({value: repository}))
  const continues = allowsTag && matching.some(({tags}) => tags.length > 0)
  return {candidates, otherwise: allowsTag ? 'files' : 'nothing', continues}
}

function tagsOf({repository, tags}: KnownPackage, current: string): Completion {
  const candidates = tags
    .map(tag => ({value: `${repository}:${tag}`}))
    .filter(({value}) => value.startsWith(current))
  return {candidates, otherwise: 'nothing', isOrdered: true}
}
