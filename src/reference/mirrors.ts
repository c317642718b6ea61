import {CrossplaneError} from '../errors.js'
import {sourceParts} from './image-source.js'
import {formatRepository, type Repository, repositoryOf} from './repository.js'

/** The mirror of each registry, both as `HOST[:PORT][/PATH]`. */
export type Mirrors = Readonly<Record<string, string>>

/**
 * Returns the repository to request: the longest registry that contains it, by whole segments of the path, is
 * replaced by its mirror, once. Without a mirror it is returned unchanged. Throws `usage` if a mirror names no
 * repository.
 */
export function mirroredRepository(repository: Repository, mirrors: Mirrors): Repository {
  const [longest] = Object.entries(mirrors)
    .flatMap(([from, to]) => ruleFor(repository, from, to))
    .sort((a, b) => b.matched - a.matched)
  if (longest === undefined) return repository
  const {to, rest} = longest
  const place = placeOf(to)
  const path = [place?.path ?? '', rest].filter(part => part !== '').join('/')
  if (place !== undefined && path !== '') return repositoryOf({registry: place.registry, path})
  throw new CrossplaneError(
    'usage',
    `the mirror ${JSON.stringify(to)} of ${formatRepository(repository)} is not a repository`,
    {suggestions: ['Write HOST[:PORT]/PATH for a mirror of one repository.']},
  )
}

/**
 * Adds mirrors that take precedence to others. These are left out where a preceding one is for all that they are for, so that a longer
 * registry among them does not win.
 */
export function withPreceding(preceding: Mirrors, others: Mirrors): Mirrors {
  const covers = Object.keys(preceding).map(from => canonicalSource(from))
  const kept = Object.entries(others).filter(([from]) => {
    const source = canonicalSource(from)
    return !covers.some(covering => source === covering || source.startsWith(`${covering}/`))
  })
  return {...Object.fromEntries(kept), ...preceding}
}

interface Rule {
  readonly to: string
  /** Length of the path that the registry has. */
  readonly matched: number
  readonly rest: string
}

function ruleFor({registry, path}: Repository, from: string, to: string): Rule[] {
  const place = placeOf(from)
  if (place?.registry !== registry) return []
  if (place.path === '') return [{to, matched: 0, rest: path}]
  if (place.path !== path && !path.startsWith(`${place.path}/`)) return []
  return [{to, matched: place.path.length, rest: path.slice(place.path.length + 1)}]
}

/** Formats a registry with or without a path canonically: two are the same exactly if these are equal. */
export function canonicalSource(source: string): string {
  const place = placeOf(source)
  if (place === undefined) return source
  return place.path === '' ? place.registry : `${place.registry}/${place.path}`
}

/** Unlike a repository, `docker.io/team` is not in `library/`. */
function placeOf(source: string): Repository | undefined {
  const parts = sourceParts(source)
  if (parts === undefined) return undefined
  return {registry: repositoryOf({...parts, path: 'any/image'}).registry, path: parts.path}
}
