import {asObject, asObjects, asText, asTexts, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import type {YamlDocument} from '../../yaml/read-yaml.js'

/** Reports whether a path is that of a kustomization. */
export function isKustomization(file: string): boolean {
  return /(?:^|\/)(?:kustomization\.ya?ml|Kustomization)$/.test(file)
}

/** Returns the folder of a file, with `/` at its end, or empty. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Returns the files that a kustomization names, but not as objects, each with what they are. A CRD in `crds` is also an object. */
export function partsNamedBy({value}: YamlDocument, file: string): readonly (readonly [string, string])[] {
  if (!isKustomization(file)) return []
  const fields = asObject(value)
  return PARTS.flatMap(({reason, of}) =>
    of(fields)
      .filter(path => path !== '' && !path.includes('\n'))
      .map(path => [joined(folderOf(file), path), reason] as const),
  )
}

interface PartOfKustomization {
  readonly reason: string
  /** Returns their paths. A text of several lines is a part itself. */
  readonly of: (fields: JsonObject) => readonly string[]
}

const pathsIn = (value: JsonValue | undefined, field: string) =>
  asObjects(value).map(one => asText(one[field]))

/** Files of generators can have a name: `name=path`. */
const contentsIn = (value: JsonValue | undefined) =>
  asObjects(value)
    .flatMap(one => [...asTexts(one.files), ...asTexts(one.envs), asText(one.env)])
    .map(text => text.slice(text.indexOf('=') + 1))

const PARTS: readonly PartOfKustomization[] = [
  {
    reason: 'it is a patch of kustomize',
    of: ({patches, patchesJson6902, patchesStrategicMerge}) => [
      ...[...pathsIn(patches, 'path'), ...pathsIn(patchesJson6902, 'path')],
      ...asTexts(patchesStrategicMerge),
    ],
  },
  {
    reason: 'kustomize makes a ConfigMap or a Secret of it',
    of: ({configMapGenerator, secretGenerator}) => [
      ...[...contentsIn(configMapGenerator), ...contentsIn(secretGenerator)],
    ],
  },
  {
    reason: 'it is a setting of kustomize',
    of: ({transformers, generators, validators, configurations, replacements, openapi, helmCharts}) => [
      ...[transformers, generators, validators, configurations].flatMap(asTexts),
      ...[...pathsIn(replacements, 'path'), asText(asObject(openapi).path)],
      ...[...pathsIn(helmCharts, 'valuesFile')],
    ],
  },
]

/** Joins a folder and a path that may lead out of it. */
export function joined(folder: string, path: string): string {
  const start = folder.startsWith('/') ? '/' : ''
  const steps = folder.split('/').filter(step => step !== '')
  for (const step of path.split('/')) {
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else if (step !== '.' && step !== '') steps.push(step)
  }
  return `${start}${steps.join('/')}`
}

/** The fields of a kustomization that change or make objects. */
const CHANGING = [
  ...['patches', 'patchesJson6902', 'patchesStrategicMerge', 'replacements', 'vars', 'transformers'],
  ...['helmCharts', 'helmChartInflationGenerator', 'generators', 'configurations'],
]

/** The fields of a kustomization with the files and folders of its objects. */
const SOURCES = ['resources', 'bases', 'components']

/** A file or a folder that a kustomization lists. */
interface ListedSource {
  /** As it is listed. */
  readonly source: string
  readonly path: string
  readonly field: string
  readonly line: number
}

/** Returns the files and folders that a kustomization takes objects from. */
export function listedSources(document: YamlDocument, file: string): readonly ListedSource[] {
  if (!isKustomization(file)) return []
  const fields = asObject(document.value)
  return SOURCES.flatMap(field =>
    asTexts(fields[field]).map((source, at) => ({
      ...{source, field, path: joined(folderOf(file), source)},
      line: document.lineOf([field, at]),
    })),
  )
}

/** A part of a kustomization that is not judged. */
export interface UnreadSetting {
  readonly line: number
  readonly reason: string
}

/** Returns the parts of a kustomization that change objects, and what it reads that is not among the files. */
export function unreadSettings(
  document: YamlDocument,
  file: string,
  paths: readonly string[],
): readonly UnreadSetting[] {
  if (!isKustomization(file)) return []
  const fields = asObject(document.value)
  const changing = CHANGING.flatMap(field => {
    if (fields[field] === undefined) return []
    return [{line: document.lineOf([field]), reason: `kustomize changes objects by ${field}`}]
  })
  const outside = listedSources(document, file).flatMap(({source, path, line}) =>
    isAmong(path, paths) ? [] : [{line, reason: `kustomize reads ${source}, which was not read`}],
  )
  return [...changing, ...outside]
}

function isAmong(source: string, paths: readonly string[]): boolean {
  return source === '' || paths.some(path => path === source || path.startsWith(`${source}/`))
}
