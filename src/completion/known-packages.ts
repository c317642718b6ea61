import type {Declaration} from '../declaration/declaration.js'
import type {Lock} from '../declaration/lock.js'
import {installKey} from '../declaration/lock.js'
import {compareText} from '../reference/compare-text.js'
import {isTag, parseImageName} from '../reference/image-name.js'
import {compareVersions} from '../reference/newest-version.js'
import type {KnownPackage} from './complete-package.js'

/** A package with the tag that a source names, if it names one. */
export interface NamedPackage {
  /** Without the host of docker.io. */
  readonly repository: string
  readonly tag?: string
  /** Whether it is found under this name in any registry, so also with a default source. */
  readonly inAnyRegistry?: boolean
}

/** Returns the packages of a lock. */
export function packagesInLock({packages}: Lock): readonly NamedPackage[] {
  return packages.map(({identity, tag}) => ({repository: identity, tag}))
}

/** Returns the installs of a lock, as `NAMESPACE/NAME`. */
export function installsInLock({packages}: Lock): readonly string[] {
  return packages.flatMap(({installs}) => installs.map(installKey)).sort()
}

/** Returns the packages of a folder. A path that is not a repository cannot be referred to. */
export function packagesInFolder(
  versions: readonly {readonly repositoryPath: string; readonly tag: string}[],
): readonly NamedPackage[] {
  return versions
    .filter(({repositoryPath, tag}) => isRepositoryPath(repositoryPath) && isTag(tag))
    .map(({repositoryPath, tag}) => ({repository: repositoryPath, tag, inAnyRegistry: true}))
}

/** The first part of a name with a host would be the registry, whose name has no folder. */
function isRepositoryPath(text: string): boolean {
  return parseImageName(text)?.path === text
}

/** Returns the packages of a declaration, as they are written in it. */
export function packagesInDeclaration({packages}: Declaration): readonly NamedPackage[] {
  return packages.flatMap(declaredPackage => {
    const [, repository, tag] = /^([^@]+?)(?::([^/:@]+))?(?:@.*)?$/.exec(declaredPackage.package ?? '') ?? []
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
  for (const {repository, tag, inAnyRegistry = false} of named) {
    const needsHost = hasDefaultSource && !inAnyRegistry && !hasHost(repository)
    const text = needsHost ? `docker.io/${repository}` : repository
    const knownTags = tags.get(text) ?? new Set()
    tags.set(text, tag === undefined ? knownTags : knownTags.add(tag))
  }
  return [...tags]
    .map(([repository, repositoryTags]) => ({repository, tags: [...repositoryTags].sort(compareVersions)}))
    .sort((a, b) => compareText(a.repository, b.repository))
}

function hasHost(repository: string): boolean {
  const [first = '', ...path] = repository.split('/')
  return path.length > 0 && (/[.:]/.test(first) || first === 'localhost')
}
