import {CrossplaneError} from '../errors.js'
import type {JsonObject} from '../yaml/json-value.js'
import {readDescriptors} from './descriptor.js'
import type {Descriptor} from './image.js'
import type {ImageStore, RootDocument} from './image-store.js'
import {parseJsonObject} from './json-document.js'
import {MANIFEST_MEDIA_TYPES} from './media-types.js'
import {DEFAULT_PLATFORM, choosePlatform} from './platform.js'
import type {Platform} from './platform.js'
import {listNames} from '../text.js'
import type {SourceFile, SourceFiles} from './source-files.js'
import {SOURCE_LIMITS} from './source-limits.js'
import {tagOf} from './tag-of.js'
import {collectBytes} from './verified-bytes.js'

/** Selects an image of a layout. Without a tag there must be only one, or one per platform. */
export interface LayoutChoice {
  readonly tag?: string
  readonly platform?: Platform
}

/**
 * One image of an OCI layout, in a directory or an archive.
 * https://github.com/opencontainers/image-spec/blob/v1.1.1/image-layout.md
 * `root` throws `not-found` when it is not a layout or lacks the tag, `reference-invalid` when a tag is needed to select.
 */
export function ociLayout(files: SourceFiles, choice: LayoutChoice = {}): ImageStore {
  const blob = (descriptor: Descriptor, start?: number) => blobBytes(files, descriptor, start)
  return {
    name: choice.tag === undefined ? files.name : `${files.name}:${choice.tag}`,
    root: () => layoutRoot(files, choice),
    manifest: descriptor => blob(descriptor),
    blob,
  }
}

async function layoutRoot(files: SourceFiles, choice: LayoutChoice): Promise<RootDocument> {
  await expectVersion(files)
  const index = await jsonFile(files, 'index.json')
  const selected = chooseEntry(
    readDescriptors(index, 'manifests', `index.json in ${files.name}`),
    choice,
    files.name,
  )
  const tag = choice.tag ?? refName(selected)
  return {...selected, bytes: blobBytes(files, selected), ...(tag !== undefined && {tag: tagOf(tag)})}
}

async function expectVersion(files: SourceFiles): Promise<void> {
  const {imageLayoutVersion} = await jsonFile(files, 'oci-layout')
  if (imageLayoutVersion === '1.0.0') return
  throw new CrossplaneError('unsupported', `${files.name} is not an OCI layout of version 1.0.0`)
}

async function jsonFile(files: SourceFiles, path: string): Promise<JsonObject> {
  const file = await existing(files, path)
  const holder = `${path} in ${files.name}`
  return parseJsonObject(await collectBytes(file.read(), SOURCE_LIMITS.manifestBytes, holder), holder)
}

async function existing(files: SourceFiles, path: string): Promise<SourceFile> {
  const file = await files.file(path)
  if (file !== undefined) return file
  throw new CrossplaneError('not-found', `${files.name} is not an OCI layout: it has no ${path}`, {
    suggestions: ['Create one: skopeo copy SOURCE oci:DIR:TAG'],
  })
}

/** A tag may be given to one image per platform; a layout without tags may be the index of one image. */
function chooseEntry(
  entries: readonly Descriptor[],
  {tag, platform}: LayoutChoice,
  name: string,
): Descriptor {
  const images = entries.filter(({mediaType}) => MANIFEST_MEDIA_TYPES.includes(mediaType))
  const matching = images.filter(entry => tag === undefined || refName(entry) === tag)
  const [first] = matching
  if (first === undefined) throw missing(tag, images, name)
  if (matching.every(({digest}) => digest === first.digest)) return first
  const alike = matching.every(entry => refName(entry) === refName(first) && entry.platform !== undefined)
  const fitting = alike ? choosePlatform(matching, platform ?? DEFAULT_PLATFORM) : undefined
  if (fitting === undefined) throw ambiguous(matching, name)
  return fitting
}

/** The annotation with the tag, by a convention of all tools. */
function refName({annotations}: Descriptor): string | undefined {
  return annotations['org.opencontainers.image.ref.name']
}

async function* blobBytes(
  files: SourceFiles,
  {digest}: Descriptor,
  start?: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await files.file(`blobs/${digest.replace(':', '/')}`)
  if (file === undefined) {
    throw new CrossplaneError('not-found', `${files.name} lists ${digest}, but does not have it`)
  }
  yield* file.read(start)
}

function missing(tag: string | undefined, images: readonly Descriptor[], name: string): CrossplaneError {
  const message = tag === undefined ? `${name} has no image` : `${name} has no image tagged ${tag}`
  return new CrossplaneError('not-found', message, {suggestions: tagAdvice(images)})
}

function ambiguous(images: readonly Descriptor[], name: string): CrossplaneError {
  const message = `${name} has ${images.length} images; select one by its tag`
  return new CrossplaneError('reference-invalid', message, {suggestions: tagAdvice(images)})
}

function tagAdvice(images: readonly Descriptor[]): readonly string[] {
  const tags = images.map(refName).filter(tag => tag !== undefined)
  return tags.length === 0 ? [] : [`Add one of its tags to the reference: ${listNames(tags)}.`]
}
