import {schemaOf} from '../../../kubernetes/crd-kind.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../yaml/json-value.js'

/**
 * Returns the `spec` that Crossplane gives to the CRD of an XRD: the fields of the new XRD, and those that Crossplane has added to
 * the CRD beside the fields of the former XRD.
 */
export function derivedSpec(live: JsonObject, former: JsonObject, next: JsonObject): JsonObject {
  const versions = asObjects(next.versions).map(version => {
    const {name = null, served = null, referenceable = null} = version
    const own = versionIn(live, name) ?? asObjects(live.versions)[0] ?? {}
    const before = versionIn(former, name) ?? asObjects(former.versions)[0] ?? {}
    const openAPIV3Schema = joinedSchema(schemaOf(own), schemaOf(before), schemaOf(version))
    return {...own, name, served, storage: referenceable, schema: {openAPIV3Schema}}
  })
  return {...live, versions}
}

function versionIn({versions}: JsonObject, name: JsonObject[string]): JsonObject | undefined {
  return asObjects(versions).find(version => asText(version.name) === asText(name))
}

/** The parts of a schema that an XRD decides about. */
const PARTS = ['spec', 'status']

function joinedSchema(live: JsonObject, former: JsonObject, next: JsonObject): JsonObject {
  const parts = PARTS.map(part => {
    const [own, before, after] = [partOf(live, part), partOf(former, part), partOf(next, part)]
    const fields = asObject(before.properties)
    const added = Object.entries(asObject(own.properties)).filter(([name]) => fields[name] === undefined)
    const properties: JsonObject = {...asObject(after.properties), ...Object.fromEntries(added)}
    return [part, {...after, type: 'object', properties}] as const
  })
  return {...live, properties: {...asObject(live.properties), ...Object.fromEntries(parts)}}
}

function partOf({properties}: JsonObject, part: string): JsonObject {
  return asObject(asObject(properties)[part])
}
