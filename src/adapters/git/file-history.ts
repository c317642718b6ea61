import type {CommitFacts} from '../../commit/checkout.js'
import {gitFailed} from './git-failure.js'
import type {GitProgram} from './git-program.js'
import {hasCommit} from './head.js'
import {literalPathspec} from './pathspecs.js'

/** No text of a commit has this character. */
const END = '\0'

/** The facts of a commit, as `git log` prints them. */
const LOG = ['log', '-z', '--format=%H%n%P%n%cI%n%an%n%s', '--no-show-signature', '--no-color'] as const

/**
 * Returns the newest commits that changed one of these files or folders, newest first; none before the first commit. Those of merged
 * branches can be left out: then the merge has changed the files.
 */
export async function commitsOf(
  paths: readonly string[],
  {max, isMainline = false}: {readonly max: number; readonly isMainline?: boolean},
  git: GitProgram,
): Promise<readonly CommitFacts[]> {
  if (!(await hasCommit(git))) return []
  const parents = isMainline ? ['--first-parent'] : []
  const commits = await logged(
    [`--max-count=${max}`, ...parents, 'HEAD', '--', ...paths.map(literalPathspec)],
    git,
  )
  return commits.map(({facts, isMerge}) => (isMerge && !isMainline ? {...facts, isMerge} : facts))
}

/** Returns the commit that a revision names; undefined if it names none. */
export async function commitNamed(revision: string, git: GitProgram): Promise<CommitFacts | undefined> {
  const id = await git.find(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`])
  if (id === '') return undefined
  return (await logged(['--max-count=1', id.trim(), '--'], git))[0]?.facts
}

/** Returns the best common ancestor of HEAD and a commit; undefined if the repository has none, as after a shallow clone. */
export async function mergeBase(commit: string, git: GitProgram): Promise<string | undefined> {
  const id = (await git.find(['merge-base', 'HEAD', commit])).trim()
  return id === '' ? undefined : id
}

interface LoggedCommit {
  readonly facts: CommitFacts
  readonly isMerge: boolean
}

async function logged(args: readonly string[], git: GitProgram): Promise<readonly LoggedCommit[]> {
  try {
    const output = await git.run([...LOG, ...args])
    return output.split(END).flatMap(text => {
      const [id = '', parents = '', time = '', author = '', ...subject] = text.split('\n')
      if (id === '') return []
      const facts = {id, time, author, subject: subject.join(' ').trim()}
      return [{facts, isMerge: parents.includes(' ')}]
    })
  } catch (error) {
    throw gitFailed('read the history', error)
  }
}

/** Returns the content of a file in a commit, as a checkout writes it; undefined if it has no such file. */
export async function contentIn(
  commit: string,
  path: string,
  git: GitProgram,
): Promise<Uint8Array | undefined> {
  const blob = (await git.find(['rev-parse', '--verify', '--quiet', `${commit}:${path}`])).trim()
  if (blob === '') return undefined
  try {
    return await git.catFile(['--filters', `--path=${path}`, blob])
  } catch (error) {
    throw gitFailed('read the history', error)
  }
}
