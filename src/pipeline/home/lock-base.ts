import type {Checkout, CommitFacts} from '../../commit/checkout.js'
import {ENTRIES_FOLDER, LOCK_ENDING} from '../../declaration/entries/entry-files.js'
import type {Lock} from '../../declaration/lock.js'
import {CrossplaneError} from '../../errors.js'
import {type HomePlace, pathInHome} from '../../plan/folder/home.js'
import {listAll, quoted, shellWord} from '../../text.js'
import {lockIn} from './locked-history.js'

/** A lock that a change is compared with. */
export interface LockBase {
  /** The branch or revision, as it is named in the repository. */
  readonly name: string
  /** Absent if the commit has no lock. */
  readonly lock?: Lock
  /** The path that the lock has in the commit, if it was moved since. */
  readonly movedFrom?: string
}

/** Where a lock is compared from: what a user names, or else what CI names. */
export interface BaseQuery {
  readonly since?: string
  /** The branch that CI merges the change into. */
  readonly branch?: string | undefined
}

type History = Pick<
  Checkout,
  'state' | 'mainlineOf' | 'commitNamed' | 'committedFiles' | 'pathsBelow' | 'mergeBase'
>

/**
 * Reads the lock of the merge base of HEAD and a branch: what HEAD has, and the branch had not when both parted. Throws `not-found` where
 * no branch is named, the repository lacks its history, or it is open which lock was moved: a lock that is not compared must not pass.
 */
export async function lockBase(query: BaseQuery, place: HomePlace, checkout: History): Promise<LockBase> {
  const {name, commit} = await namedCommit(candidates(query), place, checkout)
  const base = await checkout.mergeBase(commit.id)
  if (base === undefined) {
    const {isShallow = false} = await checkout.state()
    throw unjudged(place, `HEAD has no commit in common with ${name}`, [
      isShallow ? 'git fetch --unshallow' : 'Pass --since with a branch that HEAD was created from.',
    ])
  }
  const lock = await lockIn(base, place, checkout)
  if (lock !== undefined) return {name, lock}
  const former = await formerPlace({name, base}, place, checkout)
  const moved = former && (await lockIn(base, former, checkout))
  return former === undefined || moved === undefined ? {name} : {name, lock: moved, movedFrom: former.lock}
}

/** Returns the home that HEAD lacks, and that is in another folder now; undefined if there is none. Throws `not-found` for several. */
async function formerPlace(
  {name, base}: {readonly name: string; readonly base: string},
  place: HomePlace,
  checkout: Pick<History, 'pathsBelow'>,
): Promise<HomePlace | undefined> {
  const kept = lockFolders(await checkout.pathsBelow(''), place)
  const gone = [...lockFolders(await checkout.pathsBelow('', base), place)].filter(path => !kept.has(path))
  const alike = gone.filter(folder => nameOf(folder) === nameOf(place.folder))
  if (gone.length === 0) return undefined
  const [folder, ...others] = gone.length === 1 ? gone : alike
  if (folder !== undefined && others.length === 0) return placeIn(folder, place)
  const locks = listAll(gone.map(path => placeIn(path, place).lock))
  throw unjudged(place, `${name} has ${locks} instead, and each can be its former one`, [
    'Move each declaration in a change of its own.',
  ])
}

/** Returns the folders that have a lock of this name, or one in several files. */
function lockFolders(paths: readonly string[], {lock}: HomePlace): ReadonlySet<string> {
  return new Set(
    paths.flatMap(path => {
      const folder = folderOf(path)
      if (nameOf(path) === nameOf(lock)) return [folder]
      return path.endsWith(LOCK_ENDING) && nameOf(folder) === ENTRIES_FOLDER ? [folderOf(folder)] : []
    }),
  )
}

function placeIn(folder: string, {declaration, lock}: HomePlace): HomePlace {
  const inFolder = (path: string) => pathInHome({folder}, nameOf(path))
  return {folder, declaration: inFolder(declaration), lock: inFolder(lock)}
}

function folderOf(path: string): string {
  return path.split('/').slice(0, -1).join('/')
}

function nameOf(path: string): string {
  return path.split('/').at(-1) ?? ''
}

/** In CI, the branches of a clone are those of its remote repository. */
function candidates({since, branch}: BaseQuery): readonly string[] {
  if (since !== undefined) return [since, `origin/${since}`]
  return branch === undefined ? ['origin/HEAD'] : [`origin/${branch}`, branch]
}

async function namedCommit(
  names: readonly string[],
  place: HomePlace,
  checkout: History,
): Promise<{readonly name: string; readonly commit: CommitFacts}> {
  for (const name of names) {
    const commit = await checkout.commitNamed(name)
    if (commit !== undefined) return {name, commit}
  }
  const [name = ''] = names
  if (name === 'origin/HEAD') {
    throw unjudged(place, 'no branch is named to compare it with', [
      'Pass --since with the branch that the change is merged into, such as --since origin/main.',
    ])
  }
  const branch = name.replace(/^origin\//, '')
  throw unjudged(place, `${quoted(name)} is not a commit of the repository`, [
    `git fetch origin ${shellWord(`${branch}:refs/remotes/origin/${branch}`)}`,
  ])
}

function unjudged({lock}: HomePlace, cause: string, suggestions: readonly string[]): CrossplaneError {
  const message = `cannot judge the effects of ${lock} on objects: ${cause}`
  return new CrossplaneError('not-found', message, {suggestions})
}
