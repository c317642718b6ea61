import {rm, rmdir} from 'node:fs/promises'
import {dirname} from 'node:path/posix'
import type {
  ChangedBlobs,
  Checkout,
  CommitContent,
  CommitStyle,
  FileStamps,
  MadeCommit,
  StagedFiles,
} from '../../commit/checkout.js'
import {CrossplaneError} from '../../errors.js'
import type {ChangedPath, CheckoutState} from '../../plan/git/checkout-snapshot.js'
import {present} from '../../present.js'
import {blockedPaths, type WorkingTree} from './blocked-paths.js'
import {changedBlobs} from './changed-blobs.js'
import {committedFiles, committedLinks, filesBelow} from './committed-files.js'
import {fileStamps} from './file-stamps.js'
import {commitNamed, commitsOf, contentIn, mergeBase} from './file-history.js'
import {checkoutState} from './checkout-state.js'
import {cannotOpen, gitFailed} from './git-failure.js'
import {type GitConfig, type GitProgram, gitIn, WITHOUT_LOCKS} from './git-program.js'
import {branchOf, listHead, tipOf} from './head.js'
import {literalPathspec, PATHS_FROM_INPUT, pathspecInput, prefixesOf} from './pathspecs.js'

/** Opens the working tree that a folder is in. Throws `git-failed`, or `git-refused` for the repository of another user. */
export async function openCheckout(
  folder: string,
  config: GitConfig = {},
  temporary?: CheckoutState['temporary'],
): Promise<Checkout> {
  const outside = await gitIn(folder, config)
  const root = await rootOf(folder, outside)
  const git = outside.in(root)
  return {
    state: async () => ({
      ...(await checkoutState(root, git)),
      ...present({temporary}),
    }),
    changed: paths => changedPaths(paths, git),
    blocked: paths => blockedPaths(paths, root, git),
    committed: async path => (await committedFiles([path], git)).get(path),
    committedFiles: (paths, commit) => committedFiles(paths, git, commit),
    committedLinks: paths => committedLinks(paths, git),
    committedBelow: path => filesBelow(path, git),
    pathsBelow: (folder, commit) => pathsBelow(folder, git, commit),
    commitsOf: (paths, max) => commitsOf(paths, {max}, git),
    mainlineOf: (paths, max) => commitsOf(paths, {max, isMainline: true}, git),
    commitNamed: revision => commitNamed(revision, git),
    mergeBase: commit => mergeBase(commit, git),
    contentIn: (commit, path) => contentIn(commit, path, git),
    tip: () => tipOf(git),
    changedSince: stamps => changedSince(stamps, {root, git}),
    stage: files => stageFiles(files, {root, git}),
    commit: (content, style) => commitPaths(content, style, {root, git}),
    undo: async ({id, branch, parent}) => {
      const ref = branch === undefined ? 'HEAD' : `refs/heads/${branch}`
      const args = parent === undefined ? ['-d', ref, id] : [ref, parent, id]
      await attempt('undo the commit', git.run(['update-ref', '-m', 'undo a commit of packages', ...args]))
    },
    restore: (paths, kept) => restorePaths(paths, kept, {root, git}),
  }
}

async function rootOf(folder: string, git: GitProgram): Promise<string> {
  try {
    const output = await git.run(['rev-parse', '--show-toplevel'])
    return output.replace(/\r?\n$/, '')
  } catch (error) {
    throw cannotOpen(folder, error)
  }
}

async function attempt<T>(action: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw gitFailed(action, error)
  }
}

/** Lines of `status --porcelain=v2 -z`: XY are the changes of the index and of the working tree; a rename has a second path. */
const CHANGE = /^(?:1 (..) (?:\S+ ){6}|2 (..) (?:\S+ ){7}|u (..) (?:\S+ ){8}|\? )([^]+)$/

async function changedPaths(paths: readonly string[], git: GitProgram): Promise<readonly ChangedPath[]> {
  const requested = new Set(paths)
  const output = await attempt(
    'read the status of the repository',
    git.run(
      [
        'status',
        '--porcelain=v2',
        '-z',
        '--untracked-files=all',
        '--no-renames',
        '--ignore-submodules=all',
        '--',
        ...prefixesOf(paths).map(literalPathspec),
      ],
      {variables: WITHOUT_LOCKS},
    ),
  )
  return output.split('\0').flatMap(line => {
    const [, ordinary, renamed, unmerged, path] = CHANGE.exec(line) ?? []
    if (path === undefined || !requested.has(path)) return []
    const [index = '.', tree = '.'] = ordinary ?? renamed ?? unmerged ?? '.?'
    return [{path, isStaged: index !== '.', isModified: tree !== '.'}]
  })
}

/**
 * Git reads files again that were written in the second in which it wrote its index: those that are as they were before it
 * read them for the index need no second look.
 */
async function changedSince(stamps: FileStamps, {root, git}: WorkingTree): Promise<readonly ChangedPath[]> {
  const paths = [...stamps.keys()]
  const reading = stagedBlobs(git)
  const now = fileStamps(paths, root)
  const staged = await reading
  if (paths.some(path => now.get(path) !== stamps.get(path))) return await changedPaths(paths, git)
  return paths.flatMap(path => (staged.has(path) ? [{path, isStaged: true, isModified: false}] : []))
}

/** Returns those of these paths that HEAD has. */
async function pathsInHead(paths: readonly string[], git: GitProgram): Promise<ReadonlySet<string>> {
  const requested = new Set(paths)
  return new Set((await listedPaths(prefixesOf(paths), git)).filter(path => requested.has(path)))
}

async function pathsBelow(folder: string, git: GitProgram, commit?: string): Promise<readonly string[]> {
  if (folder === '') return (await listedPaths([], git, commit)).filter(path => path !== '')
  return (await listedPaths([folder], git, commit)).filter(path => path.startsWith(`${folder}/`))
}

async function listedPaths(
  prefixes: readonly string[],
  git: GitProgram,
  commit?: string,
): Promise<readonly string[]> {
  return (await attempt('read HEAD', listHead(['-r', '--name-only'], prefixes, git, commit))).split('\0')
}

/** Returns those of these paths that the index has. */
async function pathsInIndex(paths: readonly string[], git: GitProgram): Promise<readonly string[]> {
  if (paths.length === 0) return []
  const args = ['ls-files', '-z', '--full-name', '--', ...prefixesOf(paths).map(literalPathspec)]
  const output = await attempt('read the index', git.run(args))
  const requested = new Set(paths)
  return [...new Set(output.split('\0'))].filter(path => requested.has(path))
}

/** Fewer files are objects of their own: each pack costs later commands a look, and git joins packs only beyond fifty. */
const MIN_PACKED = 100

/**
 * Git writes a file beyond this size into a pack that it shares with the others, and any other into an object file of its
 * own, which takes most of the time of a commit of many files. Files with filters are as before. The pack is compressed as
 * object files are by default: git takes more time for packs, but this one lasts only until git repacks.
 */
function configOfAdding(paths: readonly string[]): readonly string[] {
  return paths.length < MIN_PACKED ? [] : ['-c', 'core.bigFileThreshold=1', '-c', 'pack.compression=1']
}

async function stageFiles(
  files: ReadonlyMap<string, string | undefined>,
  {root, git}: WorkingTree,
): Promise<StagedFiles> {
  const paths = [...files.keys()]
  const stamps = fileStamps(paths, root)
  const deleted = await pathsInIndex(
    paths.filter(path => files.get(path) === undefined),
    git,
  )
  const staged = [...paths.filter(path => files.get(path) !== undefined), ...deleted]
  const args = [...configOfAdding(staged), 'add', '--sparse', ...PATHS_FROM_INPUT]
  await attempt('stage the files', git.run(args, {input: pathspecInput(staged)}))
  const changed = await stagedBlobs(git)
  const blobs = new Map([...changed].filter(([path]) => files.has(path)))
  return {blobs, isAlone: blobs.size === changed.size, stamps}
}

/** All that differs between the index and HEAD. */
async function stagedBlobs(git: GitProgram): Promise<ChangedBlobs> {
  const diff = ['diff', '--cached', '--raw', '--no-abbrev', '--no-renames', '--no-ext-diff', '-z', '--']
  return changedBlobs(await attempt('read the index', git.run(diff)))
}

async function commitPaths(
  {paths, isAlone, message, after}: CommitContent,
  style: CommitStyle,
  {root, git}: WorkingTree,
): Promise<MadeCommit> {
  const args = [
    ...styleConfig(style),
    'commit',
    '--quiet',
    '--no-status',
    '--cleanup=whitespace',
    `--message=${message}`,
    ...styleOptions(style),
    // What others have staged stays out of the commit; without it, git need not make an index of its own for the files.
    ...(isAlone ? [] : ['--only', ...PATHS_FROM_INPUT]),
  ]
  const call = {variables: authorOf(style), ...(isAlone ? {} : {input: pathspecInput(paths)})}
  try {
    await attempt('commit', git.run(args, call))
  } catch (error) {
    if (isAlone) await unstageOthers(paths, {root, git}).catch(() => undefined)
    throw error
  }
  const [branch, made] = await Promise.all([branchOf(git), madeCommit(paths, after, git)])
  return {...made, ...present({branch})}
}

function styleConfig({sign, isBare = false}: CommitStyle): readonly string[] {
  return [
    ...(sign === undefined ? [] : ['-c', `gpg.format=${sign}`]),
    ...(isBare ? ['-c', 'core.hooksPath=/dev/null'] : []),
  ]
}

function styleOptions({sign, signingKey, signoff, isBare = false}: CommitStyle): readonly string[] {
  return [
    ...(signoff ? ['--signoff'] : []),
    ...(isBare ? ['--no-verify', '--no-gpg-sign'] : []),
    ...(sign === undefined ? [] : [signingKey === undefined ? '--gpg-sign' : `--gpg-sign=${signingKey}`]),
  ]
}

/** A hook that failed may have staged other files; before it, no others were staged. */
async function unstageOthers(paths: readonly string[], tree: WorkingTree): Promise<void> {
  const ours = new Set(paths)
  const others = [...(await stagedBlobs(tree.git)).keys()].filter(path => !ours.has(path))
  await restorePaths(others, new Set(others), tree)
}

/** The commits of others that are looked through for ours. */
const MAX_COMMITS = 20

/** Finds the commit of these paths: a hook, or a user, may have made others before or after it. */
async function madeCommit(
  paths: readonly string[],
  before: string | undefined,
  git: GitProgram,
): Promise<MadeCommit> {
  const last = await commitAt('HEAD', git)
  if (last.parent === before) return last
  const since = before === undefined ? [] : [`^${before}`]
  const count = `--max-count=${MAX_COMMITS}`
  const output = await git.run(['rev-list', '--first-parent', count, 'HEAD', ...since, '--'])
  const ids = output.split('\n').filter(id => id !== '')
  if (ids.length === 0) {
    throw new CrossplaneError('git-failed', 'cannot commit: a hook removed the commit from the branch')
  }
  if (ids.length === 1) return last
  const ours = new Set(paths)
  for (const id of ids) {
    const commit = await commitAt(id, git)
    const changed = [...commit.blobs.keys()]
    if (changed.length > 0 && changed.every(path => ours.has(path))) return commit
  }
  return last
}

/** Returns a commit with its first parent, and what differs between them; nothing of a merge. */
async function commitAt(commit: string, git: GitProgram): Promise<MadeCommit> {
  const format = ['--always', '--no-renames', '-z', '--format=tformat:%H %P']
  const output = await attempt(
    'read the commit',
    git.run(['diff-tree', '--root', '-r', ...format, commit, '--']),
  )
  const end = output.indexOf('\0')
  const [id = '', parent = ''] = output.slice(0, end).split(' ')
  const blobs = changedBlobs(output.slice(end + 1).trimStart())
  return {id, ...(parent === '' ? {} : {parent}), blobs}
}

function authorOf({authorName, authorEmail}: CommitStyle): Readonly<Record<string, string>> {
  return {
    ...present({GIT_AUTHOR_NAME: authorName, GIT_AUTHOR_EMAIL: authorEmail}),
  }
}

async function restorePaths(
  paths: readonly string[],
  keptAsTheyAre: ReadonlySet<string>,
  {root, git}: WorkingTree,
): Promise<void> {
  if (paths.length === 0) return
  const inHead = await pathsInHead(paths, git)
  const [old, added] = [paths.filter(path => inHead.has(path)), paths.filter(path => !inHead.has(path))]
  const isOurs = (path: string) => !keptAsTheyAre.has(path)
  if (old.length > 0) {
    const restore = ['restore', '--quiet', '--source=HEAD', '--staged', ...PATHS_FROM_INPUT]
    await attempt('unstage the files', git.run(restore, {input: pathspecInput(old)}))
  }
  const replaced = old.filter(isOurs)
  if (replaced.length > 0) {
    const restore = ['restore', '--quiet', '--worktree', ...PATHS_FROM_INPUT]
    await attempt('restore the files of HEAD', git.run(restore, {input: pathspecInput(replaced)}))
  }
  if (added.length === 0) return
  // Forced: the file can have a different content than the index, which is kept.
  const remove = ['rm', '--cached', '--force', '--quiet', '--ignore-unmatch', ...PATHS_FROM_INPUT]
  await attempt('unstage the files', git.run(remove, {input: pathspecInput(added)}))
  const deleted = added.filter(isOurs)
  for (const path of deleted) await rm(`${root}/${path}`, {force: true})
  await removeEmptyFolders(deleted, root)
}

/** Inner folders first. */
async function removeEmptyFolders(paths: readonly string[], root: string): Promise<void> {
  const folders = new Set<string>()
  for (const path of paths) {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder)
  }
  for (const folder of [...folders].sort().reverse()) await rmdir(`${root}/${folder}`).catch(() => undefined)
}
