import type {Checkout, CommitFacts} from '../../commit/checkout.js'
import {ENTRIES_FOLDER} from '../../declaration/entries/entry-files.js'
import {wholeLock} from '../../declaration/entries/read-entries.js'
import {type Lock, type LockedPackage, type LockedXpkg, lockedNames} from '../../declaration/lock.js'
import {readLock} from '../../declaration/read-lock.js'
import {CrossplaneError} from '../../errors.js'
import type {PromotionSource} from '../../plan/declaration/promoted.js'
import {type HomePlace, pathInHome} from '../../plan/folder/home.js'
import {present} from '../../present.js'
import {namedToRead, nearNames, notFound} from '../../reference/named.js'
import {quoted} from '../../text.js'
import {committedEntries} from './committed-home.js'

type History = Pick<Checkout, 'state' | 'mainlineOf' | 'commitNamed' | 'committedFiles'>

/** The package that a rollback returns to. */
export interface FormerPackage {
  /** The hash of the commit. */
  readonly commit: string
  readonly repository: string
  /** What the lock of the commit has of it, in one of the formats. */
  readonly stack?: LockedPackage
  readonly xpkg?: LockedXpkg
}

/** A version of a package that commits have in the lock. */
export interface LockedRevision {
  /** The commit that brought it. */
  readonly commit: CommitFacts
  /** The tag, or the digest of a package without one; absent where the commit removed the package. */
  readonly version?: string
  readonly digest?: string
}

/** The versions of a package in the history of a lock. */
export interface LockedHistory {
  /** The full repository name. */
  readonly package: string
  /** Oldest first; the last one is that of HEAD. */
  readonly revisions: readonly LockedRevision[]
  /** Whether there are older ones. */
  readonly isCut: boolean
}

/** As many as the cluster keeps of an install. */
const MAX_REVISIONS = 10
/** The commits of the lock that are looked at. */
const MAX_COMMITS = 500

/** Reads which versions of a package the commits of a lock have. Throws `not-found`, and the errors of reading locks. */
export async function lockedHistory(
  name: string,
  place: HomePlace,
  checkout: History,
): Promise<LockedHistory> {
  // The lock of a branch that was merged lacks what the others changed meanwhile.
  const commits = await checkout.mainlineOf([place.lock, pathInHome(place, ENTRIES_FOLDER)], MAX_COMMITS)
  const revisions: LockedRevision[] = []
  let repository: string | undefined
  let newest: Lock | undefined
  // Until a lock has the package, which tells its repository, the commits are without it.
  let removal: CommitFacts | undefined
  for (const commit of commits) {
    const lock = await lockIn(commit.id, place, checkout)
    newest ??= lock
    repository ??= repositoryIn(name, lock)
    if (repository === undefined) {
      removal = commit
      continue
    }
    if (removal !== undefined && revisions.length === 0) revisions.push({commit: removal})
    addOlder(revisions, {commit, ...versionOf(formerIn(lock, repository))})
    if (revisions.length > MAX_REVISIONS) break
  }
  if (repository === undefined) throw notLocked(name, place, newest)
  const isCut = revisions.length > MAX_REVISIONS || commits.length === MAX_COMMITS
  return {package: repository, revisions: shownRevisions(revisions, isCut), isCut}
}

/** A commit with the same version as the next one brought it, if no older one did. */
function addOlder(revisions: LockedRevision[], revision: LockedRevision): void {
  const newer = revisions.at(-1)
  if (newer?.version === revision.version && newer?.digest === revision.digest) revisions.pop()
  revisions.push(revision)
}

/** Returns revisions from the oldest on. Before its first version, the lock did not have the package. */
function shownRevisions(revisions: readonly LockedRevision[], isCut: boolean): readonly LockedRevision[] {
  const isBefore = !isCut && revisions.at(-1)?.version === undefined
  return revisions.slice(0, isBefore ? -1 : MAX_REVISIONS).reverse()
}

/**
 * Finds the version of a package to return to: that of a commit, or the one before the present one. Throws `not-found` where there
 * is none.
 */
export async function formerPackage(
  {name, to}: {readonly name: string; readonly to?: string},
  place: HomePlace,
  checkout: History,
): Promise<FormerPackage> {
  const lock = await lockIn('HEAD', place, checkout)
  const repository = repositoryIn(name, lock)
  if (repository === undefined) throw withoutPresent(await lockedHistory(name, place, checkout))
  const commit =
    to === undefined ? await commitBefore(repository, place, checkout) : await checkout.commitNamed(to)
  if (commit === undefined) throw withoutCommit(repository, to)
  const former = formerIn(await lockIn(commit.id, place, checkout), repository)
  if (former.stack === undefined && former.xpkg === undefined) {
    throw withoutVersion(repository, `the lock of ${to ?? commit.id} does not have it`)
  }
  return {commit: commit.id, repository, ...former}
}

/** The commit that brought the last version other than that of HEAD. */
async function commitBefore(
  repository: string,
  place: HomePlace,
  checkout: History,
): Promise<CommitFacts | undefined> {
  const {revisions} = await lockedHistory(repository, place, checkout)
  return revisions.slice(0, -1).findLast(({version}) => version !== undefined)?.commit
}

/** Reads the lock of a commit; undefined if it has none. */
export async function lockIn(
  commit: string,
  place: HomePlace,
  checkout: Pick<History, 'state' | 'committedFiles'>,
): Promise<Lock | undefined> {
  const folder = pathInHome(place, ENTRIES_FOLDER)
  const {root} = await checkout.state()
  const files = await checkout.committedFiles([place.lock, `${folder}/`], commit)
  const split = await wholeLock(committedEntries(folder, root, files))
  const bytes = split?.bytes ?? files.get(place.lock)
  return bytes === undefined ? undefined : readLock(`${root}/${place.lock}`, bytes)
}

/**
 * Reads the lock of a home as HEAD has it, to take versions of. Throws `not-found` without one, with the name of the file if it is read
 * without a commit.
 */
export async function committedSource(
  place: HomePlace,
  checkout: Pick<History, 'state' | 'committedFiles'>,
  file?: string,
): Promise<PromotionSource> {
  const lock = await lockIn('HEAD', place, checkout)
  if (lock !== undefined) return {name: place.lock, lock}
  const cause =
    file === undefined ? `${place.lock} is not in the commit` : `${file}: no such file or directory`
  throw new CrossplaneError('not-found', `cannot promote packages: ${cause}`, {
    suggestions: ['Pass the folders of two homes of the repository, such as crossplane/staging.'],
  })
}

function formerIn(lock: Lock | undefined, repository: string): Pick<FormerPackage, 'stack' | 'xpkg'> {
  return present({
    stack: lock?.packages.find(({identity}) => identity === repository),
    xpkg: lock?.xpkgs?.find(own => own.repository === repository),
  })
}

function versionOf({stack, xpkg}: Pick<FormerPackage, 'stack' | 'xpkg'>) {
  const {tag, digest} = stack ?? xpkg ?? {}
  return present({version: tag ?? digest, digest})
}

function repositoryIn(text: string, lock: Lock | undefined): string | undefined {
  if (lock === undefined) return undefined
  return namedToRead({text, action: 'find'}, lockedNames(lock))[0]?.repository
}

function notLocked(name: string, {lock: file}: HomePlace, lock: Lock | undefined): CrossplaneError {
  return notFound({kind: 'package', name, place: `the commits of ${file}`}, [
    ...(lock === undefined ? [] : nearNames({text: name}, lockedNames(lock))),
    'Pass the repository of the package, and --path with the folder of the declaration.',
  ])
}

function withoutCommit(repository: string, to: string | undefined): CrossplaneError {
  return withoutVersion(
    repository,
    to === undefined ? 'no commit has another version' : `${quoted(to)} is not a commit of the repository`,
  )
}

/** The error for a package that the lock has no more: there is nothing to roll back. */
function withoutPresent({package: repository, revisions}: LockedHistory): CrossplaneError {
  const removal = revisions.findLast(({version}) => version === undefined)
  const {version, digest} = revisions.findLast(one => one.version !== undefined) ?? {}
  const where = removal === undefined ? '' : ` in ${removal.commit.id.slice(0, SHOWN_HASH)}`
  const reference = `${repository}${version === digest ? '@' : ':'}${version ?? ''}`
  return new CrossplaneError('not-found', `cannot roll back ${repository}: it was uninstalled${where}`, {
    suggestions: [`Install ${reference} again, with the same --git and --path.`],
  })
}

/** The first digits of a hash, as lists of commits have them. */
const SHOWN_HASH = 12

function withoutVersion(repository: string, cause: string): CrossplaneError {
  return new CrossplaneError('not-found', `cannot roll back ${repository}: ${cause}`, {
    suggestions: ['List its versions with package history and the same --git and --path.'],
  })
}
