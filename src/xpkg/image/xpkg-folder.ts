import {CrossplaneError} from '../../errors.js'
import {Allowance} from '../../fetch/allowance.js'
import {SOURCE_LIMITS, type SourceLimits} from '../../fetch/source-limits.js'
import {quoted} from '../../text.js'
import type {PackageDirectory} from '../../unpack/files/package-directory.js'
import {expectSafePath} from '../../unpack/files/registry-path.js'
import {compareBytes, type PackageFile} from '../../unpack/package-file.js'

/** The file with the metadata in the folder of a package for a current Crossplane. */
export const META_FILE = 'crossplane.yaml'

/** The folder of examples, which are not part of the package. */
export const EXAMPLES_FOLDER = 'examples'

/** Reports whether a directory is the source of a package for a current Crossplane; one with `.registry/` is not. */
export async function isXpkgFolder(directory: PackageDirectory): Promise<boolean> {
  const {kind} = await directory.entry(META_FILE)
  return kind === 'file' && (await directory.entry('.registry')).kind === 'absent'
}

/**
 * Reads the YAML files from which `crossplane xpkg build` makes the stream: all below the directory except for
 * `examples/` and hidden ones. Throws `source-unsafe` for links and special files, `limit-exceeded`.
 */
export async function xpkgFolderFiles(
  directory: PackageDirectory,
  choices: FolderChoices = {},
): Promise<readonly PackageFile[]> {
  const {isIgnored = () => false} = choices
  const left = (path: string) => path === EXAMPLES_FOLDER || isIgnored(path)
  return await yamlFiles(directory, '', {...choices, isIgnored: left})
}

/** Reads the YAML files in `examples/` of a package; none without that folder. Throws the same. */
export async function ownExamples(
  directory: PackageDirectory,
  choices: FolderChoices = {},
): Promise<readonly PackageFile[]> {
  const {kind} = await directory.entry(EXAMPLES_FOLDER)
  const isRead = kind === 'directory' && choices.isIgnored?.(EXAMPLES_FOLDER) !== true
  return isRead ? await yamlFiles(directory, EXAMPLES_FOLDER, choices) : []
}

/** Reads the YAML files below a folder of the directory, or below itself for an empty path. Throws the same. */
export async function yamlFiles(
  directory: PackageDirectory,
  folder: string,
  {limits = SOURCE_LIMITS, isIgnored = () => false}: FolderChoices,
): Promise<readonly PackageFile[]> {
  const walk: Walk = {
    directory,
    limits,
    isIgnored,
    entries: new Allowance(limits.files + limits.directories, 'files and directories'),
    bytes: new Allowance(limits.xpkgBytes, 'bytes in YAML files'),
    files: [],
  }
  await readBelow(walk, folder === '' ? [] : folder.split('/'))
  return walk.files
}

/** How to read the folder of a package. */
export interface FolderChoices {
  readonly limits?: SourceLimits
  /** Reports whether a file or folder is left out, by its path below the folder. */
  readonly isIgnored?: (path: string) => boolean
}

interface Walk {
  readonly directory: PackageDirectory
  readonly limits: SourceLimits
  readonly isIgnored: (path: string) => boolean
  readonly entries: Allowance
  readonly bytes: Allowance
  readonly files: PackageFile[]
}

async function readBelow(walk: Walk, path: readonly string[]): Promise<void> {
  const {directory, limits} = walk
  const names = await directory.list(path.join('/'), limits.files + limits.directories)
  for (const name of [...names].sort(compareBytes)) {
    walk.entries.spend(1, directory.name)
    if (name.startsWith('.') || walk.isIgnored([...path, name].join('/'))) continue
    await readEntry(walk, [...path, name])
  }
}

async function readEntry(walk: Walk, path: readonly string[]): Promise<void> {
  const {directory, limits} = walk
  expectSafePath(path, directory.name, limits)
  const {kind} = await directory.entry(path.join('/'))
  if (kind === 'directory') return await readBelow(walk, path)
  if (!/\.ya?ml$/.test(path.at(-1) ?? '')) return
  if (kind === 'file') walk.files.push(await readFile(walk, path.join('/')))
  else if (kind !== 'absent') throw special(directory, path.join('/'), kind)
}

async function readFile({directory, limits, bytes}: Walk, path: string): Promise<PackageFile> {
  const content = await directory.read(path, limits.fileBytes)
  bytes.spend(content.length, directory.name)
  if (content.length <= limits.fileBytes) return {path, bytes: content}
  throw new CrossplaneError(
    'limit-exceeded',
    `cannot read ${quoted(path)} in ${directory.name}: it has more than ${limits.fileBytes} bytes`,
  )
}

function special({name}: PackageDirectory, path: string, kind: 'symlink' | 'other'): CrossplaneError {
  const what = kind === 'symlink' ? 'a link' : 'a device, socket or fifo'
  return new CrossplaneError('source-unsafe', `cannot read ${name}: ${quoted(path)} is ${what}`, {
    suggestions: ['Put the file itself in its place.'],
  })
}
