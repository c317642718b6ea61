import {CrossplaneError} from '../../errors.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {FLUX_START} from '../../plan/folder/tree-guard.js'
import {asObject, asText, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'

/** The files of a tree: the objects in them, and the other files. */
export interface TreeFiles {
  readonly objects: readonly FiledObject[]
  /** The contents of files without an object, such as kustomizations, by path. */
  readonly others: ReadonlyMap<string, string>
  /** The files that cannot be read, by path, with the reason. */
  readonly unreadable: ReadonlyMap<string, string>
}

/** An object of a file. */
interface FiledObject {
  readonly path: string
  readonly object: KubernetesObject
}

/** Reads the files of a tree, by path. What controllers do not read is left out. */
export function treeFiles(files: ReadonlyMap<string, Uint8Array | string>): TreeFiles {
  const objects: FiledObject[] = []
  const others = new Map<string, string>()
  const unreadable = new Map<string, string>()
  for (const [path, content] of files) {
    if (!/\.(?:ya?ml|json)$/.test(path)) continue
    const bytes = Buffer.from(content)
    try {
      const values = readYaml(bytes, path).map(({value}) => value)
      if (values.every(isKubernetesObject))
        objects.push(...values.flatMap(object => (isSource(path, object) ? [] : {path, object})))
      else others.set(path, bytes.toString())
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      unreadable.set(path, error.message)
    }
  }
  return {objects, others, unreadable}
}

/** The source of Flux is the user's own: its URL is in no tree, and flux bootstrap makes another one. */
function isSource(path: string, {kind}: KubernetesObject): boolean {
  return kind === 'GitRepository' && path.endsWith(`/${FLUX_START}`)
}

/** A file for kustomize has no name. */
function isKubernetesObject(value: JsonValue): value is KubernetesObject {
  const {apiVersion, kind, metadata}: JsonObject = asObject(value)
  return [apiVersion, kind, asObject(metadata).name].every(field => asText(field) !== '')
}
