import {CrossplaneError} from '../../errors.js'
import {asObject, type FieldPath, type JsonValue} from '../../yaml/json-value.js'
import {readYaml, type YamlDocument} from '../../yaml/read-yaml.js'
import {folderOf, isKustomization, joined, listedSources} from './kustomization.js'
import {changesOf, type KustomizeChange} from './kustomize-patches.js'
import type {UsageFile, UsedObject} from './used-object.js'

/** The documents of a file that was read. */
interface ReadFile {
  readonly path: string
  readonly documents: readonly YamlDocument[]
}

interface Kustomization {
  readonly path: string
  /** The folder by which others list it. */
  readonly folder: string
  /** What it may change of its objects, by itself and by its components. */
  readonly changes: readonly KustomizeChange[]
}

/** Returns the kustomization that may change a part of an object before it is applied. */
type ChangedBy = (object: UsedObject, place: FieldPath) => string | undefined

/**
 * Returns what finds the kustomization that may change a part of an object of a file, if every one that is not taken by another
 * one and that has the file may; undefined if no kustomization changes objects.
 */
export function overlayChanges(
  read: readonly ReadFile[],
  files: readonly UsageFile[],
): ChangedBy | undefined {
  const documents = read
    .filter(({path}) => isKustomization(path))
    .flatMap(({path, documents: [document]}) => (document === undefined ? [] : [{path, document}]))
  const own = new Map(documents.map(one => [folderAt(one.path), ownChanges(one, files)]))
  const parents = new Map<string, Kustomization[]>()
  for (const {path, document} of documents) {
    const sources = listedSources(document, path)
    const components = sources.flatMap(source =>
      source.field === 'components' ? (own.get(source.path) ?? []) : [],
    )
    const folder = folderAt(path)
    const kustomization = {path, folder, changes: [...(own.get(folder) ?? []), ...components]}
    for (const source of sources)
      parents.set(source.path, [...(parents.get(source.path) ?? []), kustomization])
  }
  const isChanging = [...own.values()].some(changes => changes.length > 0)
  return isChanging
    ? (object, place) => changedIn(object.file, {object, place, parents, seen: new Set()})
    : undefined
}

interface Question {
  readonly object: UsedObject
  readonly place: FieldPath
  /** The kustomizations that list a file or a folder. */
  readonly parents: ReadonlyMap<string, readonly Kustomization[]>
  /** What is on the way already: nothing takes itself. */
  readonly seen: ReadonlySet<string>
}

/** A file or folder is changed if all that list it change it, or are changed themselves. */
function changedIn(path: string, {seen, ...question}: Question): string | undefined {
  const {object, place, parents} = question
  const listing = (parents.get(path) ?? []).filter(({folder}) => !seen.has(folder))
  const changing = listing.map(
    ({path: file, folder, changes}) =>
      (changes.some(change => change(object, place)) ? file : undefined) ??
      changedIn(folder, {...question, seen: new Set([...seen, folder])}),
  )
  return changing.every(file => file !== undefined) ? changing[0] : undefined
}

function folderAt(path: string): string {
  return folderOf(path).replace(/(?<=.)\/$/, '')
}

function ownChanges(
  {path, document}: {readonly path: string; readonly document: YamlDocument},
  files: readonly UsageFile[],
): readonly KustomizeChange[] {
  return changesOf(asObject(document.value), text => valuesOf(text, folderOf(path), files))
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
