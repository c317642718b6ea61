import {CrossplaneError} from '../errors.js'
import type {Diagnostic} from '../diagnostic.js'
import {asText, isJsonArray, isJsonObject} from '../yaml/json-value.js'
import type {JsonValue} from '../yaml/json-value.js'
import {parseJson} from './json-document.js'
import {listNames} from '../text.js'
import type {SourceFiles} from './source-files.js'
import {SOURCE_LIMITS} from './source-limits.js'
import type {SourceLimits} from './source-limits.js'
import {tagOf} from './tag-of.js'
import {collectBytes} from './verified-bytes.js'

/** Selects an image of an archive, in skopeo's notation: `name:tag`, or `@` and its number counted from 0. */
export interface ArchiveChoice {
  readonly reference?: string
  readonly limits?: SourceLimits
}

/**
 * Finds the selected image in the list of an archive. Throws `not-found` if it is not an archive of `docker save` or
 * lacks the image, `reference-invalid` if it contains several and none is named.
 */
export async function archivedImage(files: SourceFiles, choice: ArchiveChoice): Promise<ArchivedImage> {
  const {reference, limits = SOURCE_LIMITS} = choice
  const selected = chooseImage(await archivedImages(files, limits), reference, files.name)
  if (selected.layers.length > limits.layers) throw tooManyLayers(files.name, limits)
  const tag =
    reference === undefined || reference.startsWith('@') ? onlyTag(selected.tags) : tagOf(familiar(reference))
  return {...selected, tag}
}

/** `config` and `layers` are paths in the archive. */
interface ArchivedImage {
  /** The tag that was requested, or the only one. */
  readonly tag?: string
  readonly tags: readonly string[]
  readonly config: string
  readonly layers: readonly string[]
}

async function archivedImages(files: SourceFiles, limits: SourceLimits): Promise<readonly ArchivedImage[]> {
  const file = await files.file('manifest.json')
  const holder = `manifest.json in ${files.name}`
  if (file === undefined) throw noArchive(files.name)
  const document = parseJson(await collectBytes(file.read(), limits.manifestBytes, holder), holder)
  const images: readonly JsonValue[] = isJsonArray(document) ? document : [document]
  const diagnostics = images.flatMap(imageDiagnostics)
  if (diagnostics.length > 0)
    throw new CrossplaneError('source-invalid', `cannot read ${holder}: not the format of docker save`, {
      diagnostics,
    })
  return images.filter(isJsonObject).map(({RepoTags, Config, Layers}) => ({
    tags: strings(RepoTags),
    config: asText(Config),
    layers: strings(Layers),
  }))
}

/** `RepoTags` and, for an image without layers, `Layers` can be null, which is how Go writes empty lists. */
function imageDiagnostics(image: JsonValue, index: number): readonly Diagnostic[] {
  if (!isJsonObject(image))
    return [{severity: 'error', rule: 'docker-archive', field: `[${index}]`, message: 'must be an object'}]
  return ['RepoTags', 'Layers']
    .filter(name => !isStrings(image[name] ?? []))
    .map(name => ({
      severity: 'error',
      rule: 'docker-archive',
      field: `[${index}].${name}`,
      message: 'must be a list of strings',
    }))
}

function isStrings(value: JsonValue): boolean {
  return isJsonArray(value) && value.every(item => typeof item === 'string')
}

function strings(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter(item => typeof item === 'string') : []
}

function chooseImage(
  images: readonly ArchivedImage[],
  reference: string | undefined,
  name: string,
): ArchivedImage {
  const [only, ...others] = reference === undefined ? images : images.filter(meantBy(reference))
  if (only === undefined) throw missing(images, reference, name)
  if (others.length === 0) return only
  throw new CrossplaneError('reference-invalid', `cannot select an image in ${name}: it has several`, {
    suggestions: nameAdvice(images),
  })
}

function meantBy(reference: string): (image: ArchivedImage, index: number) => boolean {
  if (/^@\d+$/.test(reference)) return (_image, index) => index === Number(reference.slice(1))
  return ({tags}) => tags.some(tag => familiar(tag) === familiar(reference))
}

/** docker writes `name:tag`, podman and skopeo `docker.io/library/name:tag`; both are the same. */
function familiar(reference: string): string {
  const short = reference.replace(/^(index\.)?docker\.io\//, '').replace(/^library\//, '')
  return short.slice(short.lastIndexOf('/') + 1).includes(':') ? short : `${short}:latest`
}

function onlyTag(names: readonly string[]): string | undefined {
  const tags = new Set(names.map(tagOf))
  return tags.size === 1 ? [...tags][0] : undefined
}

function noArchive(name: string): CrossplaneError {
  return new CrossplaneError(
    'not-found',
    `cannot read ${name} as an archive of docker save: it has no manifest.json`,
    {
      suggestions: ['Use oci-archive:FILE if it has an OCI layout.'],
    },
  )
}

function missing(
  images: readonly ArchivedImage[],
  reference: string | undefined,
  name: string,
): CrossplaneError {
  const message =
    reference === undefined
      ? `cannot select an image in ${name}: it has none`
      : `cannot select an image in ${name}: ${reference} not found`
  return new CrossplaneError('not-found', message, {suggestions: nameAdvice(images)})
}

function nameAdvice(images: readonly ArchivedImage[]): readonly string[] {
  const names = images.flatMap(({tags}, index) => (tags.length === 0 ? [`@${index}`] : tags))
  return names.length === 0 ? [] : [`Add one of its names to the reference: ${listNames(names)}.`]
}

function tooManyLayers(name: string, limits: SourceLimits): CrossplaneError {
  return new CrossplaneError(
    'limit-exceeded',
    `cannot read ${name}: it has more than ${limits.layers} layers`,
  )
}
