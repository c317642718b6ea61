import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject, asObjects, isJsonObject, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import {checkColumns, checkSubresources} from './check-columns.js'
import {checkConversion} from './check-conversion.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {checkMetadata, checkNames} from './check-names.js'
import {child, item, type Report, type SchemaDiagnostic, type Spot} from '../schema-diagnostic.js'
import {checkSchema} from './check-schema.js'
import {checkSelectableFields} from './check-selectable-fields.js'
import {checkVersions} from './check-versions.js'
import type {SchemaRules} from '../schema-rules.js'

/**
 * Reports errors of a v1 CRD that a current API server would reject: names, versions, conversion, columns,
 * subresources and schemas, each with the path that the server prints. The CRD must be one that was read as its Go
 * type. Expressions of `x-kubernetes-validations` (CEL) are compiled by `rules`, if they are given, and not all rules
 * are checked for defaults: see `checkDefaults`.
 */
export function checkCrd(crd: KubernetesObject, rules?: SchemaRules): SchemaDiagnostic[] {
  const diagnostics: SchemaDiagnostic[] = []
  const report: Report = (rule, {path, place}, message) => diagnostics.push({rule, path, place, message})
  const spec = asObject(crd.spec)
  const versions = asObjects(spec.versions)
  checkMetadata(crd, report)
  checkNames(spec, report)
  checkVersions(versions, report)
  for (const [value, , spot] of heldBy(versions, 'subresources')) checkSubresources(value, spot, report)
  for (const [value, , spot] of heldBy(versions, 'additionalPrinterColumns')) {
    checkColumns(value, spot, report)
  }
  for (const entry of heldBy(versions, 'selectableFields')) checkSelectableFields(...entry, report)
  checkConversion(spec, report)
  checkVersionSchema(versions, rules, report)
  return diagnostics
}

type Held = readonly [value: JsonValue, schema: JsonObject | undefined, spot: Spot]

const SPEC: Spot = {path: 'spec', place: ['spec']}

/**
 * The path of a version's parts in the server's internal form: above the versions if all are equal, otherwise in
 * each; with the schema at the same path.
 */
function heldBy(versions: readonly JsonObject[], key: string): Held[] {
  const schemasAgree = agree(versions, 'schema')
  const schemaOf = (version: JsonObject | undefined, agrees: boolean) => {
    const {openAPIV3Schema} = asObject(version?.schema)
    return agrees === schemasAgree && isJsonObject(openAPIV3Schema) ? openAPIV3Schema : undefined
  }
  if (agree(versions, key)) {
    const value = versions[0]?.[key]
    const spot = {path: `spec.${TOP_NAMES[key] ?? key}`, place: [...SPEC.place, 'versions', 0, key]}
    return value === undefined ? [] : [[value, schemaOf(versions[0], true), spot]]
  }
  return versions.flatMap((version, index): Held[] => {
    const value = version[key]
    const spot = child(item(child(SPEC, 'versions'), index), key)
    return value === undefined ? [] : [[value, schemaOf(version, false), spot]]
  })
}

const TOP_NAMES: Readonly<Record<string, string>> = {schema: 'validation'}

function agree(versions: readonly JsonObject[], key: string): boolean {
  return versions.every(version => jsonEqual(version[key], versions[0]?.[key]))
}

function checkVersionSchema(
  versions: readonly JsonObject[],
  rules: SchemaRules | undefined,
  report: Report,
): void {
  versions.forEach((version, index) => {
    if (isJsonObject(asObject(version.schema).openAPIV3Schema)) return
    const spot = child(child(item(child(SPEC, 'versions'), index), 'schema'), 'openAPIV3Schema')
    report('schema-missing', spot, 'every version must have a schema')
  })
  const shared = agree(versions, 'schema')
  for (const [value, , spot] of heldBy(versions, 'schema')) {
    const {openAPIV3Schema} = asObject(value)
    if (!isJsonObject(openAPIV3Schema)) continue
    const version = versions[Number(spot.place[2])]
    // Of two versions with one name, which is rejected anyway, the server reads the first.
    const read = shared ? versions : versions.filter(object => object.name === version?.name).slice(0, 1)
    const context = {hasStatus: read.some(hasStatus), rules}
    checkSchema(openAPIV3Schema, context, child(spot, 'openAPIV3Schema'), report)
  }
}

function hasStatus(version: JsonObject): boolean {
  return isJsonObject(asObject(version.subresources).status)
}
