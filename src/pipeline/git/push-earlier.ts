import type {RemoteBranch, UnpushedCommit} from '../../commit/repository.js'
import {readLock} from '../../declaration/read-lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {ENTRIES_FOLDER} from '../../declaration/entries/entry-files.js'
import {type HomePlace, pathInHome} from '../../plan/folder/home.js'
import {count, escaped, listSome} from '../../text.js'
import {committedHome, type HomePorts} from '../home/committed-home.js'
import {nextRemoval} from './requested-lock.js'
import {hasInstall} from '../../plan/declaration/requested-removal.js'

/** The commits that a remote branch lacks, newest first. */
export interface UnpushedCommits {
  readonly all: readonly UnpushedCommit[]
  /** Those up to the newest that changes the home, such as that of a run that ended before its push. */
  readonly ofHome: readonly UnpushedCommit[]
}

/** Lists the commits of a branch that are not pushed; none without a remote branch. */
export async function unpushedCommits(
  place: HomePlace,
  remote: RemoteBranch | undefined,
  ports: HomePorts,
): Promise<UnpushedCommits> {
  if (remote === undefined) return {all: [], ofHome: []}
  const {declaration, lock} = place
  const {tree} = await committedHome(place, await ports.checkout.state(), ports)
  return {
    all: await remote.unpushed(),
    ofHome: await remote.unpushed([declaration, lock, pathInHome(place, ENTRIES_FOLDER), tree]),
  }
}

/**
 * Pushes commits, newest first, that were made before; returns what the server printed. Throws `git-refused` if the remote
 * branch has other commits, and `git-failed`; the commits stay.
 */
export async function pushEarlier(
  [newest]: readonly UnpushedCommit[],
  remote: RemoteBranch,
): Promise<readonly string[]> {
  if (newest === undefined) return []
  const {kind, messages} = await remote.push(newest.id)
  if (kind === 'pushed') return messages
  const message = `cannot push to ${remote.url}: ${remote.branch} lacks commits of the remote branch`
  throw new CrossplaneError('git-refused', message, {
    suggestions: remote.rebase === undefined ? [] : [remote.rebase],
  })
}

/**
 * Returns the install of which an uninstall removes more once earlier commits were deployed; undefined if these remove
 * the last of it. Throws `not-found` for an install that neither HEAD nor the remote branch has.
 */
export async function stillInstalled(
  name: string,
  place: HomePlace,
  remote: RemoteBranch | undefined,
  ports: HomePorts,
): Promise<string | undefined> {
  const base = await committedHome(place, await ports.checkout.state(), ports)
  try {
    return nextRemoval({name}, base).key
  } catch (error) {
    if (!(error instanceof CrossplaneError && error.code === 'not-found')) throw error
    const bytes = await remote?.committed(place.lock)
    if (bytes !== undefined && hasInstall(readLock(base.lock.name, bytes), name)) return undefined
    throw error
  }
}

/** Returns the note for commits that a push publishes, too; none if there are none. */
export function earlierNotes(commits: readonly UnpushedCommit[]): readonly Diagnostic[] {
  if (commits.length === 0) return []
  const names = commits.map(({id, subject}) => `${id.slice(0, 12)} (${escaped(subject)})`)
  const message = `${count(commits.length, 'earlier commit')} will be pushed: ${listSome(names, 10)}`
  return [{severity: 'note', rule: 'unpushed-commits', message}]
}
