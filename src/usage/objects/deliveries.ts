import {groupOf} from '../../kubernetes/object-key.js'
import {
  asObject,
  asObjects,
  asText,
  type FieldPath,
  isJsonArray,
  type JsonObject,
} from '../../yaml/json-value.js'
import {valueAt} from '../../yaml/value-at.js'
import type {UnreadSetting} from './kustomization.js'
import type {UsedObject} from './used-object.js'

/** An object of Flux or Argo CD, with the paths of all files that were found. */
type Read = (object: UsedObject, paths: readonly string[]) => readonly Found[]

interface Found {
  readonly place: FieldPath
  readonly reason: string
}

/** Returns what Flux and Argo CD make objects of, or change them by, on behalf of an object: this is not read. */
export function unreadDelivery(object: UsedObject, paths: readonly string[]): readonly UnreadSetting[] {
  const read = READERS[`${groupOf(object.apiVersion)}/${object.kind}`]
  return (read?.(object, paths) ?? []).map(({place, reason}) => ({line: object.lineOf(place), reason}))
}

/** Returns those of the folders that Flux or Argo CD applies on behalf of an object, without changes of its own. */
export function appliedFolders(object: UsedObject, folders: readonly string[]): readonly string[] {
  const read = READERS[`${groupOf(object.apiVersion)}/${object.kind}`]
  const paths = folders.map(folder => `${folder}/`)
  if (read?.(object, paths).length !== 0) return []
  const {path, source, sources} = asObject(object.value.spec)
  const named = [path, ...[asObject(source), ...asObjects(sources)].map(one => one.path)]
  return named.flatMap(one => {
    if (typeof one !== 'string') return []
    const matching = folders.filter(folder => `/${folder}`.endsWith(`/${sourceFolder(one)}`))
    // The one of the working folder rather than one of the same name deeper in it.
    return matching.sort((a, b) => a.length - b.length).slice(0, 1)
  })
}

const READERS: Readonly<Record<string, Read>> = {
  'helm.toolkit.fluxcd.io/HelmRelease': () => [{place: [], reason: 'Flux renders a Helm chart'}],
  'kustomize.toolkit.fluxcd.io/Kustomization': ({value}, paths) => [
    ...changes(value, ['spec'], 'Flux'),
    ...fluxSource(value, paths),
  ],
  'argoproj.io/Application': ({value}, paths) => applicationParts(value, ['spec'], paths),
  'argoproj.io/ApplicationSet': () => [{place: [], reason: 'Argo CD makes Applications of it'}],
}

/** The fields that change objects as those of a kustomization do. */
const CHANGING = ['patches', 'patchesStrategicMerge', 'patchesJson6902', 'components']

function changes(object: JsonObject, at: FieldPath, program: string): readonly Found[] {
  return CHANGING.flatMap(field => {
    const value = valueAt(object, [...at, field])
    const isSet = isJsonArray(value) && value.length > 0
    return isSet ? [{place: [...at, field], reason: `${program} changes objects by ${field}`}] : []
  })
}

/** Of a repository, it is not known whether it is this one: a folder of the same path is taken for it. */
function fluxSource({spec}: JsonObject, paths: readonly string[]): readonly Found[] {
  const {path, sourceRef} = asObject(spec)
  const kind = asText(asObject(sourceRef).kind)
  if (kind !== '' && kind !== 'GitRepository')
    return [{place: ['spec', 'sourceRef'], reason: `Flux reads objects from another source: ${kind}`}]
  return missingFolder(asText(path), paths).map(folder => ({
    place: ['spec', 'path'],
    reason: `Flux reads ${folder}, which was not read`,
  }))
}

function applicationParts(object: JsonObject, at: FieldPath, paths: readonly string[]): readonly Found[] {
  const {source, sources} = asObject(valueAt(object, at))
  const places = [
    ...(source === undefined ? [] : [[...at, 'source']]),
    ...asObjects(sources).map((_, index) => [...at, 'sources', index]),
  ]
  return places.flatMap(place => argoSource(object, place, paths))
}

function argoSource(object: JsonObject, place: FieldPath, paths: readonly string[]): readonly Found[] {
  const {chart, helm, plugin, directory, path} = asObject(valueAt(object, place))
  if (chart !== undefined || helm !== undefined) return [{place, reason: 'Argo CD renders a Helm chart'}]
  if (plugin !== undefined) return [{place, reason: 'Argo CD runs a plugin'}]
  if (asObject(directory).jsonnet !== undefined) return [{place, reason: 'Argo CD evaluates Jsonnet'}]
  return [
    ...changes(object, [...place, 'kustomize'], 'Argo CD'),
    ...missingFolder(asText(path), paths).map(folder => ({
      place: [...place, 'path'],
      reason: `Argo CD reads ${folder}, which was not read`,
    })),
  ]
}

/** The paths of files are those of a working folder, and that of a source begins at the root of its repository. */
function missingFolder(path: string, paths: readonly string[]): readonly string[] {
  const folder = sourceFolder(path)
  if (folder === '') return []
  const isRead = paths.some(one => `/${one}`.includes(`/${folder}/`))
  return isRead ? [] : [path]
}

function sourceFolder(path: string): string {
  const folder = path.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '')
  return folder === '.' ? '' : folder
}
