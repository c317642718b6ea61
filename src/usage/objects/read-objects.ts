import type {ObjectJudge} from '../../crd/instances/check-object.js'
import type {Diagnostic} from '../../diagnostic.js'
import {count} from '../../text.js'
import {
  asObject,
  asText,
  type FieldPath,
  formatPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import type {YamlDocument} from '../../yaml/read-yaml.js'
import type {UnreadObjects, UsageFile, UsedObject} from './used-object.js'
import {chartFolders, chartSettings, isOfChart, isValuesFile} from './charts.js'
import {unreadDelivery} from './deliveries.js'
import {documentsOf, isText} from './file-documents.js'
import {isKustomization, listedSources, partsNamedBy, unreadSettings} from './kustomization.js'
import {overlayChanges} from './kustomize-overlays.js'
import {isOpenText} from './open-values.js'

/** An input that a user named, with the paths of its files. */
interface NamedInput {
  readonly name: string
  readonly paths: readonly string[]
}

/** What is known about files that are not read. */
export interface UnreadFiles {
  /** The files that a rendered tree has. */
  readonly rendered: readonly string[]
  /** What is left out although it may have objects. */
  readonly unread: readonly UnreadObjects[]
  /** What could not be read. */
  readonly unreadable: readonly UnreadObjects[]
  readonly inputs: readonly NamedInput[]
}

/** What files contain. */
export interface ObjectsRead {
  readonly objects: readonly UsedObject[]
  /** What is not read, with what could not be read. */
  readonly unread: readonly UnreadObjects[]
  /** The number of files that have objects. */
  readonly files: number
}

/** Why it is not known what objects there are. */
export interface InputFailures {
  /** What could not be read. */
  readonly unreadable: readonly UnreadObjects[]
  /** The inputs that have no object, and nothing that is unread. */
  readonly empty: readonly string[]
}

/** Returns the warning about an input without objects. */
export function emptyWarning(name: string): Diagnostic {
  return {severity: 'warning', rule: 'no-objects', message: `no objects in ${name}`}
}

/** The files of users, and what is known about others. */
export interface ObjectFiles extends UnreadFiles {
  readonly files: readonly UsageFile[]
}

/** Port: reads the objects of users. */
export interface UsagePorts {
  /** Reads the files that paths name, and those below the folders among them. Throws `not-found`. */
  readonly objects: (paths: readonly string[]) => Promise<ObjectFiles>
  /** Returns what decides about patterns and rules of schemas. */
  readonly judge: () => Promise<ObjectJudge>
}

const NO_OTHERS: UnreadFiles = {rendered: [], unread: [], unreadable: [], inputs: []}

/**
 * Reads the objects of files, also the items of Lists. Documents without `apiVersion` and `kind` are skipped, but not one with a name
 * that has only one of them.
 * What objects are only made of, such as templates and patches of kustomize, is not read, and named; so is what Flux and Argo CD make
 * objects of.
 */
export function readObjects(
  files: readonly UsageFile[],
  others: UnreadFiles = NO_OTHERS,
): ObjectsRead & InputFailures {
  const charts = chartFolders(files)
  // A file that the user named is read in any case: what is broken may be the line with its apiVersion.
  const named = new Set(others.inputs.flatMap(({name, paths}) => paths.filter(path => path === name)))
  const mayBeRead = (file: UsageFile) =>
    named.has(file.path) ||
    (!isValuesFile(file.path, charts) && (mayHaveObjects(file) || isOfChart(file, charts)))
  const read = files.filter(mayBeRead).map(file => ({path: file.path, ...contentOf(file, charts)}))
  const settings = settingsIn(read)
  const skipped = [...others.unread, ...others.unreadable]
  const paths = [...files.map(({path}) => path), ...others.rendered, ...skipped.map(({file}) => file)]
  const parts = read.map(({path, ...content}) => {
    const reason = content.failures.length === 0 ? settings.get(path) : undefined
    return reason === undefined ? partsOf(content, path, paths) : {...NOTHING, unread: [{file: path, reason}]}
  })
  const own = parts.flatMap(part => part.objects)
  const changedBy = overlayChanges(read, files, own)
  const objects = own.map(object => withChanges(object, changedBy))
  const unreadable = [...others.unreadable, ...parts.flatMap(part => part.unreadable)]
  const unread = [...others.unread, ...parts.flatMap(part => part.unread), ...unreadable]
  const used = new Set([...objects, ...unread].map(({file}) => file))
  return {
    ...{objects, unread, unreadable},
    files: new Set(objects.map(({file}) => file)).size,
    empty: others.inputs.flatMap(input => (input.paths.some(path => used.has(path)) ? [] : [input.name])),
  }
}

function withChanges(object: UsedObject, changedBy: ReturnType<typeof overlayChanges>): UsedObject {
  return changedBy === undefined
    ? object
    : {...object, changedBy: (place, keyword) => changedBy(object, {place, keyword})}
}

/** Returns the files that are only a part of a kustomization, with what they are: what one takes objects from has objects. */
function settingsIn(
  read: readonly (Pick<FileContent, 'documents'> & {readonly path: string})[],
): ReadonlyMap<string, string> {
  const all = read.flatMap(({path, documents}) => documents.map(document => ({path, document})))
  const listed = new Set(
    all.flatMap(({path, document}) => listedSources(document, path).map(source => source.path)),
  )
  return new Map(
    all.flatMap(({path, document}) => partsNamedBy(document, path)).filter(([named]) => !listed.has(named)),
  )
}

/** The text is not searched for where it has another encoding, which is an error. */
function mayHaveObjects({path, bytes}: UsageFile): boolean {
  const text = Buffer.from(bytes)
  return isKustomization(path) || text.includes('apiVersion') || hasKindAndName(text) || !isText(bytes)
}

/** Whether a text has a kind and metadata of its own, as an object does whose `apiVersion` is missing or misspelled. */
function hasKindAndName(text: Buffer): boolean {
  if (!text.includes('metadata') || !text.includes('kind')) return false
  const words = text.toString()
  return /^(?:kind|[ \t]*"kind"\s*):/m.test(words) && /^(?:metadata|[ \t]*"metadata"\s*):/m.test(words)
}

interface FileContent {
  readonly documents: readonly YamlDocument[]
  /** Why the file is not read. */
  readonly reason?: string
  /** Why the file, or a part of it, cannot be read. */
  readonly failures: readonly UnreadObjects[]
}

function contentOf(file: UsageFile, charts: readonly string[]): FileContent {
  const read = documentsOf(file, charts)
  if ('documents' in read) return {documents: read.documents, failures: []}
  const {isFailure, unread} = read
  return isFailure
    ? {documents: [], failures: [unread]}
    : {documents: [], failures: [], reason: unread.reason}
}

interface FileParts extends Pick<ObjectsRead, 'objects' | 'unread'> {
  readonly unreadable: readonly UnreadObjects[]
}

const NOTHING: FileParts = {objects: [], unread: [], unreadable: []}

function partsOf(
  {documents, reason, failures}: FileContent,
  file: string,
  paths: readonly string[],
): FileParts {
  if (reason !== undefined) return {...NOTHING, unread: [{file, reason}]}
  const parts = documents.map(document => documentParts(document, file))
  const settings = documents.flatMap(document => [
    ...unreadSettings(document, file, paths),
    ...chartSettings(document, file),
  ])
  return {
    objects: parts.flatMap(({objects}) => objects),
    unread: [
      ...settings.map(part => ({file, ...part})),
      ...parts.flatMap(({objects, unread}) => [
        ...objects.flatMap(object => unreadDelivery(object, paths).map(part => ({file, ...part}))),
        ...unread,
      ]),
    ],
    unreadable: [...failures, ...parts.flatMap(({unreadable}) => unreadable)],
  }
}

function documentParts(document: YamlDocument, file: string): FileParts {
  const all = objectsIn(document)
  const objects = all.flatMap(one => usedObject(one, file))
  const [open, own] = [objects.filter(isOpenKind), objects.filter(object => !isOpenKind(object))]
  const others = all.filter(one => usedObject(one, file).length === 0)
  const nameless = others.filter(({place}) => place.length > 0)
  const listed = isListOfObjects(document.value) ? [{line: document.line, reason: LISTED}] : []
  const [first] = nameless
  const [whole] = others.filter(({place}) => place.length === 0)
  const isObject = objects.length > 0 || asObject(document.value).apiVersion !== undefined
  const duplicates = isObject ? document.duplicateKeys : []
  return {
    objects: own,
    unread: [...open.map(({line}) => ({line, reason: OPEN_KIND})), ...listed].map(part => ({file, ...part})),
    unreadable: [
      ...duplicates.map(({path, line}) => ({file, line, reason: `${formatPath(path)} is given twice`})),
      ...(first === undefined
        ? []
        : [{file, line: first.line, reason: `${count(nameless.length, 'item')} of a List without a kind`}]),
      ...(whole === undefined ? [] : incomplete(whole, file)),
    ],
  }
}

const OPEN_KIND = 'its kind is a variable or a template'

/** What kubectl rejects, and other programs may apply. */
const LISTED = 'its objects are in a list without the kind List'

function isListOfObjects(value: JsonValue): boolean {
  return isJsonArray(value) && value.some(item => hasTexts(item, 'apiVersion', 'kind'))
}

function hasTexts(value: JsonValue, ...fields: readonly string[]): boolean {
  return fields.every(field => typeof asObject(value)[field] === 'string')
}

/** A document with the name of an object, and only one of the two fields that say which object it is. Other documents are no objects. */
function incomplete({value, line}: FoundObject, file: string): readonly UnreadObjects[] {
  const {apiVersion, kind, metadata} = asObject(value)
  const {name, generateName} = asObject(metadata)
  if (typeof (name ?? generateName) !== 'string' || (apiVersion === undefined && kind === undefined))
    return []
  return [{file, line, reason: `it has no ${typeof kind === 'string' ? 'apiVersion' : 'kind'}`}]
}

function isOpenKind({apiVersion, kind}: UsedObject): boolean {
  return isOpenText(apiVersion) || isOpenText(kind)
}

function usedObject({document, value, line, place}: FoundObject, file: string): readonly UsedObject[] {
  const {apiVersion, kind} = asObject(value)
  if (!isJsonObject(value) || typeof apiVersion !== 'string' || typeof kind !== 'string') return []
  const own = withoutEncryption(value)
  const lineOf = (path: FieldPath) => document.lineOf([...place, ...path])
  return [{apiVersion, kind, value: own, file, line, lineOf}]
}

/** What SOPS adds to a file that it encrypts is not in the object that is applied. */
function withoutEncryption(object: JsonObject): JsonObject {
  const {sops, ...own} = object
  return typeof asObject(sops).mac === 'string' ? own : object
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
  return foundAt(document, document.value, [])
}

/** An item can be a List itself. */
function foundAt(document: YamlDocument, value: JsonValue, place: FieldPath): readonly FoundObject[] {
  const {kind, items} = asObject(value)
  if (asText(kind).endsWith('List') && isJsonArray(items))
    return items.flatMap((item, at) => foundAt(document, item, [...place, 'items', at]))
  return [{document, value, line: place.length === 0 ? document.line : document.lineOf(place), place}]
}
