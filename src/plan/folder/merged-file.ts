import {asTexts, isJsonArray, isJsonObject} from '../../yaml/json-value.js'
import {KUSTOMIZATION_NAMES} from './file-name.js'
import type {FolderSnapshot, OwnedFiles} from './folder-snapshot.js'
import {documentIn} from './object-in-file.js'
import {hasConflictMarkers} from './owned-files.js'

/**
 * Reports whether Git merged a file of two that this program wrote in two branches: the list of managed files has a
 * hash of each, and the file has conflict markers, or is a kustomization that lists managed files only. No data is
 * lost when the next write replaces it: both sides are in the history.
 */
export function isMergedByGit(path: string, {owned, texts}: FolderSnapshot): boolean {
  const text = texts.get(path)
  if (text === undefined || (owned.get(path) ?? []).length < 2) return false
  return hasConflictMarkers(text) || isListOfManaged(path, text, owned)
}

function isListOfManaged(path: string, text: string, owned: OwnedFiles): boolean {
  const [name] = KUSTOMIZATION_NAMES
  if (path !== name && !path.endsWith(`/${name}`)) return false
  const {resources, apiVersion: _version, kind: _kind, ...others} = fieldsOf(documentIn(text))
  if (!isJsonArray(resources) || Object.keys(others).length > 0) return false
  const folder = path.slice(0, -name.length)
  const managed = [...owned.keys()].flatMap(ownedPath =>
    ownedPath.startsWith(folder) ? [ownedPath.slice(folder.length)] : [],
  )
  const names = new Set(managed.map(managedPath => managedPath.replace(/\/.*/, '')))
  return (
    asTexts(resources).length === resources.length &&
    asTexts(resources).every(resource => names.has(resource))
  )
}

function fieldsOf(value: ReturnType<typeof documentIn>) {
  return isJsonObject(value) ? value : {}
}
