import {CrossplaneError} from '../../errors.js'
import {Allowance} from '../../fetch/allowance.js'
import {quoted, shellWord} from '../../text.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import type {SourceLimits} from '../../fetch/source-limits.js'
import type {PackageDirectory} from './package-directory.js'
import {compareBytes} from '../package-file.js'
import type {PackageFile} from '../package-file.js'
import {REGISTRY, expectSafePath, expectShortTarget} from './registry-path.js'
import {RegistryTree} from './registry-tree.js'
import {treeFiles} from './tree-files.js'

/**
 * Reads the files of a package in a directory that contains a `.registry/` or is one, in the order of a sorted walk.
 * Limits and links are as in an image. Throws `not-found` if it is neither, `source-unsafe` for links out of it and
 * for devices, sockets and FIFOs, `limit-exceeded`.
 */
export async function directoryFiles(
  directory: PackageDirectory,
  limits: SourceLimits = SOURCE_LIMITS,
): Promise<readonly PackageFile[]> {
  const inside = await pathOfRegistry(directory)
  return (await filesInside(directory, [REGISTRY], inside, limits)) ?? []
}

/**
 * Reads the files of another folder in a directory that contains a `.registry/`, in the same way; undefined if there is
 * no such folder.
 */
export async function folderInDirectory(
  directory: PackageDirectory,
  path: readonly string[],
  limits: SourceLimits = SOURCE_LIMITS,
): Promise<readonly PackageFile[] | undefined> {
  for (const [index] of path.entries()) {
    const {kind} = await directory.entry(path.slice(0, index + 1).join('/'))
    if (kind !== 'directory') return undefined
  }
  return await filesInside(directory, path, path, limits)
}

/** `top` names the folder in messages, `inside` leads to it. */
async function filesInside(
  directory: PackageDirectory,
  top: readonly string[],
  inside: readonly string[],
  limits: SourceLimits,
): Promise<readonly PackageFile[] | undefined> {
  const tree = new RegistryTree(new Allowance(limits.directories, 'directories'))
  const context: Reading = {
    directory,
    tree,
    top,
    limits,
    inside,
    files: new Allowance(limits.files, 'files'),
    bytes: new Allowance(limits.packageBytes, 'bytes'),
  }
  await readInto(context, [])
  const location = [...directory.location, ...inside]
  return treeFiles({tree, top, location, holder: directory.name, limits})
}

interface Reading {
  readonly directory: PackageDirectory
  readonly tree: RegistryTree
  readonly top: readonly string[]
  readonly limits: SourceLimits
  /** The segments from the directory to the folder: none if it is that itself. */
  readonly inside: readonly string[]
  readonly files: Allowance
  readonly bytes: Allowance
}

async function pathOfRegistry(directory: PackageDirectory): Promise<readonly string[]> {
  const registry = await directory.entry(REGISTRY)
  if (registry.kind === 'directory') return [REGISTRY]
  if (registry.kind === 'symlink') throw registryIsLink(directory)
  if (directory.location.at(-1) === REGISTRY) return []
  if ((await directory.entry('app.yaml')).kind === 'file') return []
  throw new CrossplaneError('not-found', `cannot read ${directory.name} as a package: it has no .registry/`, {
    suggestions: [
      'Pass the folder that contains .registry/, or .registry/ itself with its app.yaml.',
      `kubectl crossplane package init ${shellWord(directory.name)}`,
    ],
  })
}

/** Names beyond the limit cannot go unnoticed: one of the two allowances ends before them. */
async function readInto(reading: Reading, path: readonly string[]): Promise<void> {
  const {directory, tree, top, limits} = reading
  tree.putDirectory([...top, ...path], LAYER, directory.name)
  const names = await directory.list(pathOnDisk(reading, path), limits.files + limits.directories)
  for (const name of [...names].sort(compareBytes)) await readEntry(reading, [...path, name])
}

/** A directory is an image of one layer. */
const LAYER = 0

async function readEntry(reading: Reading, path: readonly string[]): Promise<void> {
  const {directory, tree, top, limits} = reading
  expectSafePath(path, directory.name, limits)
  const entry = await directory.entry(pathOnDisk(reading, path))
  if (entry.kind === 'directory') return readInto(reading, path)
  if (entry.kind === 'absent') return
  if (entry.kind === 'other') throw special(directory, path)
  reading.files.spend(1, directory.name)
  if (entry.kind === 'symlink') expectShortTarget(entry.target, directory.name, limits)
  const node = entry.kind === 'symlink' ? entry : {kind: entry.kind, bytes: await readFile(reading, path)}
  tree.put([...top, ...path], {...node, layer: LAYER}, directory.name)
}

function pathOnDisk({inside}: Reading, path: readonly string[]): string {
  return [...inside, ...path].join('/')
}

async function readFile(reading: Reading, path: readonly string[]): Promise<Uint8Array> {
  const {directory, limits, bytes} = reading
  const content = await directory.read(pathOnDisk(reading, path), limits.fileBytes)
  bytes.spend(content.length, directory.name)
  if (content.length <= limits.fileBytes) return content
  throw new CrossplaneError(
    'limit-exceeded',
    `cannot read ${quoted(path.join('/'))} in ${directory.name}: it has more than ${limits.fileBytes} bytes`,
  )
}

function registryIsLink({name}: PackageDirectory): CrossplaneError {
  return new CrossplaneError('source-unsafe', `cannot read ${name}: its .registry is a link`, {
    suggestions: ['Pass the folder that the link leads to.'],
  })
}

function special({name}: PackageDirectory, path: readonly string[]): CrossplaneError {
  return new CrossplaneError(
    'source-unsafe',
    `cannot read ${name}: ${quoted(path.join('/'))} is a device, socket or fifo`,
  )
}
