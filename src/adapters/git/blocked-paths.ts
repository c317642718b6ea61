import {lstat} from 'node:fs/promises'
import type {BlockedPath} from '../../plan/git/checkout-snapshot.js'
import type {GitProgram} from './git-program.js'
import {prefixesOf} from './pathspecs.js'

/** Lists the paths that git does not commit, or their parents: each parent once. */
export async function blockedPaths(
  paths: readonly string[],
  root: string,
  git: GitProgram,
): Promise<readonly BlockedPath[]> {
  const folders = [...new Set(paths.flatMap(parentsOf))].sort()
  const blocked = [...(await blockedFolders(folders, root)), ...(await submodules(folders, git))]
  if (blocked.length > 0) return firstOfEach(blocked)
  return [...(await outsideOfSparseCheckout(paths, git)), ...(await ignoredPaths(paths, git))]
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
  const found: BlockedPath[] = []
  for (const path of folders) {
    const entry = await lstat(`${root}/${path}`).catch(() => undefined)
    if (entry?.isSymbolicLink() === true) found.push({path, by: 'link'})
    const repository = await lstat(`${root}/${path}/.git`).catch(() => undefined)
    if (repository !== undefined) found.push({path, by: 'submodule'})
  }
  return found
}

/** Submodules that are not checked out are empty folders. */
async function submodules(folders: readonly string[], git: GitProgram): Promise<BlockedPath[]> {
  if (folders.length === 0) return []
  const output = await git.find(['ls-files', '--stage', '-z', '--full-name', '--', ...prefixesOf(folders)])
  const requested = new Set(folders)
  return output.split('\0').flatMap((line): BlockedPath[] => {
    const path = /^160000 \w+ \d\t([^]+)$/.exec(line)?.[1]
    return path === undefined || !requested.has(path) ? [] : [{path, by: 'submodule'}]
  })
}

/** Files of the index that a sparse checkout leaves out. */
async function outsideOfSparseCheckout(paths: readonly string[], git: GitProgram): Promise<BlockedPath[]> {
  const output = await git.find(['ls-files', '-t', '-z', '--full-name', '--', ...prefixesOf(paths)])
  const requested = new Set(paths)
  const [first] = output
    .split('\0')
    .flatMap(line => (line.startsWith('S ') && requested.has(line.slice(2)) ? [line.slice(2)] : []))
  return first === undefined
    ? []
    : [{path: first.split('/').slice(0, -1).join('/') || first, by: 'sparse-checkout'}]
}

async function ignoredPaths(paths: readonly string[], git: GitProgram): Promise<BlockedPath[]> {
  const input = paths.map(path => `${path}\0`).join('')
  const [first = ''] = (await git.find(['check-ignore', '-z', '--stdin'], {input})).split('\0')
  return first === '' ? [] : [{path: first, by: 'ignored'}]
}
