import type {PushResult, RemoteBranch} from '../../commit/repository.js'
import {gitFailed, withoutCredentials} from './git-failure.js'
import type {GitProgram} from './git-program.js'

/** The remote branch that has the name of the current one. */
export function remoteBranch(
  {remote, branch, url}: {readonly remote: string; readonly branch: string; readonly url: string},
  git: GitProgram,
): RemoteBranch {
  const shown = withoutCredentials(url)
  return {
    url: shown,
    branch,
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
