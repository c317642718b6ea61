import {lstat} from 'node:fs/promises'
import type {BlockedPath} from '../../plan/git/checkout-snapshot.js'
import {present} from '../../present.js'
import type {GitProgram} from './git-program.js'
import {prefixesOf} from './pathspecs.js'

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
  return [...(await hiddenPaths(entries, paths, git)), ...(await ignored)]
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
  readonly path: string
}

async function indexEntries(paths: readonly string[], git: GitProgram): Promise<readonly IndexEntry[]> {
  const args = ['ls-files', '-v', '--stage', '-z', '--full-name', '--', ...prefixesOf(paths)]
  return (await git.find(args)).split('\0').flatMap(line => {
    const [, tag, mode, path] = /^(\w) (\d+) \w+ \d\t([^]+)$/.exec(line) ?? []
    return tag === undefined || mode === undefined || path === undefined ? [] : [{tag, mode, path}]
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
  git: GitProgram,
): Promise<readonly BlockedPath[]> {
  const requested = new Set(paths)
  const files = entries.filter(({path}) => requested.has(path))
  const skipped = files.filter(({tag}) => tag.toUpperCase() === 'S').map(({path}) => path)
  const assumed = files.filter(({tag}) => tag !== tag.toUpperCase()).map(({path}) => path)
  const [first] = skipped
  const left =
    first !== undefined && (await isEnabled('core.sparseCheckout', git))
      ? [{path: first.split('/').slice(0, -1).join('/') || first, by: 'sparse-checkout' as const}]
      : marking('skip-worktree', skipped)
  const isSetting = assumed.length > 0 && (await isEnabled('core.ignoreStat', git))
  const marked = marking('assume-unchanged', assumed)
  return [...left, ...marked.map(path => (isSetting ? {...path, isSetting} : path))]
}

/** All of the paths, by the first one. */
function marking(
  by: 'skip-worktree' | 'assume-unchanged',
  [path, ...others]: readonly string[],
): readonly BlockedPath[] {
  return path === undefined ? [] : [{path, by, ...present({others: others.length > 0 ? others : undefined})}]
}

async function isEnabled(key: string, git: GitProgram): Promise<boolean> {
  return (await git.find(['config', '--type=bool', '--get', key])).trim() === 'true'
}

async function ignoredPaths(paths: readonly string[], git: GitProgram): Promise<BlockedPath[]> {
  const input = paths.map(path => `${path}\0`).join('')
  const [first = ''] = (await git.find(['check-ignore', '-z', '--stdin'], {input})).split('\0')
  return first === '' ? [] : [{path: first, by: 'ignored'}]
}
