import type {JsonObject} from '../../yaml/json-value.js'
import {kustomization} from '../folder/file-tree.js'
import type {AddedFile} from './layout.js'

/** Returns a file that makes a folder without objects: a Kustomization needs a folder. */
export function emptyFolder(folder: string, write: (value: JsonObject) => string): AddedFile {
  return {path: `${folder}/kustomization.yaml`, content: write(kustomization([]))}
}
