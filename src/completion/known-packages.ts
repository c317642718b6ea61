import type {Declaration} from '../declaration/declaration.js'
import type {Lock} from '../declaration/lock.js'
import {installKey} from '../declaration/lock.js'
import {compareText} from '../reference/compare-text.js'
import {compareVersions} from '../reference/newest-version.js'
import type {KnownPackage} from './complete-package.js'

/** A package with the tag that a source names, if it names one. */
export interface NamedPackage {
  /** Without the host of docker.io. */
  readonly repository: string
  readonly tag?: string
}

/** Returns the packages of a lock. */
export function packagesInLock({packages}: Lock): readonly NamedPackage[] {
  return packages.map(({identity, tag}) => ({repository: identity, tag}))
}

/** Returns the installs of a lock, as `NAMESPACE/NAME`. */
export function installsInLock({packages}: Lock): readonly string[] {
  return packages.flatMap(({installs}) => installs.map(installKey)).sort()
}

/** Returns the packages of a declaration, as they are written in it. */
export function packagesInDeclaration({packages}: Declaration): readonly NamedPackage[] {
  return packages.flatMap(each => {
    const [, repository, tag] = /^([^@]+?)(?::([^/:@]+))?(?:@.*)?$/.exec(each.package ?? '') ?? []
    if (repository === undefined) return []
    return [tag === undefined ? {repository} : {repository, tag}]
  })
}

/**
 * Sorts packages by their repositories, with all of their tags. With a default source, references without a host are
 * in that registry: packages on docker.io are then written with its name.
 */
export function knownPackages(
  named: readonly NamedPackage[],
  hasDefaultSource: boolean,
): readonly KnownPackage[] {
  const tags = new Map<string, Set<string>>()
  for (const {repository, tag} of named) {
    const written = hasDefaultSource && !hasHost(repository) ? `docker.io/${repository}` : repository
    const known = tags.get(written) ?? new Set()
    tags.set(written, tag === undefined ? known : known.add(tag))
  }
  return [...tags]
    .map(([repository, found]) => ({repository, tags: [...found].sort(compareVersions)}))
    .sort((a, b) => compareText(a.repository, b.repository))
}

function hasHost(repository: string): boolean {
  const [first = '', ...path] = repository.split('/')
  return path.length > 0 && (/[.:]/.test(first) || first === 'localhost')
}
