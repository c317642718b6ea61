import {lstat} from 'node:fs/promises'
import type {BlockedPath} from '../../plan/git/checkout-snapshot.js'
import {present} from '../../present.js'
import type {GitProgram} from './git-program.js'
import {prefixesOf} from './pathspecs.js'

/** A working tree, and git in it. */
export interface WorkingTree {
  readonly root: string
  readonly git: GitProgram
}

/** Lists the paths that git does not commit, or their parents: each parent once. */
export async function blockedPaths(
  paths: readonly string[],
  root: string,
  git: GitProgram,
): Promise<readonly BlockedPath[]> {
  const folders = [...new Set(paths.flatMap(parentsOf))].sort()
  const ignored = ignoredPaths(paths, git)
  // It fails for a path below a link or in a submodule, which are reported first.
  ignored.catch(() => undefined)
  const entries = await indexEntries([...folders, ...paths], git)
  const blocked = [...(await blockedFolders(folders, root)), ...submodulesIn(entries, folders)]
  if (blocked.length > 0) return firstOfEach(blocked)
  return [...(await hiddenPaths(entries, paths, {root, git})), ...(await ignored)]
}

function parentsOf(path: string): readonly string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}

function firstOfEach(blocked: readonly BlockedPath[]): readonly BlockedPath[] {
  return blocked.filter(({path}, index) => blocked.findIndex(other => other.path === path) === index)
}

/** Links, and folders that are repositories of their own. */
async function blockedFolders(folders: readonly string[], root: string): Promise<BlockedPath[]> {
  const blocked: BlockedPath[] = []
  for (const path of folders) {
    const entry = await lstat(`${root}/${path}`).catch(() => undefined)
    if (entry?.isSymbolicLink() === true) blocked.push({path, by: 'link'})
    const repository = await lstat(`${root}/${path}/.git`).catch(() => undefined)
    if (repository !== undefined) blocked.push({path, by: 'submodule'})
  }
  return blocked
}

/** An entry of the index, as `ls-files -v --stage` lists it: `TAG MODE ID STAGE`, a tab and the path. */
interface IndexEntry {
  /** `S` for a path that git does not look at; a small letter for one that git takes for unchanged. */
  readonly tag: string
  readonly mode: string
  readonly id: string
  readonly path: string
}

async function indexEntries(paths: readonly string[], git: GitProgram): Promise<readonly IndexEntry[]> {
  const args = ['ls-files', '-v', '--stage', '-z', '--full-name', '--', ...prefixesOf(paths)]
  return (await git.find(args)).split('\0').flatMap(line => {
    const [, tag, mode, id, path] = /^(\w) (\d+) (\w+) \d\t([^]+)$/.exec(line) ?? []
    if (tag === undefined || mode === undefined || id === undefined || path === undefined) return []
    return [{tag, mode, id, path}]
  })
}

/** Submodules that are not checked out are empty folders. */
function submodulesIn(entries: readonly IndexEntry[], folders: readonly string[]): BlockedPath[] {
  const requested = new Set(folders)
  return entries.flatMap(({mode, path}): BlockedPath[] =>
    mode === '160000' && requested.has(path) ? [{path, by: 'submodule'}] : [],
  )
}

/** Files whose changes git neither shows nor commits: those that a sparse checkout leaves out, and those that a user has marked. */
async function hiddenPaths(
  entries: readonly IndexEntry[],
  paths: readonly string[],
  {root, git}: WorkingTree,
): Promise<readonly BlockedPath[]> {
  const requested = new Set(paths)
  const files = entries.filter(({path}) => requested.has(path))
  const skipped = files.filter(({tag}) => tag.toUpperCase() === 'S')
  const assumed = files.filter(({tag}) => tag !== tag.toUpperCase())
  const [first] = skipped
  const isSparse = first !== undefined && (await isEnabled('core.sparseCheckout', git))
  const isSetting = assumed.length > 0 && (await isEnabled('core.ignoreStat', git))
  const marked = await marking('assume-unchanged', assumed, {root, git})
  return [
    ...(isSparse
      ? [{path: first.path.split('/').slice(0, -1).join('/') || first.path, by: 'sparse-checkout' as const}]
      : await marking('skip-worktree', skipped, {root, git})),
    ...marked.map(path => (isSetting ? {...path, isSetting} : path)),
  ]
}

/** All of the paths, by the first one. */
async function marking(
  by: 'skip-worktree' | 'assume-unchanged',
  entries: readonly IndexEntry[],
  tree: WorkingTree,
): Promise<readonly BlockedPath[]> {
  const [path, ...others] = entries.map(entry => entry.path)
  if (path === undefined) return []
  const isModified = await hasOtherContent(entries, tree)
  return [{path, by, isModified, ...present({others: others.length > 0 ? others : undefined})}]
}

/** Reports whether a file is missing, or its content, as git would store it, is not that of the index. */
async function hasOtherContent(entries: readonly IndexEntry[], {root, git}: WorkingTree): Promise<boolean> {
  const paths = entries.map(({path}) => path)
  // The input has a path in each line.
  if (paths.some(path => path.includes('\n'))) return true
  const stats = await Promise.all(paths.map(path => lstat(`${root}/${path}`).catch(() => undefined)))
  if (!stats.every(stat => stat?.isFile() === true)) return true
  const input = paths.map(path => `${path}\n`).join('')
  const ids = (await git.find(['hash-object', '--stdin-paths'], {input})).trim().split('\n')
  return entries.some(({id}, index) => id !== ids[index])
}

async function isEnabled(key: string, git: GitProgram): Promise<boolean> {
  return (await git.find(['config', '--type=bool', '--get', key])).trim() === 'true'
}

async function ignoredPaths(paths: readonly string[], git: GitProgram): Promise<BlockedPath[]> {
  const input = paths.map(path => `${path}\0`).join('')
  const [first = ''] = (await git.find(['check-ignore', '-z', '--stdin'], {input})).split('\0')
  return first === '' ? [] : [{path: first, by: 'ignored'}]
}
