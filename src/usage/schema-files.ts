import {schemaOf} from '../kubernetes/crd-kind.js'
import {compareText} from '../reference/compare-text.js'
import {asObjects, asText} from '../yaml/json-value.js'
import {writeJson} from '../yaml/write-yaml.js'
import type {SurfacePackage} from './compare-sets.js'
import {jsonSchema} from './json-schema.js'
import type {CrdSurface, UnreadPart} from './package-surface.js'

/** The schemas of a set of packages as files, and the CRDs without one. */
export interface SchemaFiles {
  /** Sorted by path. */
  readonly files: readonly SchemaFile[]
  readonly unread: readonly (UnreadPart & {readonly package: string})[]
}

/** The schema of a kind in a version; `path` is relative to the folder. */
interface SchemaFile {
  readonly path: string
  readonly content: string
}

/** The paths of schemas: `GROUP/KIND_VERSION.json`, all in lowercase, which kubeconform and editors look up. */
export const SCHEMA_PATH = /^[a-z0-9][a-z0-9.-]*\/[a-z0-9][a-z0-9-]*_[a-z0-9]+\.json$/

/** Returns a file for each served version of each kind. */
export function schemaFiles(packages: readonly SurfacePackage[]): SchemaFiles {
  const files = new Map<string, string>()
  const unread: (UnreadPart & {readonly package: string})[] = []
  for (const {package: name, surface} of packages) {
    unread.push(...surface.unread.map(part => ({package: name, ...part})))
    for (const crd of surface.crds) {
      const reason = addFiles(crd, files)
      if (reason !== undefined) unread.push({package: name, name: crd.name, reason})
    }
  }
  const sorted = [...files].sort(([a], [b]) => compareText(a, b))
  return {files: sorted.map(([path, content]) => ({path, content})), unread}
}

/** Returns why a CRD has no file of its own. */
function addFiles({kind, spec}: CrdSurface, files: Map<string, string>): string | undefined {
  const group = asText(spec.group)
  for (const version of asObjects(spec.versions)) {
    if (version.served !== true) continue
    const own = {group, version: asText(version.name), kind}
    const path = `${group}/${kind.toLowerCase()}_${own.version}.json`
    if (!SCHEMA_PATH.test(path)) return `${path} is not a path of a schema`
    const content = writeJson(jsonSchema(schemaOf(version), own))
    const other = files.get(path)
    if (other !== undefined && other !== content) return `${path} is the schema of another CRD`
    files.set(path, content)
  }
  return undefined
}
