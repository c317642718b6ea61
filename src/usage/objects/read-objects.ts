import {CrossplaneError} from '../../errors.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {readYaml, type YamlDocument} from '../../yaml/read-yaml.js'

/** A file in which users may have objects. */
export interface UsageFile {
  /** The path for messages, with `/` between segments, or the name of an input. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** An object of a user, with its place. */
export interface UsedObject {
  readonly apiVersion: string
  readonly kind: string
  readonly value: JsonObject
  readonly file: string
  readonly line: number
  /** Returns the line of a field; of one that does not exist, that of the nearest field around it. */
  readonly lineOf: (path: FieldPath) => number
}

/** A part of the files that is not read as objects, with the reason. */
interface UnreadObjects {
  readonly file: string
  readonly line?: number
  readonly reason: string
}

/** What files contain. */
export interface ObjectsRead {
  readonly objects: readonly UsedObject[]
  readonly unread: readonly UnreadObjects[]
  /** The number of files that have objects. */
  readonly files: number
}

/**
 * Reads the objects of files, also the items of Lists. Documents without `apiVersion` and `kind` are skipped.
 * What objects are only made of, such as templates and patches of kustomize, is not read, and named.
 */
export function readObjects(files: readonly UsageFile[]): ObjectsRead {
  const inputs = files.filter(
    ({path, bytes}) => Buffer.from(bytes).includes('apiVersion') || isKustomization(path),
  )
  const charts = chartFolders(files)
  const read = inputs.map(file => ({path: file.path, ...contentOf(file, charts)}))
  const patches = new Set(read.flatMap(({path, documents}) => documents.flatMap(one => patchesOf(one, path))))
  const objects: UsedObject[] = []
  const unread: UnreadObjects[] = []
  for (const {path, documents, reason} of read) {
    if (reason !== undefined) unread.push({file: path, reason})
    else if (patches.has(path)) unread.push({file: path, reason: 'it is a patch of kustomize'})
    else {
      unread.push(...documents.flatMap(one => unreadParts(one, path)))
      objects.push(...documents.flatMap(one => usedObjects(one, path)))
    }
  }
  return {objects, unread, files: new Set(objects.map(({file}) => file)).size}
}

interface FileContent {
  readonly documents: readonly YamlDocument[]
  /** Why the file is not read. */
  readonly reason?: string
}

function contentOf(file: UsageFile, charts: readonly string[]): FileContent {
  if (charts.some(chart => file.path.startsWith(`${chart}templates/`)))
    return {documents: [], reason: 'it is a template of a Helm chart'}
  try {
    return {documents: readYaml(file.bytes, file.path)}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const isTemplate = Buffer.from(file.bytes).includes('{{')
    return {documents: [], reason: isTemplate ? 'it is a template' : error.message}
  }
}

/** The folders of Helm charts, each with a `/` at its end. */
function chartFolders(files: readonly UsageFile[]): readonly string[] {
  return files.flatMap(({path}) => (/(?:^|\/)Chart\.ya?ml$/.test(path) ? [folderOf(path)] : []))
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function isKustomization(file: string): boolean {
  return /(?:^|\/)kustomization\.ya?ml$|(?:^|\/)Kustomization$/.test(file)
}

/** Returns the files that a kustomization names as patches. */
function patchesOf({value}: YamlDocument, file: string): readonly string[] {
  if (!isKustomization(file)) return []
  const {patches, patchesJson6902, patchesStrategicMerge} = asObject(value)
  const named = [...asObjects(patches), ...asObjects(patchesJson6902)].map(({path}) => asText(path))
  return [...named, ...asTexts(patchesStrategicMerge)].flatMap(path =>
    path === '' || path.includes('\n') ? [] : [joined(folderOf(file), path)],
  )
}

/** Joins a folder and a path that may lead out of it. */
function joined(folder: string, path: string): string {
  const steps: string[] = folder === '' ? [] : folder.slice(0, -1).split('/')
  for (const step of path.split('/')) {
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else if (step !== '.' && step !== '') steps.push(step)
  }
  return steps.join('/')
}

/** The fields of a kustomization that change or make objects. */
const CHANGING = [
  ...['patches', 'patchesJson6902', 'patchesStrategicMerge', 'replacements', 'vars', 'transformers'],
  ...['helmCharts', 'helmChartInflationGenerator', 'generators'],
]

function unreadParts(document: YamlDocument, file: string): readonly UnreadObjects[] {
  if (!isKustomization(file)) return []
  return CHANGING.flatMap(field => {
    if (asObject(document.value)[field] === undefined) return []
    return [{file, line: document.lineOf([field]), reason: `kustomize changes objects by ${field}`}]
  })
}

function usedObjects(document: YamlDocument, file: string): readonly UsedObject[] {
  return objectsIn(document).flatMap(({value, line, place}) => {
    const {apiVersion, kind} = asObject(value)
    if (!isJsonObject(value) || typeof apiVersion !== 'string' || typeof kind !== 'string') return []
    return [
      {
        apiVersion,
        kind,
        value,
        file,
        line,
        lineOf: (path: FieldPath) => document.lineOf([...place, ...path]),
      },
    ]
  })
}

/** An object of a file: a document, or an item of a List. */
export interface FoundObject {
  readonly document: YamlDocument
  readonly value: JsonValue
  readonly line: number
  /** The path within the document. */
  readonly place: FieldPath
}

/** Returns the objects of a document: `kubectl get --output yaml` prints several objects as one List. */
export function objectsIn(document: YamlDocument): readonly FoundObject[] {
  const {value, line} = document
  const {kind, items} = asObject(value)
  if (!asText(kind).endsWith('List') || !isJsonArray(items)) return [{document, value, line, place: []}]
  return items.map((item, at) => {
    const place = ['items', at]
    return {document, value: item, line: document.lineOf(place), place}
  })
}
