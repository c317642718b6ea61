import {CrossplaneError} from '../../errors.js'
import {asObject, asText, type JsonValue} from '../../yaml/json-value.js'
import {readYaml, type YamlDocument} from '../../yaml/read-yaml.js'
import {appliedFolders} from './deliveries.js'
import {folderOf, isKustomization, joined, listedSources} from './kustomization.js'
import {type ChangedPart, changesOf, type KustomizeChange} from './kustomize-patches.js'
import type {UsageFile, UsedObject} from './used-object.js'

/** The documents of a file that was read. */
interface ReadFile {
  readonly path: string
  readonly documents: readonly YamlDocument[]
}

/** What a kustomization does by itself. */
interface OwnPart {
  readonly changes: readonly KustomizeChange[]
  /** Whether objects have other names or namespaces after it. */
  readonly isRenaming: boolean
  readonly components: readonly string[]
}

interface Kustomization {
  readonly path: string
  /** The folder by which others list it. */
  readonly folder: string
  /** What it may change of its objects, by itself and by its components. */
  readonly changes: readonly KustomizeChange[]
  /** Whether objects can have other names or namespaces before its changes, and after it. */
  readonly renames: {readonly before: boolean; readonly after: boolean}
}

/** Returns the kustomization that may change a part of an object before it is applied. */
type ChangedBy = (object: UsedObject, part: Omit<ChangedPart, 'isRenamed'>) => string | undefined

/**
 * Returns what finds the kustomization that may change a part of an object of a file, if every one that is not taken by another
 * one and that has the file may, and neither Flux nor Argo CD applies one before; undefined if no kustomization changes objects.
 */
export function overlayChanges(
  read: readonly ReadFile[],
  files: readonly UsageFile[],
  objects: readonly UsedObject[],
): ChangedBy | undefined {
  const documents = read
    .filter(({path}) => isKustomization(path))
    .flatMap(({path, documents: [document]}) => (document === undefined ? [] : [{path, document}]))
  const own = new Map(documents.map(one => [folderAt(one.path), ownPart(one, files)]))
  if (![...own.values()].some(({changes}) => changes.length > 0)) return undefined
  const parents = new Map<string, Set<Kustomization>>()
  for (const {path, document} of documents) {
    const kustomization = withComponents(path, own)
    for (const source of listedSources(document, path)) {
      const listing = parents.get(source.path) ?? new Set()
      parents.set(source.path, listing.add(kustomization))
    }
  }
  const applied = new Set(objects.flatMap(object => appliedFolders(object, [...own.keys()])))
  return (object, part) =>
    changedIn(object.file, false, {
      ...{object, part, parents, applied},
      ...{onTheWay: new Set<string>(), answers: new Map<string, string | undefined>()},
    })
}

/** A component can list others. */
function withComponents(path: string, own: ReadonlyMap<string, OwnPart>): Kustomization {
  const folder = folderAt(path)
  const folders = new Set([folder])
  // What is added meanwhile is visited, too.
  for (const one of folders) for (const component of own.get(one)?.components ?? []) folders.add(component)
  const [self, ...components] = [...folders].map(one => own.get(one))
  const before = components.some(one => one?.isRenaming)
  return {
    ...{path, folder},
    changes: [self, ...components].flatMap(one => one?.changes ?? []),
    renames: {before, after: before || self?.isRenaming === true},
  }
}

interface Question {
  readonly object: UsedObject
  readonly part: Omit<ChangedPart, 'isRenamed'>
  /** The kustomizations that list a file or a folder. */
  readonly parents: ReadonlyMap<string, ReadonlySet<Kustomization>>
  /** The folders whose objects are applied as their kustomizations have them. */
  readonly applied: ReadonlySet<string>
  /** What is asked about at the moment: nothing takes itself. */
  readonly onTheWay: Set<string>
  readonly answers: Map<string, string | undefined>
}

/** Overlays of overlays beyond these are not asked about: an error is reported as without them. */
const MOST_LAYERS = 500

/** A file or folder is asked about once: many ways can lead to it. */
function changedIn(path: string, isRenamed: boolean, question: Question): string | undefined {
  const {answers, onTheWay} = question
  const key = `${isRenamed ? 'renamed' : 'same'} ${path}`
  if (answers.has(key) || onTheWay.size > MOST_LAYERS) return answers.get(key)
  onTheWay.add(path)
  const answer = question.applied.has(path) ? undefined : changedByAll(path, isRenamed, question)
  onTheWay.delete(path)
  answers.set(key, answer)
  return answer
}

/** A file or folder is changed if all that list it change it, or are changed themselves. */
function changedByAll(path: string, isRenamed: boolean, question: Question): string | undefined {
  const {object, part, parents, onTheWay} = question
  const changing = new Set<string>()
  for (const {path: file, folder, changes, renames} of parents.get(path) ?? []) {
    if (onTheWay.has(folder)) continue
    const own = {...part, isRenamed: isRenamed || renames.before}
    const isChanged = changes.some(change => change(object, own))
    const by = isChanged ? file : changedIn(folder, isRenamed || renames.after, question)
    if (by === undefined) return undefined
    changing.add(by)
  }
  const [first] = changing
  return first
}

function folderAt(path: string): string {
  return folderOf(path).replace(/(?<=.)\/$/, '')
}

function ownPart(
  {path, document}: {readonly path: string; readonly document: YamlDocument},
  files: readonly UsageFile[],
): OwnPart {
  const fields = asObject(document.value)
  const sources = listedSources(document, path).filter(({field}) => field === 'components')
  return {
    changes: changesOf(fields, text => valuesOf(text, folderOf(path), files)),
    isRenaming: [fields.namePrefix, fields.nameSuffix, fields.namespace].some(text => asText(text) !== ''),
    components: sources.map(source => source.path),
  }
}

/** A path that is not among the files is a text without an object or a list. */
function valuesOf(
  pathOrText: string,
  folder: string,
  files: readonly UsageFile[],
): readonly JsonValue[] | undefined {
  const path = pathOrText.includes('\n') ? '' : joined(folder, pathOrText)
  const file = files.find(one => one.path === path)
  try {
    const values = readYaml(file?.bytes ?? Buffer.from(pathOrText), path).map(({value}) => value)
    return values.every(value => typeof value === 'object') && values.length > 0 ? values : undefined
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}
