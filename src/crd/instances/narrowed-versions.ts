import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'
import {ownVersions} from '../convert/convert-crd.js'
import {narrowedFields, type NarrowedField} from './narrowed-fields.js'

/**
 * Returns the fields for which a version of a CRD accepts less than before, as `VERSION: PATH`. Where one side has no schema, as
 * in the index of packages, nothing is compared.
 */
export function narrowedVersions(
  before: JsonObject,
  after: JsonObject,
): readonly {readonly field: string; readonly kind: NarrowedField['kind']}[] {
  const others = ownVersions(after)
  return ownVersions(before).flatMap(version => {
    const name = asText(version.name)
    const next = others.find(other => other.name === version.name)
    const [old, schema] = [schemaIn(version, before), next && schemaIn(next, after)]
    if (old === undefined || schema === undefined) return []
    return narrowedFields(old, schema).map(({path, kind}) => ({field: `${name}: ${path}`, kind}))
  })
}

function schemaIn({schema}: JsonObject, {validation}: JsonObject): JsonObject | undefined {
  const {openAPIV3Schema} = asObject(schema ?? validation)
  return openAPIV3Schema === undefined ? undefined : asObject(openAPIV3Schema)
}
