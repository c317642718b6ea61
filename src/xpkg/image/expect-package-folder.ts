import {CrossplaneError} from '../../errors.js'
import {shellWord} from '../../text.js'
import {documentsIn} from '../../unpack/diagnostics.js'
import type {PackageDirectory} from '../../unpack/files/package-directory.js'
import {compareBytes} from '../../unpack/package-file.js'
import {asObject, asText} from '../../yaml/json-value.js'
import {META_FILE} from './xpkg-folder.js'

/**
 * Throws `not-found` for a directory that is the source of no package: for one where the metadata of a package for a
 * current Crossplane is elsewhere, with that place. A directory that is or contains `.registry/` passes.
 */
export async function expectPackageFolder(directory: PackageDirectory): Promise<void> {
  const {location, name} = directory
  if (location.at(-1) === '.registry') return
  for (const own of ['.registry', 'app.yaml']) if ((await directory.entry(own)).kind !== 'absent') return
  const {cause, suggestions} = await explained(directory)
  throw new CrossplaneError('not-found', `cannot read ${name} as a package: ${cause}`, {suggestions})
}

interface Explanation {
  readonly cause: string
  readonly suggestions: readonly string[]
}

async function explained(directory: PackageDirectory): Promise<Explanation> {
  const {name} = directory
  if ((await directory.entry('')).kind === 'file')
    return {cause: 'it is a file', suggestions: [folderOf(name)]}
  const place = await otherPlace(directory)
  if (place !== undefined) return {cause: `it has no ${META_FILE}`, suggestions: [place]}
  return {
    cause: `it has neither ${META_FILE} nor .registry/`,
    suggestions: [
      `Pass the folder with ${META_FILE} or, for a package of Crossplane v0.12, with .registry/.`,
      `kubectl crossplane package init ${shellWord(name)}`,
    ],
  }
}

function folderOf(file: string): string {
  const folder = shellWord(file.replace(/\/?[^/]*$/, '') || '.')
  if (file.endsWith(META_FILE)) return `Pass the folder of the file: ${folder}`
  return `Pass a folder with ${META_FILE}, a file *.xpkg, or oci-archive:FILE.`
}

const PROJECT_FILES = ['crossplane-project.yaml', 'upbound.yaml']

/** Returns what to do where the metadata of a package for a current Crossplane is in another place. */
async function otherPlace(directory: PackageDirectory): Promise<string | undefined> {
  const other = await otherMetadata(directory)
  if (other !== undefined) return `Rename ${other} to ${META_FILE}: it has the metadata of a package.`
  for (const file of PROJECT_FILES)
    if ((await directory.entry(file)).kind === 'file')
      return `Build the project of ${file} with its own tool, and pass the file *.xpkg that it writes.`
  const nested = await nestedFolder(directory, '', MAX_DEPTH)
  if (nested === undefined) return undefined
  const path = `${directory.name.replace(/\/$/, '')}/${nested}`
  return `Pass the folder with ${META_FILE}: ${shellWord(path)}`
}

const MAX_BYTES = 1_000_000
const MAX_ENTRIES = 1000
const MAX_DEPTH = 3

/** Returns the file at the top that has the metadata under another name, such as crossplane.yml. */
async function otherMetadata(directory: PackageDirectory): Promise<string | undefined> {
  const names = await directory.list('', MAX_ENTRIES)
  for (const file of [...names].sort(compareBytes)) {
    if (!/\.ya?ml$/.test(file) || (await directory.entry(file)).kind !== 'file') continue
    const bytes = await directory.read(file, MAX_BYTES)
    if (bytes.length <= MAX_BYTES && hasMetadata(file, bytes)) return file
  }
  return undefined
}

function hasMetadata(file: string, bytes: Uint8Array): boolean {
  if (!Buffer.from(bytes).includes('meta.pkg.crossplane.io/')) return false
  const documents = documentsIn(file, bytes, {errors: [], warnings: []})
  return documents.some(({yaml}) =>
    asText(asObject(yaml.value).apiVersion).startsWith('meta.pkg.crossplane.io/'),
  )
}

/** Returns the path of the first folder below that has the metadata of a package. */
async function nestedFolder(
  directory: PackageDirectory,
  path: string,
  depth: number,
): Promise<string | undefined> {
  const folders = depth === 0 ? [] : await foldersIn(directory, path)
  for (const folder of folders)
    if ((await kindOf(directory, `${folder}/${META_FILE}`)) === 'file') return folder
  for (const folder of folders) {
    const nested = await nestedFolder(directory, folder, depth - 1)
    if (nested !== undefined) return nested
  }
  return undefined
}

/** None where a folder cannot be read: it is searched for a suggestion only. */
async function foldersIn(directory: PackageDirectory, path: string): Promise<readonly string[]> {
  const names = await directory.list(path, MAX_ENTRIES).catch(() => [])
  const folders: string[] = []
  for (const name of [...names].sort(compareBytes)) {
    const at = path === '' ? name : `${path}/${name}`
    const isHidden = name.startsWith('.') || name === 'node_modules'
    if (!isHidden && (await kindOf(directory, at)) === 'directory') folders.push(at)
  }
  return folders
}

async function kindOf(directory: PackageDirectory, path: string): Promise<string> {
  const entry = await directory.entry(path).catch(() => undefined)
  return entry?.kind ?? 'absent'
}
