import type {CommitFacts} from '../../commit/checkout.js'
import {gitFailed} from './git-failure.js'
import type {GitProgram} from './git-program.js'
import {hasCommit} from './head.js'
import {literalPathspec} from './pathspecs.js'

/** No text of a commit has this character. */
const END = '\0'

/** Returns the newest commits that changed a file, newest first; none before the first commit. */
export async function commitsOf(path: string, max: number, git: GitProgram): Promise<readonly CommitFacts[]> {
  if (!(await hasCommit(git))) return []
  const args = [
    'log',
    '-z',
    `--max-count=${max}`,
    '--format=%H%n%cI%n%an%n%s',
    '--no-show-signature',
    '--no-color',
  ]
  try {
    const output = await git.run([...args, 'HEAD', '--', literalPathspec(path)])
    return output.split(END).flatMap(text => {
      const [id = '', time = '', author = '', ...subject] = text.split('\n')
      return id === '' ? [] : [{id, time, author, subject: subject.join(' ').trim()}]
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
