import type {Diagnostic} from '../../diagnostic.js'
import {type ImageName, parseImageName} from '../../reference/image-name.js'
import {tagAgrees} from '../../reference/newest-version.js'
import {diagnosticAt, type SourceDocument} from '../../unpack/diagnostics.js'
import {asObject, asText, type FieldPath, isJsonArray, type JsonValue} from '../../yaml/json-value.js'
import type {Candidate} from './candidate.js'

/** Checks the images that a package names. A container without one runs the package's own image. */
export function checkImages(candidate: Candidate): Diagnostic[] {
  const named = [...containerImages(candidate), ...behaviorImages(candidate)]
  return named.flatMap(({document, path, text, isOwn}) => {
    const image = parseImageName(text)
    const diagnostic = (rule: string, message: string) => diagnosticAt(document, rule, path, message)
    if (image === undefined) return [diagnostic('image-invalid', `invalid image ${JSON.stringify(text)}`)]
    return [
      ...floating(image).map(why => diagnostic('image-floating', `${text} ${why}`)),
      ...(isOwn(image) ? drift(image, candidate).map(message => diagnostic('image-version', message)) : []),
    ]
  })
}

interface NamedImage {
  readonly document: SourceDocument
  readonly path: FieldPath
  readonly text: string
  /** Whether it is the package's own image, which has the package's version. */
  readonly isOwn: (image: ImageName) => boolean
}

function containerImages({controller, reference}: Candidate): NamedImage[] {
  if (controller === undefined) return []
  const {document, value} = controller
  const podSpec = asObject(asObject(value.template).spec)
  const places = ['initContainers', 'containers'].flatMap(list => imagesIn(podSpec[list], list))
  // A container beside others can be anything; a single one is the controller.
  const isAlone = isJsonArray(podSpec.containers) && podSpec.containers.length === 1
  return places.map(({list, index, text}) => ({
    document,
    path: ['spec', 'template', 'spec', list, index, 'image'],
    text,
    isOwn: image => image.path === reference?.path || (isAlone && list === 'containers'),
  }))
}

function imagesIn(
  containers: JsonValue | undefined,
  list: string,
): {list: string; index: number; text: string}[] {
  if (!isJsonArray(containers)) return []
  return containers
    .map((container, index) => ({list, index, text: asText(asObject(container).image)}))
    .filter(({text}) => text !== '')
}

function behaviorImages({behavior}: Candidate): NamedImage[] {
  if (behavior === undefined) return []
  const {document, value} = behavior
  const {source, controllerImage} = value
  const images = [
    {path: ['source', 'image'], text: source.image ?? '', isOwn: () => true},
    {path: ['engine', 'controllerImage'], text: controllerImage ?? '', isOwn: () => false},
  ]
  return images.filter(({text}) => text !== '').map(image => ({document, ...image}))
}

function floating({tag, digest}: ImageName): string[] {
  if (digest !== undefined || (tag !== undefined && tag !== 'latest')) return []
  return [`has ${tag === undefined ? 'no tag' : 'the tag latest'}, so the image that runs can change`]
}

function drift({tag, digest}: ImageName, {app, tag: packageTag}: Candidate): string[] {
  const version = app?.value.version ?? packageTag
  if (tag === undefined || digest !== undefined || version === undefined) return []
  if (tag === 'latest' || tagAgrees(tag, version) || tagAgrees(version, tag)) return []
  return [`the version of the package is ${version}, but the tag of the image is ${tag}`]
}
