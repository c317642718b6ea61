import {stat} from 'node:fs/promises'
import type {Checkout, CommitStyle} from '../../commit/checkout.js'
import type {Repository} from '../../commit/repository.js'
import type {BranchMove, BranchResult, UpdatePlace, UpdateRepository} from '../../commit/update-repository.js'
import {CrossplaneError} from '../../errors.js'
import type {CheckoutState} from '../../plan/git/checkout-snapshot.js'
import type {CommitObject} from '../../plan/git/update-seal.js'
import {present} from '../../present.js'
import {shellWord} from '../../text.js'
import {withoutCredentials} from '../../without-credentials.js'
import {hasBranch, hasRemoteBranch} from './branch-exists.js'
import {openCheckout} from './checkout.js'
import {credentialConfig} from './credential-config.js'
import {remoteOf} from './followed-remote.js'
import {gitFailed, withoutBranch} from './git-failure.js'
import {type GitProgram, gitIn} from './git-program.js'
import {detachedWorktree} from './linked-worktree.js'
import {expectBranchName, openRepository} from './open-repository.js'
import {fetchArguments, pushRef, trackingRef} from './remote-branch.js'
import {remoteFailure, unreachable} from './remote-failure.js'

/**
 * Opens a repository for updates of a branch, in a temporary working tree; that of the user stays as it is. Throws `usage` and
 * `git-refused`.
 */
export async function openUpdates(place: UpdatePlace): Promise<UpdateRepository> {
  expectBranchName(place.branch)
  const stats = await stat(place.git).catch(() => undefined)
  return stats?.isDirectory() === true ? await openFolder(place) : await openUrl(place)
}

/** Where branches are: in the repository itself, or in a remote one. */
interface BranchPlace {
  readonly target: string
  readonly base: string
  readonly remote?: {readonly remote: string; readonly url: string}
  /** Whether it is our own clone, which others do not use. */
  readonly isClone?: boolean
}

async function openFolder({git: folder, branch, remote, push}: UpdatePlace): Promise<UpdateRepository> {
  const state = await stateOf(folder)
  const git = await gitIn(state.root)
  const target = branch ?? state.branch
  if (target === undefined) throw detached(folder)
  const place = push
    ? await remotePlace(target, remote, {root: state.root, git})
    : await localPlace(target, folder, git)
  const {checkout, close} = await detachedWorktree(state.root, place.base)
  const {root: at} = await checkout.state()
  const shown = (text: string) =>
    text.replaceAll(`${at}/`, () => `${target}:`).replaceAll(at, () => state.root)
  return updatesIn({name: folder, checkout, close, shown}, place, await gitIn(at), git)
}

async function stateOf(folder: string): Promise<CheckoutState> {
  try {
    return await (await openCheckout(folder)).state()
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const {code, message, cause, suggestions} = error
    // Updates are of a repository that there is: a new one has no declaration.
    const next = suggestions.map(one => (one.startsWith('git init ') ? ELSEWHERE : one))
    throw new CrossplaneError(code, message, {cause, suggestions: next})
  }
}

const ELSEWHERE = 'Pass --git with a folder or the URL of the repository that has the declaration.'

function detached(folder: string): CrossplaneError {
  return new CrossplaneError('git-refused', `cannot update packages: HEAD of ${folder} is not a branch`, {
    suggestions: ['Pass --branch with the branch that the updates are for.'],
  })
}

async function localPlace(target: string, folder: string, git: GitProgram): Promise<BranchPlace> {
  if (!(await hasBranch(target, git)))
    throw withoutBranch(target, folder, `git -C ${shellWord(folder)} branch`)
  return {target, base: (await git.run(['rev-parse', `refs/heads/${target}`])).trim()}
}

/** Updates are made of what others have: the remote branch. */
async function remotePlace(
  branch: string,
  requested: string | undefined,
  tree: {readonly root: string; readonly git: GitProgram},
): Promise<BranchPlace> {
  const {git} = tree
  const remote = await remoteOf(branch, requested, tree)
  try {
    if (!(await hasRemoteBranch(remote.remote, remote.target, git))) {
      const name = withoutCredentials(remote.url)
      throw withoutBranch(remote.target, name, `git ls-remote --heads ${shellWord(remote.remote)}`)
    }
    await git.run(fetchArguments(remote))
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'not-found') throw error
    throw await unreachable(remote, error, git)
  }
  const base = (await git.run(['rev-parse', trackingRef(remote)])).trim()
  return {target: remote.target, base, remote}
}

async function openUrl({git: url, branch, tree}: UpdatePlace): Promise<UpdateRepository> {
  const repository = await openRepository({
    ...{git: url, push: true, tree, isRead: true, hasHistory: false},
    ...present({branch}),
  })
  const {checkout} = repository
  try {
    const {root, branch: current = '', head} = await checkout.state()
    if (head === undefined) throw empty(repository.name)
    const {config, url: address} = credentialConfig(url)
    const git = await gitIn(root, config)
    await git.run(['checkout', '--quiet', '--detach'])
    const place = {target: current, base: head, remote: {remote: 'origin', url: address}, isClone: true}
    const work = await openCheckout(root, config, {isDetached: true})
    return updatesIn({...repository, checkout: work}, place, git, git)
  } catch (error) {
    await repository.close()
    throw error
  }
}

function empty(name: string): CrossplaneError {
  return new CrossplaneError('git-refused', `cannot update packages: ${name} has no commit`)
}

/** The reference of the versions that were seen, which no one merges or checks out. */
const SEEN = 'refs/crossplane-update/seen'
const SEEN_FILE = 'seen.json'

async function readSeen(remote: Remote, git: GitProgram, outside: GitProgram) {
  const listed =
    remote === undefined
      ? await outside.find(['rev-parse', '--verify', '--quiet', SEEN])
      : await outside.run(['ls-remote', '--', remote.remote, SEEN])
  const [commit = ''] = listed.trim().split(/\s/)
  if (commit === '') return {text: ''}
  await readCommit(commit, remote, git, outside)
  const text = await git.catFile(['blob', `${commit}:${SEEN_FILE}`]).catch(() => Buffer.from(''))
  return {text: text.toString(), commit}
}

/** Who the times are of: a job need not have an author. */
const SEEN_AUTHOR = {name: 'kubectl-crossplane', email: 'kubectl-crossplane@localhost'}

async function seenCommit(text: string, git: GitProgram): Promise<string> {
  const blob = (await git.run(['hash-object', '-w', '--stdin'], {input: text})).trim()
  const tree = (await git.run(['mktree'], {input: `100644 blob ${blob}\t${SEEN_FILE}\n`})).trim()
  const {name, email} = SEEN_AUTHOR
  const variables = {
    ...{GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email},
    ...{GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email},
  }
  const call = {input: 'Versions that were seen\n', variables}
  return (await git.run(['commit-tree', tree, '-F', '-'], call)).trim()
}

/** @param outside - git where a relative URL of the remote repository is relative to. */
function updatesIn(
  opened: Pick<Repository, 'name' | 'include' | 'shown' | 'close'> & {readonly checkout: Checkout},
  place: BranchPlace,
  git: GitProgram,
  outside: GitProgram,
): UpdateRepository {
  const {name, checkout, include, shown, close} = opened
  const {target, base, remote, isClone = false} = place
  return {
    ...{name, checkout, target, base, close},
    ...present({include, shown}),
    reset: async () => {
      await git.run(['reset', '--quiet', '--hard', base])
      await git.run(['clean', '--quiet', '-ffd'])
    },
    commit: async (object, style) => await commitObject(object, style, git),
    branches: async prefix => await branchesOf(prefix, remote, outside),
    read: async commit => await readCommit(commit, remote, git, outside),
    isMerged: async (commit, file) => {
      await readCommit(commit, remote, git, outside)
      if (isClone) await readHistory(place, git)
      const common = (await git.find(['merge-base', base, commit])).trim()
      if (common === commit) return true
      const merged = (await git.find(fileOf(commit, file))).trim()
      const range = common === '' ? base : `${common}..${base}`
      if (merged === '') return false
      const isSame = (await git.find(fileOf(base, file))).trim() === merged
      return isSame || (await hasHad(merged, file, range, git))
    },
    seen: async () => await readSeen(remote, git, outside),
    putSeen: async (text, from) => {
      const commit = await seenCommit(text, git)
      return await movedRef(
        {ref: SEEN, from: from ?? '', to: commit, next: SEEN_REJECTED},
        [],
        remote,
        outside,
      )
    },
    put: async move => await moved(move, remote, outside),
    remove: async move => await moved(move, remote, outside),
  }
}

/** A clone of a URL has one commit: what came before it is fetched when it is looked at. */
async function readHistory({target, remote}: BranchPlace, git: GitProgram): Promise<void> {
  const isShallow = (await git.run(['rev-parse', '--is-shallow-repository'])).trim() === 'true'
  if (!isShallow || remote === undefined) return
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--unshallow']
  await git.run([...args, '--', remote.remote, `refs/heads/${target}`]).catch(async (error: unknown) => {
    throw await remoteFailure('fetch the history of', remote, error, git)
  })
}

/** Reports whether commits gave a file this content. */
async function hasHad(blob: string, file: string, range: string, git: GitProgram): Promise<boolean> {
  const changes = ['log', '--format=', '--raw', '--no-abbrev', '--no-renames', '-m', '--full-history']
  const output = await git.run([...changes, range, '--', file])
  return output.split('\n').some(line => line.split(/\s/)[3] === blob)
}

function fileOf(commit: string, file: string): readonly string[] {
  return ['rev-parse', '--verify', '--quiet', `${commit}:${file}`]
}

async function commitObject(
  object: CommitObject,
  {sign, signingKey}: Pick<CommitStyle, 'sign' | 'signingKey'>,
  git: GitProgram,
): Promise<string> {
  const [, name = '', email = '', date = ''] = /^(.*?) ?<(.*)> (\d+ [+-]\d+)$/.exec(object.author) ?? []
  const isSigned = object.isSigned || sign !== undefined
  const args = [
    ...(sign === undefined ? [] : ['-c', `gpg.format=${sign}`]),
    ...['commit-tree', object.tree],
    ...object.parents.flatMap(parent => ['-p', parent]),
    ...(isSigned ? [signingKey === undefined ? '-S' : `-S${signingKey}`] : []),
    ...['-F', '-'],
  ]
  const variables = {GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date}
  return (await git.run(args, {input: object.message, variables})).trim()
}

type Remote = BranchPlace['remote']

async function branchesOf(
  prefix: string,
  remote: Remote,
  git: GitProgram,
): Promise<ReadonlyMap<string, string>> {
  const pattern = `refs/heads/${prefix}*`
  const output =
    remote === undefined
      ? await git.run(['for-each-ref', '--format=%(objectname)%09%(refname)', `refs/heads/${prefix}`])
      : await git
          .run(['ls-remote', '--heads', '--', remote.remote, pattern])
          .catch(async (error: unknown) => {
            throw await unreachable(remote, error, git)
          })
  return new Map(
    output.split('\n').flatMap(line => {
      const [, commit = '', branch = ''] = /^([0-9a-f]+)\trefs\/heads\/(.+)$/.exec(line.trim()) ?? []
      return branch.startsWith(prefix) ? [[branch, commit] as const] : []
    }),
  )
}

async function readCommit(commit: string, remote: Remote, git: GitProgram, outside: GitProgram) {
  const isHere = (await git.find(['cat-file', '-e', commit]).catch(() => 'missing')) === ''
  if (!isHere && remote !== undefined) {
    const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', remote.remote, commit]
    await outside.run(args).catch(async (error: unknown) => {
      throw await remoteFailure(`fetch ${commit} of`, remote, error, outside)
    })
  }
  return (await git.catFile(['commit', commit])).toString()
}

const SEEN_REJECTED = [`Allow the account to push to ${SEEN}, or leave out --min-age.`]
const REJECTED = ['Allow the account to push to branches that begin with crossplane-update/.']

async function moved(
  {branch, from = '', to = '', options = []}: Pick<BranchMove, 'branch' | 'from'> & Partial<BranchMove>,
  remote: Remote,
  git: GitProgram,
): Promise<BranchResult> {
  return await movedRef({ref: `refs/heads/${branch}`, from, to, next: REJECTED}, options, remote, git)
}

interface RefMove {
  readonly ref: string
  /** Empty if the reference must not exist. */
  readonly from: string
  /** Empty to delete it. */
  readonly to: string
  /** The next steps if the server rejects it. */
  readonly next: readonly string[]
}

async function movedRef(
  {ref, from, to, next}: RefMove,
  forServer: readonly string[],
  remote: Remote,
  git: GitProgram,
): Promise<BranchResult> {
  if (remote === undefined) return await movedHere({ref, from, to}, git)
  const options = [
    ...['--no-follow-tags', `--force-with-lease=${ref}:${from}`],
    ...forServer.map(option => `--push-option=${option}`),
  ]
  const {kind, messages} = await pushRef({options, ref: `${to}:${ref}`}, remote, git, next)
  return {kind: kind === 'pushed' ? 'done' : 'moved', messages}
}

async function movedHere({ref, from, to}: Omit<RefMove, 'next'>, git: GitProgram): Promise<BranchResult> {
  const worktrees = await git.run(['worktree', 'list', '--porcelain'])
  if (worktrees.split('\n').includes(`branch ${ref}`)) return {kind: 'checked-out', messages: []}
  const none = '0'.repeat((await git.run(['rev-parse', 'HEAD'])).trim().length)
  const args = to === '' ? ['-d', ref, from] : [ref, to, from === '' ? none : from]
  try {
    await git.run(['update-ref', '-m', 'update packages', ...args])
    return {kind: 'done', messages: []}
  } catch (error) {
    const {message} = gitFailed('update', error)
    if (/cannot lock ref/.test(message)) return {kind: 'moved', messages: []}
    throw error
  }
}
