import {createHash} from 'node:crypto'
import {createReadStream} from 'node:fs'
import {lstat, readdir, readlink, realpath} from 'node:fs/promises'
import {join, relative, sep} from 'node:path'
import type {SourceControl, SourceFacts} from '../../author/build/source-control.js'
import {present} from '../../present.js'
import {cannotOpen, isOutsideOfRepository} from './git-failure.js'
import {type GitProgram, gitIn} from './git-program.js'

/** Reads objects and configuration of a repository that may belong to another user, and runs nothing that it names. */
const READ_ONLY = {
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
}

/** Milliseconds: git answers these questions at once, or hangs on a dead network drive. */
const TIMEOUT = 30_000

/** More files than a package can have. */
const MAX_FILES = 20_000

/** Reads the facts of a package's folder with the user's own git. */
export const git: SourceControl = {facts}

async function facts(folder: string, others: readonly string[]): Promise<SourceFacts | undefined> {
  if ((await lstat(folder).catch(() => undefined)) === undefined) return undefined
  try {
    return await readFacts({folder, git: readOnly(await gitIn(folder))}, others)
  } catch (error) {
    if (isOutsideOfRepository(folder, error)) return undefined
    return {isDirty: true, unread: cannotOpen(folder, error)}
  }
}

/** A folder of a package, and the git that reads its repository. */
interface PackageFolder {
  readonly folder: string
  readonly git: Pick<GitProgram, 'run' | 'find'>
}

async function readFacts(place: PackageFolder, others: readonly string[]): Promise<SourceFacts | undefined> {
  const {git} = place
  if ((await git.run(['rev-parse', '--is-inside-work-tree'])).trim() !== 'true') return undefined
  const [head, remote] = await Promise.all([
    git.find(['rev-parse', '--verify', '--quiet', 'HEAD']),
    // As configured: `remote get-url` would apply `insteadOf` of this machine.
    git.find(['config', '--get', 'remote.origin.url']),
  ])
  const revision = head.trim()
  const isDirty = revision === '' || !(await isCommitted(place, others, revision))
  return {isDirty, ...present({revision: isDirty ? undefined : revision, remote: remote.trim() || undefined})}
}

async function isCommitted(
  place: PackageFolder,
  others: readonly string[],
  revision: string,
): Promise<boolean> {
  for (const inside of await foldersOf(place.folder, others)) {
    if (inside === undefined || !(await isFolderCommitted(place, inside, revision))) return false
  }
  return true
}

/**
 * Compares the files of a folder with those of a commit, byte by byte. `git status` is not used: it runs the clean
 * filters, and the monitor, that the configuration of the repository names, which may belong to another user. A file that a
 * filter or a line ending conversion changes on checkout counts as changed: its bytes are not those of the commit.
 */
async function isFolderCommitted(
  {folder, git}: PackageFolder,
  inside: string,
  revision: string,
): Promise<boolean> {
  const committed = blobsIn(await git.run(['ls-tree', '-r', '-z', revision, '--', `${inside}/`]))
  const files = await filesBelow(folder, inside === '.' ? '' : inside)
  if (committed === undefined || files?.length !== committed.size) return false
  for (const file of files) {
    const id = committed.get(file)
    if (id === undefined || id !== (await blobId(join(folder, file), id.length))) return false
  }
  return true
}

/** The folders whose files are in the image, relative to that of the package; undefined for one that does not exist. */
async function foldersOf(
  folder: string,
  others: readonly string[],
): Promise<readonly (string | undefined)[]> {
  return await Promise.all([packageIn(folder), ...others.map(async other => await pathFrom(folder, other))])
}

/** Other files beside `.registry/` are not in the package. */
async function packageIn(folder: string): Promise<string> {
  const stats = await lstat(join(folder, '.registry')).catch(() => undefined)
  return stats === undefined ? '.' : '.registry'
}

/** Follows links, as git does: it works in the real folder. */
async function pathFrom(folder: string, other: string): Promise<string | undefined> {
  try {
    const path = relative(await realpath(folder), await realpath(other))
    return path === '' ? '.' : path.replaceAll(sep, '/')
  } catch {
    return undefined
  }
}

/**
 * Paths, relative to the folder, and object ids of `ls-tree -z`; undefined if it contains anything but files and links.
 */
function blobsIn(listing: string): ReadonlyMap<string, string> | undefined {
  const blobs = new Map<string, string>()
  for (const line of listing.split('\0').slice(0, -1)) {
    const [, type, id, path] = /^\d+ (\w+) ([0-9a-f]+)\t([^]+)$/.exec(line) ?? []
    if (type !== 'blob' || id === undefined || path === undefined) return undefined
    blobs.set(path, id)
  }
  return blobs
}

/** The files and links below a folder; undefined if there are too many, or any that git cannot commit. */
async function filesBelow(root: string, below: string): Promise<readonly string[] | undefined> {
  const files: string[] = []
  const folders = [below]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(join(root, folder), {withFileTypes: true}).catch(() => undefined)
    if (entries === undefined) return undefined
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory() && path !== '.git') folders.push(path)
      else if (entry.isFile() || entry.isSymbolicLink()) files.push(path)
    }
    if (files.length + folders.length > MAX_FILES) return undefined
  }
  return files
}

/**
 * Returns the ID that git would give to the bytes of a file, or to the target of a link; by SHA-1, or SHA-256 for
 * longer IDs.
 */
async function blobId(path: string, length: number): Promise<string | undefined> {
  try {
    const hash = createHash(length === 40 ? 'sha1' : 'sha256')
    const stats = await lstat(path)
    if (stats.isSymbolicLink()) {
      const target = await readlink(path, 'buffer')
      return hash.update(`blob ${target.length}\0`).update(target).digest('hex')
    }
    hash.update(`blob ${stats.size}\0`)
    for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array)
    return hash.digest('hex')
  } catch {
    return undefined
  }
}

/**
 * Only commands that read objects and configuration are used, and none may fetch objects that a partial clone lacks, since a
 * fetch runs programs that the repository names.
 */
function readOnly(git: GitProgram): PackageFolder['git'] {
  const call = {variables: READ_ONLY, silence: TIMEOUT}
  const words = (args: readonly string[]) => ['-c', 'core.fsmonitor=false', ...args]
  return {run: args => git.run(words(args), call), find: args => git.find(words(args), call)}
}
