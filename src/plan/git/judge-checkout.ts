import type {Diagnostic} from '../../diagnostic.js'
import {present} from '../../present.js'
import {count, listSome, shellWord} from '../../text.js'
import type {BlockedPath, ChangedPath, CheckoutState} from './checkout-snapshot.js'

/** What decides whether a commit could lose or include changes of others. */
export interface CheckoutSnapshot {
  readonly state: CheckoutState
  /** Only of paths that the commit contains. */
  readonly changed: readonly ChangedPath[]
  readonly blocked: readonly BlockedPath[]
  /** The paths whose content in the working tree is the one that the commit gets. */
  readonly asPlanned: ReadonlySet<string>
}

/** Returns a rejection for each reason not to write and commit anything, with its next step. */
export function judgeCheckout({state, changed, blocked, asPlanned}: CheckoutSnapshot): readonly Diagnostic[] {
  return [
    ...branchRejections(state),
    ...blocked.map(path => blockedRejection(path, state)),
    ...changed.flatMap(path => changeRejection(path, asPlanned.has(path.path), state)),
  ]
}

function rejection(rule: string, message: string, suggestion: string, file?: string): Diagnostic {
  return {
    severity: 'error',
    rule,
    message,
    ...present({file}),
    suggestions: [suggestion],
  }
}

function headRejections(state: CheckoutState): Diagnostic[] {
  const {branch, others, temporary} = state
  if (branch === undefined) {
    if (temporary?.isDetached === true) return []
    const message = 'HEAD is detached: a commit would belong to no branch'
    return [rejection('detached-head', message, 'Check out a branch: git switch BRANCH')]
  }
  if (others === undefined) return []
  const message = `the branch ${branch} has no commit, and others have: ${listSome(others.names)}`
  return [rejection('unborn-branch', message, others.next)]
}

function branchRejections(state: CheckoutState): Diagnostic[] {
  const {branch, operation, lock, upstream, temporary} = state
  const at = userTree(state)
  if (lock !== undefined) {
    const message = `${lock} exists: another Git process is running in the repository, or was killed`
    return [rejection('repository-lock', message, `If no git runs there: rm ${shellWord(lock)}`)]
  }
  if (operation !== undefined) {
    const message = `a ${operation} was begun in the repository and not completed`
    return [rejection('git-operation', message, `git -C ${at} status`)]
  }
  const unusable = headRejections(state)
  if (branch === undefined || unusable.length > 0) return unusable
  if (upstream === undefined || upstream.behind === 0) return []
  const {name, ahead} = upstream
  const message = ahead === 0 ? `${branch} is behind ${name}` : `${branch} and ${name} have diverged`
  const how = ahead === 0 ? '--ff-only' : '--rebase'
  const next =
    temporary === undefined
      ? `git -C ${at} pull ${how}`
      : `git -C ${at} switch ${shellWord(branch)} && git -C ${at} pull ${how}`
  return [rejection('diverged-branch', message, next)]
}

/** The working tree of the user as a word of a shell, which a temporary one may stand for. */
function userTree({root, temporary}: CheckoutState): string {
  return shellWord(temporary?.root ?? root)
}

function blockedRejection(blocked: BlockedPath, state: CheckoutState): Diagnostic {
  const {path, by} = blocked
  const at = shellWord(path)
  switch (by) {
    case 'submodule':
      return submoduleRejection(path, state)
    case 'sparse-checkout':
      return rejection(
        by,
        'the path is not checked out: the repository has a sparse checkout',
        `git -C ${userTree(state)} sparse-checkout add ${at}`,
        path,
      )
    case 'skip-worktree':
    case 'assume-unchanged':
      return markedRejection({...blocked, by}, state)
    case 'link':
      return rejection(by, 'the path is a link', 'Pass --path with the folder that the link leads to.', path)
    case 'ignored':
      return rejection(
        by,
        'the path is ignored by git',
        isClone(state)
          ? 'Remove the path from .gitignore, or pass another --path.'
          : `git -C ${userTree(state)} check-ignore --verbose ${at}`,
        path,
      )
  }
}

/** Whether the working tree is a temporary one of a URL, which the user does not have. */
function isClone({temporary}: CheckoutState): boolean {
  return temporary !== undefined && temporary.root === undefined
}

function submoduleRejection(path: string, state: CheckoutState): Diagnostic {
  const {root, temporary} = state
  return rejection(
    'submodule',
    'the path is a submodule',
    isClone(state)
      ? 'Pass --git with the URL of the submodule, or another --path.'
      : `Pass --git ${shellWord(`${temporary?.root ?? root}/${path}`)}, or another --path.`,
    path,
  )
}

/** A path that a user, or a setting, has marked. */
type MarkedPath = BlockedPath & {readonly by: 'skip-worktree' | 'assume-unchanged'}

/** Git shows and commits no change of such a file: neither ours, nor one that we would overwrite. */
function markedRejection(marked: MarkedPath, state: CheckoutState): Diagnostic {
  const {path, by, others = [], isSetting} = marked
  const more = others.length === 0 ? '' : ` (and ${count(others.length, 'other path')})`
  const cause = isSetting === true ? ', as core.ignoreStat=true does at each commit' : ''
  const message = `the path is marked ${by}${cause}, so git does not commit its changes${more}`
  const unmark = unmarkCommand(marked, userTree(state))
  if (isSetting !== true) return rejection(by, message, unmark, path)
  if (isClone(state)) return rejection(by, message, 'git config --global core.ignoreStat false', path)
  const set = `git -C ${userTree(state)} config core.ignoreStat false`
  // The marks of a temporary working tree are made with it.
  return rejection(by, message, state.temporary === undefined ? `${set} && ${unmark}` : set, path)
}

const MAX_MARKED = 20

/** More paths than a user reads are found by their folder. */
function unmarkCommand({path, by, others = []}: MarkedPath, at: string): string {
  const paths = [path, ...others]
  if (paths.length <= MAX_MARKED)
    return `git -C ${at} update-index --no-${by} -- ${paths.map(shellWord).join(' ')}`
  const tag = by === 'skip-worktree' ? '[Ss]' : '[a-z]'
  const folder = shellWord(commonFolder(paths) || '.')
  return `git -C ${at} ls-files -v -- ${folder} | sed -n 's/^${tag} //p' | git -C ${at} update-index --no-${by} --stdin`
}

function commonFolder([first = '', ...others]: readonly string[]): string {
  const segments = first.split('/').slice(0, -1)
  const end = segments.findIndex((_, index) => {
    const folder = `${segments.slice(0, index + 1).join('/')}/`
    return others.some(path => !path.startsWith(folder))
  })
  return (end === -1 ? segments : segments.slice(0, end)).join('/')
}

/** What an interrupted run of the same command left is completed, and not a change of others. */
function changeRejection(
  {path, isStaged, isModified}: ChangedPath,
  isAsPlanned: boolean,
  {root}: CheckoutState,
): Diagnostic[] {
  if (isAsPlanned && !(isStaged && isModified)) return []
  const message = isStaged ? 'the file has staged changes' : 'the file was modified and is not committed'
  const suggestion = `Commit or stash your changes: git -C ${shellWord(root)} stash push --include-untracked -- ${shellWord(path)}`
  return [rejection(isStaged ? 'staged-changes' : 'modified-file', message, suggestion, path)]
}
