import type {PushResult, RemoteBranch, UnpushedCommit} from '../../commit/repository.js'
import {gitFailed, withoutCredentials} from './git-failure.js'
import type {GitProgram} from './git-program.js'
import {literalPathspec} from './pathspecs.js'

/** A branch of a remote repository. */
export interface RemotePlace {
  /** The name of the repository. */
  readonly remote: string
  readonly branch: string
  readonly url: string
  /** Whether the remote repository has the branch, and it was fetched. */
  readonly exists: boolean
}

/** The remote branch that has the name of the current one. */
export function remoteBranch(place: RemotePlace, git: GitProgram): RemoteBranch {
  const {remote, branch, url} = place
  const shown = withoutCredentials(url)
  return {
    name: remote,
    url: shown,
    branch,
    unpushed: async (paths = []) => await unpushedCommits(paths, place, git),
    push: async commit => await push(commit, {remote, branch, shown}, git),
    async follow() {
      try {
        await git.run(['fetch', '--quiet', '--no-tags', '--', remote, `refs/heads/${branch}`])
        const current = (await git.find(['symbolic-ref', '--quiet', 'HEAD'])).trim()
        if (current !== `refs/heads/${branch}`) throw new Error(`fatal: ${branch} is not the current branch`)
        await git.run(['merge', '--quiet', '--ff-only', 'FETCH_HEAD'])
      } catch (error) {
        throw gitFailed(`fetch ${branch} of ${shown}`, error)
      }
    },
  }
}

async function unpushedCommits(
  paths: readonly string[],
  {remote, branch, exists}: RemotePlace,
  git: GitProgram,
): Promise<readonly UnpushedCommit[]> {
  const known = exists ? `refs/remotes/${remote}/${branch}` : `--remotes=${remote}`
  const newest = ['rev-list', '--max-count=1', 'HEAD', '--not', known, '--', ...paths.map(literalPathspec)]
  // Before the first commit, there is no HEAD.
  const hasHead = (await git.find(['rev-parse', '--verify', '--quiet', 'HEAD'])) !== ''
  const tip = hasHead ? (await git.run(newest)).trim() : ''
  if (tip === '') return []
  const lines = await git.run(['log', '--format=%H %s', tip, '--not', known, '--'])
  return lines.split('\n').flatMap(line => {
    const [, id, subject = ''] = /^([0-9a-f]+) ?(.*)$/.exec(line) ?? []
    return id === undefined ? [] : [{id, subject}]
  })
}

/** Reasons of a rejection, in the lines of `--porcelain`, that a fetch and another commit can resolve. */
const BEHIND =
  /^!\t[^\t]*\t\[(?:rejected|remote rejected)\] \((?:fetch first|non-fast-forward|stale info|cannot lock ref|failed to update ref|incorrect old value)/m

async function push(
  commit: string,
  {remote, branch, shown}: {readonly remote: string; readonly branch: string; readonly shown: string},
  git: GitProgram,
): Promise<PushResult> {
  let messages: readonly string[] = []
  const stderr = (text: string) => {
    messages = serverLines(text)
  }
  const args = ['push', '--porcelain', '--no-force', '--', remote, `${commit}:refs/heads/${branch}`]
  try {
    await git.run(args, {stderr})
    return {kind: 'pushed', messages}
  } catch (error) {
    const failure = gitFailed(`push to ${shown}`, error)
    const {cause} = failure
    if (cause instanceof Error && BEHIND.test(cause.message)) return {kind: 'behind', messages}
    throw failure
  }
}

function serverLines(stderr: string): readonly string[] {
  return stderr.split(/[\r\n]+/).flatMap(line => {
    const [, text = ''] = /^remote: ?(.*)$/.exec(line) ?? []
    return text.trim() === '' ? [] : [withoutCredentials(text.trim())]
  })
}
