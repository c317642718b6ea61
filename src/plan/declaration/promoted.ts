import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import {type Lock, type LockedPackage, lockedVersions, type LockedXpkg} from '../../declaration/lock.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import {compareText} from '../../reference/compare-text.js'
import {type Nameable, namedToRead, nearNames, notFound} from '../../reference/named.js'
import {escaped, listSome} from '../../text.js'
import {declaredEntries, declaredNames} from './declared-names.js'
import {constraintErrors, withFormerVersion} from './rolled-back.js'

/** The lock that versions come from, and its name in messages. */
export interface PromotionSource {
  readonly name: string
  readonly lock: Lock
}

/** What a promotion moves, and what only one of both locks has: repositories, sorted. */
export interface PromotedPackages {
  /** The packages that both locks have, of those that are named. */
  readonly moved: readonly string[]
  readonly onlyInSource: readonly string[]
  readonly onlyInTarget: readonly string[]
}

/** Finds the packages that both locks have. Throws `not-found` for a named one that one of them lacks. */
export function promotedPackages(
  source: PromotionSource,
  target: PromotionSource,
  names: readonly string[],
): PromotedPackages {
  const [theirs, own] = [lockedVersions(source.lock), lockedVersions(target.lock)]
  const named = names.map(text => repositoryNamed(text, source, target))
  const common = [...own.keys()].filter(name => theirs.has(name))
  return {
    moved: (names.length === 0 ? common : [...new Set(named)]).sort(compareText),
    onlyInSource: [...theirs.keys()].filter(name => !own.has(name)).sort(compareText),
    onlyInTarget: [...own.keys()].filter(name => !theirs.has(name)).sort(compareText),
  }
}

/** Nothing would be promoted for a name that is misspelled. */
function repositoryNamed(text: string, source: PromotionSource, target: PromotionSource): string {
  const {repository} = namedToRead({text, action: 'promote'}, nameables(source.lock))[0] ?? {}
  if (repository === undefined) throw notInLock(text, source)
  if (!lockedVersions(target.lock).has(repository)) throw notInLock(repository, target)
  return repository
}

function nameables({packages, xpkgs = []}: Lock): readonly Nameable[] {
  return [
    ...packages.map(({identity}) => ({repository: identity})),
    ...xpkgs.map(({repository}) => ({repository})),
  ]
}

function notInLock(text: string, {name, lock}: PromotionSource): CrossplaneError {
  return notFound({kind: 'package', name: text, place: `the lock ${name}`}, [
    ...nearNames({text}, nameables(lock)),
    'Pass repositories that the locks of both homes have.',
  ])
}

/** Returns the declaration with the pins of moved packages as their new versions; entries without a pin stay. */
export function withPromotedPins(file: DeclarationFile, moved: readonly string[], source: Lock): string {
  const declaration = readDeclaration(file.name, file.bytes)
  const {all} = declaredEntries(declaration, declaration.defaultSource)
  const tags = new Map(moved.map(name => [name, tagIn(source, name)]))
  const names = all.flatMap(({identity, image}) => {
    const tag = tags.get(identity)
    return tag === undefined || image.tag === undefined || image.tag === tag ? [] : [`${identity}:${tag}`]
  })
  return declaredNames(file, {names}).text
}

function tagIn({packages, xpkgs = []}: Lock, name: string): string | undefined {
  return (
    packages.find(({identity}) => identity === name)?.tag ??
    xpkgs.find(({repository}) => repository === name)?.tag
  )
}

/** Returns the lock with the versions of moved packages, also of those that it did not have. */
export function withPromotedVersions(lock: Lock, moved: readonly string[], source: Lock): Lock {
  return moved.reduce((all, repository) => withPromoted(all, repository, source), lock)
}

function withPromoted(lock: Lock, repository: string, source: Lock): Lock {
  const stack = source.packages.find(({identity}) => identity === repository)
  const xpkg = source.xpkgs?.find(own => own.repository === repository)
  if (lockedVersions(lock).has(repository))
    return withFormerVersion(lock, {repository, ...present({stack, xpkg})})
  return {
    ...lock,
    packages: stack === undefined ? lock.packages : [...lock.packages, stack],
    ...(xpkg === undefined ? {} : {xpkgs: [...(lock.xpkgs ?? []), xpkg]}),
  }
}

/**
 * Returns the packages that a resolution added or moved besides, of those that the source has: their versions have to come from there
 * too, so that what was tried together stays together.
 */
export function alsoPromoted(
  before: Lock,
  after: Lock,
  moved: readonly string[],
  source: Lock,
): readonly string[] {
  const [old, theirs] = [lockedVersions(before), lockedVersions(source)]
  return [...lockedVersions(after)].flatMap(([name, version]) => {
    const isOther = old.get(name) !== version && theirs.get(name) !== version
    return isOther && theirs.has(name) && !moved.includes(name) ? [name] : []
  })
}

/**
 * Throws `unresolvable`, with the constraints on it, for a package that does not have the version of the source, and
 * `digest-mismatch` for one that has another digest.
 */
export function expectPromoted(
  lock: Lock,
  moved: readonly string[],
  {name, lock: source}: PromotionSource,
): void {
  for (const repository of moved) expectVersion(lock, repository, source)
  const [own, theirs] = [lockedVersions(lock), lockedVersions(source)]
  const others = moved.filter(
    repository => own.has(repository) && own.get(repository) !== theirs.get(repository),
  )
  if (others.length === 0) return
  throw new CrossplaneError(
    'digest-mismatch',
    `cannot promote ${listSome(others.map(escaped))}: the content is not that of ${name}`,
    {
      diagnostics: others.map(repository => ({
        severity: 'error',
        rule: 'locked-digest',
        message: `${escaped(repository)} is locked as ${theirs.get(repository) ?? ''} and is now ${own.get(repository) ?? ''}`,
      })),
      suggestions: ['Find out why the content of the tag changed, and upgrade the first home again.'],
    },
  )
}

function expectVersion(lock: Lock, repository: string, source: Lock): void {
  const [wanted, selected] = [source, lock].map(one => versionText(lockedIn(one, repository)))
  if (wanted === selected || selected === '') return
  const message = `cannot promote ${escaped(repository)} ${escaped(wanted ?? '')}: the constraints select ${escaped(selected ?? '')}`
  throw new CrossplaneError('unresolvable', message, {
    diagnostics: constraintErrors(repository, lock, wanted ?? ''),
    suggestions: ['Change these constraints first, or name the packages to promote with --only.'],
  })
}

function lockedIn({packages, xpkgs = []}: Lock, repository: string): LockedPackage | LockedXpkg | undefined {
  return (
    packages.find(({identity}) => identity === repository) ?? xpkgs.find(own => own.repository === repository)
  )
}

function versionText({tag, digest}: Partial<Pick<LockedXpkg, 'tag' | 'digest'>> = {}): string {
  return tag ?? digest ?? ''
}
