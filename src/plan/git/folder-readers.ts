import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {isKustomization} from '../../usage/objects/kustomization.js'
import {
  asText,
  asTexts,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {readYaml, type YamlDocument} from '../../yaml/read-yaml.js'

/** A file of a repository, outside of the tree whose folder moves. */
export interface RepositoryFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** The folder of a tree whose files move, relative to the root of the repository. */
interface MovingFolder {
  readonly folder: string
  /** The names of its files. */
  readonly names: readonly string[]
}

/**
 * Rejects the move of a folder that files outside of its tree have a controller apply: an ApplicationSet with a directory for each
 * Application would delete one and create another, and other Applications and Kustomizations would lose their files. Warns of
 * files that could do so, and that cannot be parsed.
 */
export function folderReaders(files: readonly RepositoryFile[], moving: MovingFolder): readonly Diagnostic[] {
  return files.flatMap(file => {
    if (!isPossible(file, moving.folder)) return []
    const documents = documentsOf(file)
    return documents === undefined ? [unparsed(file, moving)] : readersIn(documents, file, moving)
  })
}

/** Reports whether a controller can read a file with this path. */
export function isReadByControllers(path: string): boolean {
  return /\.(?:ya?ml|json)$/.test(path) || isKustomization(path)
}

function readersIn(
  documents: readonly YamlDocument[],
  {path: file}: RepositoryFile,
  moving: MovingFolder,
): readonly Diagnostic[] {
  return documents.flatMap(document =>
    objectsIn(document.value, []).flatMap(object =>
      pathsIn(object, file)
        .filter(one => selects(one, moving))
        .map(({path, keys, shown}) => ({
          severity: 'error' as const,
          rule: 'move-between-applications',
          message: `${ownerOf(object.value, file)} applies ${shown}${shown === path ? '' : ` (${path})`}, from which files move`,
          file,
          line: document.lineOf(keys),
          suggestions: [
            'Let it apply the whole tree, which has the same objects, and sync that before the move.',
          ],
        })),
    ),
  )
}

/** An object in a document, or in a List there. */
interface PlacedObject {
  readonly value: JsonValue
  readonly keys: readonly (string | number)[]
}

function objectsIn(value: JsonValue, keys: readonly (string | number)[]): readonly PlacedObject[] {
  if (isJsonObject(value) && isJsonArray(value.items) && asText(value.kind).endsWith('List'))
    return value.items.flatMap((item, index) => objectsIn(item, [...keys, 'items', index]))
  return [{value, keys}]
}

/** A template of a chart, for example: what a controller gets of it is not known. */
function unparsed({path}: RepositoryFile, {folder}: MovingFolder): Diagnostic {
  return {
    severity: 'warning',
    rule: 'move-unread-file',
    message: `the file cannot be parsed: if it has Argo CD or Flux apply ${folder} or a part of it, let that apply the whole tree before the move`,
    file: path,
  }
}

/** Only files that could name the folder are parsed. */
function isPossible({path, bytes}: RepositoryFile, folder: string): boolean {
  if (!isReadByControllers(path)) return false
  const text = Buffer.from(bytes).toString()
  const [name = ''] = folder.split('/').slice(-1)
  return (text.includes(name) || text.includes('*')) && (isKustomization(path) || CONTROLLER.test(text))
}

const CONTROLLER =
  /\bapiVersion["']?\s*:\s*["']?(?:argoproj\.io|kustomize\.toolkit\.fluxcd\.io|kustomize\.config\.k8s\.io)\//

/** Returns undefined for a file that is not YAML. */
function documentsOf({path, bytes}: RepositoryFile): readonly YamlDocument[] | undefined {
  try {
    return readYaml(bytes, path)
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}

interface NamedPath {
  /** Relative to the root of the repository. */
  readonly path: string
  readonly shown: string
  readonly keys: readonly (string | number)[]
  readonly isPattern: boolean
  /** Patterns of what a generator leaves out. */
  readonly excludes: readonly string[]
}

function pathsIn({value, keys: at}: PlacedObject, file: string): readonly NamedPath[] {
  if (!isJsonObject(value)) return []
  const apiVersion = asText(value.apiVersion)
  if (/^(?:argoproj|kustomize\.toolkit\.fluxcd)\.io\//.test(apiVersion)) return pathFields(value, at)
  if (!apiVersion.startsWith('kustomize.config.k8s.io/') && !isKustomization(file)) return []
  const base = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : ''
  return ['resources', 'bases', 'components'].flatMap(key =>
    asTexts(value[key]).flatMap((shown, index): readonly NamedPath[] => {
      const path = normalized(`${base}/${shown}`)
      return path === undefined
        ? []
        : [{path, shown, keys: [...at, key, index], isPattern: false, excludes: []}]
    }),
  )
}

/** The fields `path` of an object of Argo CD or Flux, at any depth. @param excludes - what the list that it is in leaves out. */
function pathFields(
  value: JsonValue,
  keys: readonly (string | number)[],
  excludes: readonly string[] = [],
): readonly NamedPath[] {
  if (isJsonArray(value)) {
    const left = value.filter(isExcluded).flatMap(({path}) => normalized(asText(path)) ?? [])
    return value.flatMap((item, index) => (isExcluded(item) ? [] : pathFields(item, [...keys, index], left)))
  }
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, below]): readonly NamedPath[] => {
    if (key !== 'path' || typeof below !== 'string') return pathFields(below, [...keys, key])
    const path = normalized(below)
    return path === undefined
      ? []
      : [{path, shown: below, keys: [...keys, key], isPattern: below.includes('*'), excludes}]
  })
}

/** Reports whether a generator of an ApplicationSet leaves out what an entry names. */
function isExcluded(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && value.exclude === true && typeof value.path === 'string'
}

/** Returns a path without `.` and `..`; undefined for one that leaves the repository. */
function normalized(text: string): string | undefined {
  const segments: string[] = []
  for (const segment of text.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) return undefined
  }
  return segments.join('/')
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/** Reports whether a path names the folder, something in it, or its files. */
function selects({path, keys, isPattern, excludes}: NamedPath, {folder, names}: MovingFolder): boolean {
  // Git compares the patterns of files, unless Argo CD is set to do it: `*` is a part of a path there.
  const isOfFiles = keys.includes('files')
  const star = isOfFiles ? '.*' : '[^/]*'
  const isLeft = (one: string) => excludes.some(pattern => matches(pattern, one, star))
  if (!isPattern) return isInside(path, folder) && !isLeft(path)
  const ones = isOfFiles ? names.map(name => `${folder}/${name}`) : [folder]
  return ones.some(one => matches(path, one, star) && !isLeft(one))
}

/** Reports whether a pattern selects a path: `**` is any number of names. @param star - what `*` is. */
function matches(pattern: string, path: string, star: string): boolean {
  const source = pattern
    .split('/')
    .map(segment =>
      segment === '**' ? '.*' : segment.replaceAll(/[.+^${}()|[\]\\?]/g, '\\$&').replaceAll(/\*+/g, star),
    )
    .join('/')
    .replaceAll(/(?<=^|\/)\.\*\//g, '(?:.*/)?')
  return new RegExp(`^${source}$`).test(path)
}

function ownerOf(value: JsonValue, file: string): string {
  if (!isJsonObject(value)) return file
  const {kind, metadata} = value
  const name = isJsonObject(metadata) ? asText(metadata.name) : ''
  return name === '' ? `the ${asText(kind) || 'Kustomization'}` : `${asText(kind)} ${name}`
}
