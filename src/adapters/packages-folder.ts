import type {Dirent} from 'node:fs'
import {readdir, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {CrossplaneError} from '../errors.js'
import type {FolderVersion, PackageFolder} from '../pipeline/locate/package-sources.js'

/** How deep below the folder packages are looked for; a repository path has few segments. */
const MAX_DEPTH = 8

/** The folder of packages at `root`; what cannot be read there is not there. */
export function packagesFolder(root: string): PackageFolder {
  return {
    versions: async repositoryPath => {
      await expectFolder(root)
      return await versionsAt(root, repositoryPath)
    },
    all: async () => {
      await expectFolder(root)
      return await allBelow(root, [], 0)
    },
  }
}

async function expectFolder(root: string): Promise<void> {
  if (await isDirectory(root)) return
  throw new CrossplaneError('not-found', `there is no folder of packages ${JSON.stringify(root)}`, {
    suggestions: ['Pass --packages DIR with a folder that holds PATH/VERSION or PATH@VERSION.'],
  })
}

type NamedVersion = FolderVersion & {readonly repositoryPath: string}

async function versionsAt(root: string, repositoryPath: string): Promise<FolderVersion[]> {
  const slash = repositoryPath.lastIndexOf('/')
  const parent = join(root, repositoryPath.slice(0, Math.max(0, slash)))
  const prefix = `${repositoryPath.slice(slash + 1)}@`
  const beside = (await entries(parent)).filter(entry => entry.name.startsWith(prefix))
  const within = await entries(join(root, repositoryPath))
  const found = await Promise.all([
    ...beside.map(entry => versionOf(join(parent, entry.name), entry.name.slice(prefix.length))),
    ...within.map(entry => versionOf(join(root, repositoryPath, entry.name), entry.name)),
  ])
  return found.filter(version => version !== undefined)
}

async function allBelow(root: string, path: readonly string[], depth: number): Promise<NamedVersion[]> {
  if (depth > MAX_DEPTH) return []
  const found: NamedVersion[] = []
  for (const entry of await entries(join(root, ...path))) {
    const at = join(root, ...path, entry.name)
    const sign = entry.name.indexOf('@')
    const [name, tag] =
      sign === -1 ? [undefined, entry.name] : [entry.name.slice(0, sign), entry.name.slice(sign + 1)]
    const version = sign === -1 && path.length === 0 ? undefined : await versionOf(at, tag)
    if (version !== undefined)
      found.push({...version, repositoryPath: [...path, ...(name === undefined ? [] : [name])].join('/')})
    else if (await isDirectory(at)) found.push(...(await allBelow(root, [...path, entry.name], depth + 1)))
  }
  return found
}

async function entries(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, {withFileTypes: true})
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

const TARBALL = '.tar'

/** What lies at a path as a version of a package, or undefined if it is none. */
async function versionOf(path: string, name: string): Promise<FolderVersion | undefined> {
  if (await isDirectory(join(path, '.registry'))) return {tag: name, at: {kind: 'directory', path}}
  if (await exists(join(path, 'oci-layout'))) return {tag: name, at: {kind: 'oci-layout', path}}
  if (!name.endsWith(TARBALL) || (await isDirectory(path))) return undefined
  return {tag: name.slice(0, -TARBALL.length), at: {kind: 'tarball', path}}
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}
