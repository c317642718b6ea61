import type {Digest} from '../fetch/image.js'
import {formatPlatform, type Platform} from '../fetch/platform.js'
import {SOURCE_LIMITS} from '../fetch/source-limits.js'
import {digestOf} from '../fetch/verified-bytes.js'
import type {Repository} from '../reference/repository.js'
import type {PackageFile} from '../unpack/package-file.js'
import {asObject, isJsonArray, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import type {CachedPackage} from './cached-package.js'
import {readCount, readDigest, readPlatform, readRepository, readSha256} from './document-fields.js'

/** The entry of a package: its files by their hashes. */
export interface Entry {
  readonly digest: Digest
  readonly platform: Platform
  readonly repository: Repository
  readonly tag?: string
  readonly files: readonly EntryFile[]
  /** As `CachedPackage` has it. */
  readonly baseLayers?: number
  /** Apart from the files, because programs that do not know of examples take all of those for content of the package. */
  readonly examples?: readonly EntryFile[]
}

/** `size` is in bytes, `sha256` in hex. */
export interface EntryFile {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

/** The entry of a package. It is without the examples if no program could read an entry with them. */
export function entryOf({files, examples, ...about}: CachedPackage): Entry {
  const listed = examples?.map(describedFile)
  const isReadable = listed !== undefined && readExamples(listed.map(file => ({...file}))) !== undefined
  return {...about, files: files.map(describedFile), ...(isReadable && {examples: listed})}
}

function describedFile({path, bytes}: PackageFile): EntryFile {
  return {path, size: bytes.length, sha256: digestOf(bytes).slice('sha256:'.length)}
}

/** The files of a package and those of its examples. */
export function allFiles({files, examples = []}: Entry): readonly EntryFile[] {
  return [...files, ...examples]
}

/** An entry as a document's body; `readEntry` reads it. */
export function entryBody({platform, ...entry}: Entry): Readonly<Record<string, unknown>> {
  return {...entry, platform: formatPlatform(platform)}
}

/**
 * Returns undefined for an invalid entry: anyone can write to a shared cache. Paths stay within the package and are
 * distinct, and sizes and counts are within `SOURCE_LIMITS`.
 */
export function readEntry(body: JsonObject): Entry | undefined {
  const content = readContent(body)
  const digest = readDigest(body.digest)
  const platform = readPlatform(body.platform)
  const repository = readRepository(body.repository)
  if (content === undefined || digest === undefined || platform === undefined || repository === undefined)
    return undefined
  const entry = {digest, platform, repository, ...content}
  if (body.tag === undefined) return entry
  return typeof body.tag === 'string' && isShort(body.tag) ? {...entry, tag: body.tag} : undefined
}

/** A stream of a package for a current Crossplane can be larger than a file of other packages. */
function readContent({
  files,
  baseLayers,
  examples,
}: JsonObject): Pick<Entry, 'files' | 'baseLayers' | 'examples'> | undefined {
  if (baseLayers === undefined) {
    const read = readFiles(files, SOURCE_LIMITS.fileBytes)
    return read && {files: read}
  }
  const marked = readCount(baseLayers, SOURCE_LIMITS.layers)
  const read = readFiles(files, SOURCE_LIMITS.xpkgBytes)
  if (marked === undefined || read === undefined) return undefined
  if (examples === undefined) return {files: read, baseLayers: marked}
  const readToo = readExamples(examples)
  return readToo && {files: read, baseLayers: marked, examples: readToo}
}

/** They have limits of their own: a stream can be as large as a package. */
function readExamples(value: JsonValue): readonly EntryFile[] | undefined {
  return readFiles(value, SOURCE_LIMITS.fileBytes)
}

function readFiles(value: JsonValue | undefined, maxBytes: number): readonly EntryFile[] | undefined {
  if (!isJsonArray(value) || value.length > SOURCE_LIMITS.files) return undefined
  const files = value.map(file => readFile(file, maxBytes))
  const entryFiles = files.filter(file => file !== undefined)
  const bytes = entryFiles.reduce((sum, {size}) => sum + size, 0)
  const isWhole = entryFiles.length === files.length && bytes <= SOURCE_LIMITS.packageBytes
  return isWhole && isTree(entryFiles.map(file => file.path)) ? entryFiles : undefined
}

function readFile(value: JsonValue, maxBytes: number): EntryFile | undefined {
  const {path, ...file} = asObject(value)
  const size = readCount(file.size, maxBytes)
  const sha256 = readSha256(file.sha256)
  if (typeof path !== 'string' || !isInside(path) || size === undefined || sha256 === undefined)
    return undefined
  return {path, size, sha256}
}

/** The form that `PackageFile` requires. */
function isInside(path: string): boolean {
  const segments = path.split('/')
  return (
    isShort(path) &&
    segments.length <= SOURCE_LIMITS.pathDepth &&
    !path.includes('\0') &&
    !segments.some(segment => ['', '.', '..'].includes(segment))
  )
}

function isShort(text: string): boolean {
  return Buffer.byteLength(text) <= SOURCE_LIMITS.pathBytes
}

/** Rejects duplicate paths, and a path that is a folder of another. */
function isTree(paths: readonly string[]): boolean {
  const folders = new Set(paths.flatMap(foldersOf))
  return new Set(paths).size === paths.length && !paths.some(path => folders.has(path))
}

function foldersOf(path: string): readonly string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}
