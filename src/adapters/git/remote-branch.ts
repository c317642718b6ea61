import {withSuggestions} from '../../errors.js'
import type {PushResult, RemoteBranch, UnpushedCommit} from '../../commit/repository.js'
import {present} from '../../present.js'
import {withoutCredentials} from '../../without-credentials.js'
import {gitFailed} from './git-failure.js'
import type {GitProgram} from './git-program.js'
import {hasCommit} from './head.js'
import {literalPathspec} from './pathspecs.js'
import {remoteFailure} from './remote-failure.js'

/** A branch of a remote repository. */
export interface RemotePlace {
  /** The name of the repository. */
  readonly remote: string
  readonly branch: string
  /** The name that the branch has there. */
  readonly target: string
  readonly url: string
  /** The command that adds its commits to the branch; absent for a temporary clone. */
  readonly rebase?: string
  /** Whether the remote repository has the branch, and it was fetched. */
  readonly exists: boolean
}

/** The local reference of a remote branch, as of the last fetch. */
export function trackingRef({remote, target}: Pick<RemotePlace, 'remote' | 'target'>): string {
  return `refs/remotes/${remote}/${target}`
}

/** The arguments that fetch a remote branch. */
export function fetchArguments(place: Pick<RemotePlace, 'remote' | 'target'>): readonly string[] {
  const refs = `+refs/heads/${place.target}:${trackingRef(place)}`
  return ['fetch', '--quiet', '--no-tags', '--', place.remote, refs]
}

/**
 * The remote branch of the current one of a working tree. `outside` accesses the remote repository: in the user's working
 * tree, to which a relative URL is relative.
 */
export function remoteBranch(place: RemotePlace, git: GitProgram, outside = git): RemoteBranch {
  const {branch, target, url, rebase} = place
  const shown = withoutCredentials(url)
  return {
    url: shown,
    branch,
    target,
    ...present({rebase}),
    unpushed: async (paths = []) => await unpushedCommits(paths, place, git),
    committed: async path => {
      if (!place.exists) return undefined
      const blob = (
        await git.find(['rev-parse', '--verify', '--quiet', `${trackingRef(place)}:${path}`])
      ).trim()
      return blob === '' ? undefined : await git.catFile(['blob', blob])
    },
    push: async commit => await push(commit, place, outside),
    async follow() {
      try {
        await outside.run(fetchArguments(place))
        const current = (await git.find(['symbolic-ref', '--quiet', 'HEAD'])).trim()
        if (current !== `refs/heads/${branch}`) throw new Error(`fatal: ${branch} is not the current branch`)
        await git.run(['merge', '--quiet', '--ff-only', trackingRef(place)])
      } catch (error) {
        throw await remoteFailure(`fetch ${target} of`, place, error, outside)
      }
    },
  }
}

async function unpushedCommits(
  paths: readonly string[],
  place: RemotePlace,
  git: GitProgram,
): Promise<readonly UnpushedCommit[]> {
  const trackingArg = place.exists ? trackingRef(place) : `--remotes=${place.remote}`
  const newest = [
    'rev-list',
    '--max-count=1',
    'HEAD',
    '--not',
    trackingArg,
    '--',
    ...paths.map(literalPathspec),
  ]
  // Before the first commit, there is no HEAD.
  const tip = (await hasCommit(git)) ? (await git.run(newest)).trim() : ''
  if (tip === '') return []
  const lines = await git.run(['log', '--format=%H %s', tip, '--not', trackingArg, '--'])
  return lines.split('\n').flatMap(line => {
    const [, id, subject = ''] = /^([0-9a-f]+) ?(.*)$/.exec(line) ?? []
    return id === undefined ? [] : [{id, subject}]
  })
}

/** Reasons of a rejection, in the lines of `--porcelain`, that a fetch and another commit can resolve. */
const BEHIND =
  /^!\t[^\t]*\t\[(?:rejected|remote rejected)\] \((?:fetch first|non-fast-forward|stale info|cannot lock ref|failed to update ref|incorrect old value)/m

/** A server that rejects a push, such as to a protected branch. */
const REJECTED = /^!\t[^\t]*\t\[remote rejected\]/m

async function push(commit: string, place: RemotePlace, git: GitProgram): Promise<PushResult> {
  const {target} = place
  return await pushRef({options: ['--no-force'], ref: `${commit}:refs/heads/${target}`}, place, git, [
    'Pass --branch with a new name and open a pull request if the branch is protected.',
  ])
}

/** A reference to push, and the options of `git push`. */
interface RefPush {
  readonly options: readonly string[]
  readonly ref: string
}

/** Pushes a reference. @param suggestions - the next steps if the server rejects it. */
export async function pushRef(
  {options, ref}: RefPush,
  place: Pick<RemotePlace, 'remote' | 'url'>,
  git: GitProgram,
  suggestions: readonly string[],
): Promise<PushResult> {
  let messages: readonly string[] = []
  const stderr = (text: string) => {
    messages = serverLines(text)
  }
  try {
    await git.run(['push', '--porcelain', ...options, '--', place.remote, ref], {stderr})
    return {kind: 'pushed', messages}
  } catch (error) {
    const {cause} = gitFailed('push', error)
    if (cause instanceof Error && BEHIND.test(cause.message)) return {kind: 'behind', messages}
    const failure = await remoteFailure('push to', place, error, git)
    const isRejected = cause instanceof Error && REJECTED.test(cause.message)
    if (!isRejected) throw failure
    throw withSuggestions(failure, suggestions)
  }
}

function serverLines(stderr: string): readonly string[] {
  return stderr.split(/[\r\n]+/).flatMap(line => {
    const [, text = ''] = /^remote: ?(.*)$/.exec(line) ?? []
    // With its prefix, no line of a server is a command for CI, such as `::error`.
    return text.trim() === '' ? [] : [`remote: ${withoutCredentials(text.trim())}`]
  })
}
