import {CrossplaneError} from '../../errors.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {asObject, asText, isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {readYaml, type YamlDocument} from '../../yaml/read-yaml.js'
import {listedSources, unreadSettings} from '../../usage/objects/kustomization.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import {chartFolders} from '../../usage/objects/charts.js'
import {documentsOf} from '../../usage/objects/file-documents.js'
import {type FoundObject, objectsIn} from '../../usage/objects/read-objects.js'
import type {UnreadObjects, UsageFile} from '../../usage/objects/used-object.js'
import {
  ARGOCD_ANNOTATIONS,
  ARGOCD_OPTIONS,
  FLUX_ANNOTATIONS,
  KEEPING_OPTIONS,
  KEPT_BY_FLUX,
} from '../../kubernetes/controller-annotations.js'

/** A controller that applies files of a repository. */
export type Controller = 'flux' | 'argocd'

/** What has to change so that a new tree takes objects over from the files that apply them now. */
export interface HandOver {
  /** The controllers that apply the objects now, as their metadata in the cluster says. */
  readonly controllers: readonly Controller[]
  readonly files: readonly HandedOverFile[]
  /** Where kustomizations list files that only have objects of the new tree, and that a user removes therefore. */
  readonly listed: readonly ListedFile[]
  /** What was not searched, such as templates of a chart, with the reasons. */
  readonly unread: readonly UnreadObjects[]
  /** Objects that a controller applies, and that none of the files has as they are in the cluster. */
  readonly elsewhere: readonly ObjectName[]
}

/** A file in the list of a kustomization. */
interface ListedFile {
  readonly kustomization: string
  readonly line: number
  readonly field: string
  /** The file as it is listed. */
  readonly source: string
}

/** The files in which objects are searched, and what of a folder cannot be searched. */
export interface SearchedFiles {
  readonly files: readonly UsageFile[]
  readonly unread: readonly UnreadObjects[]
}

/** A file with objects that the new tree has. */
export interface HandedOverFile {
  readonly path: string
  readonly before: string
  /** The text in which they are protected from pruning; absent if only a user can write it. */
  readonly protected?: string
  readonly objects: readonly {readonly name: ObjectName; readonly line: number}[]
  /** Whether it has other objects, which stay. */
  readonly hasOthers: boolean
}

/**
 * Finds the objects of a rendered set in the files of a repository.
 * @param live - the objects of the cluster, by their keys.
 */
export function findHandOver(
  {files, unread: skipped}: SearchedFiles,
  objects: readonly KubernetesObject[],
  live: ReadonlyMap<string, KubernetesObject>,
): HandOver {
  const wanted = new Set(objects.map(object => objectKey(nameOf(object))))
  const controllers = controllersOf([...live.values()])
  const charts = chartFolders(files)
  const paths = files.map(({path}) => path)
  const unread = [...skipped]
  const lists: (ListedFile & {readonly path: string})[] = []
  const handed = files.flatMap((file): readonly HandedOverFile[] => {
    const read = documentsOf(file, charts)
    if ('documents' in read) {
      lists.push(...listsIn(file, read.documents))
      const settings = read.documents.flatMap(document => unreadSettings(document, file.path, paths))
      unread.push(...settings.map(one => ({file: file.path, ...one})))
      return handedOver(file, read.documents, wanted, controllers)
    }
    unread.push(read.unread)
    return []
  })
  const removed = new Set(handed.filter(({hasOthers}) => !hasOthers).map(({path}) => path))
  const listed = lists.filter(({path}) => removed.has(path))
  return {controllers, files: handed, listed, unread, elsewhere: elsewhereOf(handed, wanted, live)}
}

function elsewhereOf(
  handed: readonly HandedOverFile[],
  wanted: ReadonlySet<string>,
  live: ReadonlyMap<string, KubernetesObject>,
): readonly ObjectName[] {
  const own = new Set(handed.flatMap(({objects}) => objects.map(({name}) => objectKey(name))))
  return [...live].flatMap(([key, object]) =>
    wanted.has(key) && !own.has(key) && controllersOf([object]).length > 0 ? [nameOf(object)] : [],
  )
}

function listsIn({path: kustomization}: UsageFile, documents: readonly YamlDocument[]) {
  return documents
    .flatMap(document => listedSources(document, kustomization))
    .map(listed => ({...listed, kustomization}))
}

/** Returns the controllers that apply objects, as their metadata says. */
function controllersOf(live: readonly KubernetesObject[]): readonly Controller[] {
  const keys = live.flatMap(({metadata: {labels = {}, annotations = {}}}) => [
    ...Object.keys(labels),
    ...Object.keys(annotations),
  ])
  return [
    ...(keys.some(key => key.startsWith(FLUX_ANNOTATIONS)) ? ['flux' as const] : []),
    ...(keys.some(key => key.startsWith(ARGOCD_ANNOTATIONS) || key === ARGOCD_LABEL)
      ? ['argocd' as const]
      : []),
  ]
}

/** Where Argo CD tracks objects by a label. */
const ARGOCD_LABEL = 'app.kubernetes.io/instance'

function documentsIn({path, bytes}: UsageFile): readonly YamlDocument[] | undefined {
  try {
    return readYaml(bytes, path)
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}

function handedOver(
  file: UsageFile,
  documents: readonly YamlDocument[],
  wanted: ReadonlySet<string>,
  controllers: readonly Controller[],
): readonly HandedOverFile[] {
  const all = documents.flatMap(objectsIn)
  const own = all.flatMap(object => {
    const name = nameIn(object.value)
    return name !== undefined && wanted.has(objectKey(name)) ? [{...object, name}] : []
  })
  if (own.length === 0) return []
  const before = Buffer.from(file.bytes).toString()
  const text = protectedText({path: file.path, text: before}, documents, own, controllers)
  return [
    {
      path: file.path,
      before,
      ...(text === undefined ? {} : {protected: text}),
      objects: own.map(({name, line}) => ({name, line})),
      hasOthers: own.length < all.length,
    },
  ]
}

function nameIn(value: YamlDocument['value']): ObjectName | undefined {
  if (!isJsonObject(value)) return undefined
  const {apiVersion, kind, metadata} = value
  const name = asText(asObject(metadata).name)
  if (name === '') return undefined
  return {apiVersion: asText(apiVersion), kind: asText(kind), name}
}

/** Returns the annotations that protect an object, beside those that it has. */
function protection(
  controllers: readonly Controller[],
  annotations: JsonObject,
): Readonly<Record<string, string>> {
  const options = asText(annotations[ARGOCD_OPTIONS])
    .split(',')
    .filter(text => text !== '')
  return {
    ...(controllers.includes('argocd')
      ? {[ARGOCD_OPTIONS]: [...new Set([...options, ...KEEPING_OPTIONS])].join(',')}
      : {}),
    ...(controllers.includes('flux') ? KEPT_BY_FLUX : {}),
  }
}

/** Adds annotations by lines, so that everything else stays; undefined where that is not possible, as in braces and in a List. */
function protectedText(
  {path, text}: {readonly path: string; readonly text: string},
  documents: readonly YamlDocument[],
  objects: readonly FoundObject[],
  controllers: readonly Controller[],
): string | undefined {
  const items = objects.filter(({document, value}) => value !== document.value)
  const isByHand = items.some(({value}) => !jsonEqual(withProtection(asObject(value), controllers), value))
  if (isByHand) return undefined
  const own = objects.filter(object => !items.includes(object)).map(({document}) => document)
  // From the end: lines before stay where they are.
  const edited = own
    .toReversed()
    .reduce((lines, document) => annotated(lines, document, controllers), text.split(/(?<=\n)/))
    .join('')
  const expected = documents.map(document =>
    own.includes(document) ? withProtection(asObject(document.value), controllers) : document.value,
  )
  const read = documentsIn({path, bytes: Buffer.from(edited)})
  const isSame =
    read !== undefined &&
    jsonEqual(
      read.map(({value}) => value),
      expected,
    )
  return isSame ? edited : undefined
}

function withProtection(object: JsonObject, controllers: readonly Controller[]): JsonObject {
  const metadata = asObject(object.metadata)
  const annotations = asObject(metadata.annotations)
  const added = protection(controllers, annotations)
  if (Object.keys(added).length === 0) return object
  return {...object, metadata: {...metadata, annotations: {...annotations, ...added}}}
}

function annotated(
  lines: readonly string[],
  document: YamlDocument,
  controllers: readonly Controller[],
): string[] {
  const metadata = asObject(asObject(document.value).metadata)
  const annotations = asObject(metadata.annotations)
  const wanted = Object.entries(protection(controllers, annotations))
    .filter(([key, value]) => annotations[key] !== value)
    .map(([key, value]) => ({
      key,
      line: writeYaml([{[key]: value}]),
      isNew: !Object.hasOwn(annotations, key),
    }))
  const lineOf = (...path: readonly string[]) => document.lineOf(['metadata', ...path]) - 1
  const replaced = new Map(
    wanted.filter(({isNew}) => !isNew).map(({key, line}) => [lineOf('annotations', key), line]),
  )
  const edited = lines.map((text, at) => {
    const line = replaced.get(at)
    return line === undefined ? text : `${indentOf(text)}${line}`
  })
  const added = wanted.filter(({isNew}) => isNew)
  if (added.length === 0) return edited
  const [beside] = Object.keys(annotations)
  const at =
    beside === undefined ? lineOf(...Object.keys(metadata).slice(0, 1)) : lineOf('annotations', beside)
  const indent = indentOf(lines[at])
  const head = beside === undefined ? [`${indent}annotations:\n`] : []
  const inner = beside === undefined ? `${indent}  ` : indent
  return edited.toSpliced(at, 0, ...head, ...added.map(({line}) => `${inner}${line}`))
}

function indentOf(line = ''): string {
  return /^ */.exec(line)?.[0] ?? ''
}
