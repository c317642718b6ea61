import {normalize} from 'node:path/posix'
import {CrossplaneError, type ErrorCode} from '../errors.js'
import {type Blob, type Image, layersOf, platformImages} from '../fetch/image.js'
import {parseJsonObject} from '../fetch/json-document.js'
import {EXAMPLES_LAYER_FOLDER, XPKG_BASE, XPKG_EXAMPLES, XPKG_LAYER} from '../fetch/xpkg-layer.js'
import {SOURCE_LIMITS} from '../fetch/source-limits.js'
import {collectBytes} from '../fetch/verified-bytes.js'
import {quoted} from '../text.js'
import {folderInDirectory} from '../unpack/files/directory-files.js'
import {folderInLayers, registryFiles} from '../unpack/files/layer-files.js'
import {hasEntry} from '../unpack/files/has-entry.js'
import type {PackageDirectory} from '../unpack/files/package-directory.js'
import {directoryFiles} from '../unpack/files/directory-files.js'
import type {PackageFile} from '../unpack/package-file.js'
import {expectPackageFolder} from '../xpkg/image/expect-package-folder.js'
import {ignoredPaths} from '../xpkg/image/ignored-paths.js'
import {isXpkgFolder, ownExamples, xpkgFolderFiles} from '../xpkg/image/xpkg-folder.js'
import {findStream, STREAM_FILE} from '../xpkg/image/xpkg-stream.js'
import {asObject, asText, type JsonObject} from '../yaml/json-value.js'
import type {FormatName} from './expect-format.js'
import type {ExampleChoice, SourceFolderChoices} from './source-folder.js'
import type {XpkgSource} from './xpkg-source.js'

/** The files of a package, and its form if it is for a current Crossplane. */
export interface PackageFiles {
  readonly files: readonly PackageFile[]
  readonly xpkg?: XpkgSource
}

/**
 * Reads the files of a package in an image. One without the annotation of packages for a current Crossplane is one of
 * them if it has no `.registry/`, but their file. Throws `not-found` for an image such as that of a program.
 */
export async function packageInImage(image: Image, choices: ExampleChoice = {}): Promise<PackageFiles> {
  const layers = layersOf(image)
  const isMarked = layers.some(({descriptor}) => descriptor.annotations[XPKG_LAYER] === XPKG_BASE)
  const files = isMarked ? undefined : await registryFiles(layers)
  const read = files === undefined ? await xpkgInLayers(layers, choices) : {files}
  if (read !== undefined) return read
  const message = `the image is not a package: it has neither ${STREAM_FILE} nor .registry/ at its root`
  throw new CrossplaneError('not-found', message)
}

async function xpkgInLayers(
  layers: readonly Blob[],
  {withExamples = false}: ExampleChoice,
): Promise<PackageFiles | undefined> {
  const stream = await findStream(layers)
  if (stream === undefined) return undefined
  const {bytes, baseLayers} = stream
  const own = withExamples ? await readableExamples(async () => await examplesInLayers(layers)) : {}
  return {files: [{path: STREAM_FILE, bytes}], xpkg: {form: 'image', baseLayers, ...own}}
}

/** Only the layer that is marked is read: others have the program of a provider. */
async function examplesInLayers(layers: readonly Blob[]): Promise<readonly PackageFile[]> {
  const marked = layers.find(({descriptor}) => descriptor.annotations[XPKG_LAYER] === XPKG_EXAMPLES)
  const files = marked && (await folderInLayers([marked], [EXAMPLES_LAYER_FOLDER]))
  return (files ?? []).filter(({path}) => /\.ya?ml$/.test(path))
}

/** What examples can have that no package is rejected for. */
const UNREAD: readonly ErrorCode[] = [
  ...(['source-unsafe', 'source-invalid', 'limit-exceeded'] as const),
  // A registry without the layer, and a file that the user may not read; not a connection, which another run can have.
  ...(['not-found', 'read-failed'] as const),
]

async function readableExamples(
  read: () => Promise<readonly PackageFile[]>,
): Promise<Pick<XpkgSource, 'examples' | 'unreadExamples'>> {
  try {
    return {examples: await read()}
  } catch (error) {
    if (!(error instanceof CrossplaneError) || !UNREAD.includes(error.code)) throw error
    return {examples: [], unreadExamples: error.message}
  }
}

/** Recognizes the package in a directory without reading it. Throws `not-found` for a directory without one. */
export async function folderFormat(directory: PackageDirectory): Promise<FormatName> {
  if (await isXpkgFolder(directory)) return 'xpkg'
  await expectPackageFolder(directory)
  return 'stack'
}

/** Reads the files of a package in a directory, of either kind. */
export async function packageInDirectory(
  directory: PackageDirectory,
  {ignore, examples}: SourceFolderChoices = {ignore: [], examples: false},
  {withExamples = false}: ExampleChoice = {},
): Promise<PackageFiles> {
  if ((await folderFormat(directory)) === 'stack') return {files: await directoryFiles(directory)}
  const choices = {isIgnored: ignoredPaths(ignore)}
  const files = await xpkgFolderFiles(directory, choices)
  const read = async () => await ownExamples(directory, choices)
  const own = examples ? {examples: await read()} : withExamples ? await readableExamples(read) : {}
  return {files, xpkg: {form: 'folder', ...own}}
}

/**
 * Reads the files of another folder of an image. A relative path begins at the working directory, as for a container
 * of the image. Throws `not-found` if there is no such folder.
 */
export async function filesInImage(image: Image, folder: string): Promise<readonly PackageFile[]> {
  const base = folder.startsWith('/') ? '/' : await workingDirectory(image)
  const files = await folderInLayers(layersOf(image), segments(`${base}/${folder}`))
  return files ?? missing(folder, 'the image')
}

/** The same of a directory; paths begin there. */
export async function filesInDirectory(
  directory: PackageDirectory,
  folder: string,
): Promise<readonly PackageFile[]> {
  const files = await folderInDirectory(directory, segments(folder))
  return files ?? missing(folder, directory.name)
}

function segments(path: string): readonly string[] {
  const parts = normalize(path)
    .split('/')
    .filter(part => part !== '' && part !== '.')
  if (parts.length > 0 && !parts.includes('..')) return parts
  throw new CrossplaneError(
    'source-unsafe',
    `cannot read the folder ${quoted(path)}: it is not in the package`,
  )
}

function missing(folder: string, holder: string): never {
  throw new CrossplaneError(
    'not-found',
    `cannot read the folder ${quoted(folder)} of ${holder}: no such file or directory`,
    {
      suggestions: ['Pass the folder or the image that contains .registry/ and the templates.'],
    },
  )
}

async function workingDirectory(image: Image): Promise<string> {
  return asText((await configOf(image)).WorkingDir)
}

/** What the containers of an image run with: `config` of its config document; empty without one. */
async function configOf(image: Image): Promise<JsonObject> {
  const [first] = platformImages(image).flatMap(({config}) => config ?? [])
  if (first === undefined) return {}
  const name = 'the config of the image'
  const bytes = await collectBytes(first.open(), SOURCE_LIMITS.manifestBytes, name)
  return asObject(parseJsonObject(bytes, name).config)
}

/** What the containers of an image can run. */
export interface ImageFacts {
  /** The user in its config; empty for root. */
  readonly user: string
  /** Whether it has the program `cp`. */
  readonly hasCopy: boolean
}

/** Where the PATH of images leads to; directories can be links to others of these. */
const COPY = new Set(['usr/local/bin/cp', 'usr/bin/cp', 'usr/sbin/cp', 'bin/cp', 'sbin/cp'])

/** Reads what the containers of an image can run. Throws as reading its layers does. */
export async function imageFacts(image: Image): Promise<ImageFacts> {
  return {user: asText((await configOf(image)).User), hasCopy: await hasEntry(layersOf(image), COPY)}
}
