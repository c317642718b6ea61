import type {PackageFile} from '../../unpack/package-file.js'
import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'
import {typedObjects} from './package-stream.js'
import {servedKinds} from './served-kinds.js'

/** A CRD, MRD or XRD with its schemas. */
export interface Definition {
  readonly isXrd: boolean
  readonly spec: JsonObject
}

/** Reads the objects of files that lead to the named CRDs, by the name of the CRD; one after the other, as there can be thousands. */
export function definitionsIn(
  files: readonly PackageFile[],
  names: ReadonlySet<string>,
): ReadonlyMap<string, Definition> {
  const definitions = new Map<string, Definition>()
  for (const file of files)
    for (const {role, value} of typedObjects(file)) {
      if (role !== 'crd' && role !== 'mrd' && role !== 'xrd') continue
      const spec = asObject(value.spec)
      for (const {plural, group} of servedKinds(role, asText(value.apiVersion), spec)) {
        const name = `${plural}.${group}`
        if (names.has(name)) definitions.set(name, {isXrd: role === 'xrd', spec})
      }
    }
  return definitions
}
