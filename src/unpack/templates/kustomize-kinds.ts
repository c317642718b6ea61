import {dirname, join} from 'node:path/posix'
import {asObject, asObjects, asText, asTexts, isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import type {PackageFile} from '../package-file.js'
import type {TemplateKind} from './template-kind.js'
import {templateDocuments, type TemplateDocument} from './template-documents.js'

/** The files of a kustomization, in the order of preference. */
const KUSTOMIZATION_NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization']

/** An object of a kustomization, as its file has it. */
export interface KustomizeObject {
  readonly object: JsonObject
  readonly file: string
  readonly line: number
}

/** Lists the objects that a kustomization has before it changes them, with those of its bases, and those that it generates. */
export function kustomizeObjects(files: readonly PackageFile[]): {
  readonly objects: readonly KustomizeObject[]
  readonly kinds: readonly TemplateKind[]
} {
  const walk: Walk = {
    files: new Map(files.map(file => [file.path, file])),
    seen: new Set(),
    objects: [],
    kinds: [],
  }
  readFolder('.', walk)
  return walk
}

interface Walk {
  readonly files: ReadonlyMap<string, PackageFile>
  readonly seen: Set<string>
  readonly objects: KustomizeObject[]
  readonly kinds: TemplateKind[]
}

function readFolder(folder: string, walk: Walk): void {
  const name = KUSTOMIZATION_NAMES.map(candidate => join(folder, candidate)).find(path =>
    walk.files.has(path),
  )
  if (name === undefined || walk.seen.has(name)) return
  walk.seen.add(name)
  const [document] = documentsAt(name, walk)
  if (document === undefined) return
  const {value} = document
  walk.kinds.push(...generated(value, name))
  const entries = [...asTexts(value.resources), ...asTexts(value.bases)]
  for (const entry of entries) readEntry(join(dirname(name), entry), name, walk)
}

function readEntry(path: string, from: string, walk: Walk): void {
  const isFolder = KUSTOMIZATION_NAMES.some(name => walk.files.has(join(path, name)))
  if (isFolder) return readFolder(path, walk)
  // Kustomize rejects a file outside of the package, and a remote one is never fetched.
  if (!walk.files.has(path)) return void walk.kinds.push({file: from, line: 1})
  for (const {value, line} of documentsAt(path, walk)) {
    for (const object of itemsOf(value)) {
      walk.objects.push({object, file: path, line})
      const {apiVersion, kind} = object
      walk.kinds.push({apiVersion: asText(apiVersion), kind: asText(kind), file: path, line})
    }
  }
}

function documentsAt(path: string, {files}: Walk): readonly TemplateDocument[] {
  const file = files.get(path)
  return file === undefined ? [] : templateDocuments(file)
}

function itemsOf(value: JsonObject): readonly JsonObject[] {
  return asText(value.kind).endsWith('List') && Array.isArray(value.items) ? asObjects(value.items) : [value]
}

/** The objects that generators of a kustomization make. */
export function generated(value: JsonObject, file: string): readonly TemplateKind[] {
  const of = (field: string, kind: string) =>
    asObjects(asObject(value)[field]).map(() => ({apiVersion: 'v1', kind, file, line: 1}))
  return isJsonObject(value)
    ? [...of('configMapGenerator', 'ConfigMap'), ...of('secretGenerator', 'Secret')]
    : []
}
