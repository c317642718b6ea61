import type {PackageFile} from '../../unpack/package-file.js'
import {asObject, asObjects, asText, asTexts, type JsonObject} from '../../yaml/json-value.js'
import {typedObjects} from './package-stream.js'
import {servedKinds} from './served-kinds.js'

/** A CRD, MRD or XRD with its schemas. */
export interface Definition {
  readonly role: 'crd' | 'mrd' | 'xrd'
  /** The keys of connection details that it names. */
  readonly connectionKeys: readonly string[]
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
        if (names.has(name)) definitions.set(name, {role, connectionKeys: connectionKeysOf(role, spec), spec})
      }
    }
  return definitions
}

/** Returns the keys of connection details that the spec of an XRD or MRD names; a CRD names none. */
export function connectionKeysOf(
  role: Definition['role'],
  {connectionSecretKeys, connectionDetails}: JsonObject,
): readonly string[] {
  if (role === 'xrd') return asTexts(connectionSecretKeys)
  return role === 'mrd' ? asObjects(connectionDetails).map(({name}) => asText(name)) : []
}
