import {checkCrd} from '../../../crd/checks/check-crd.js'
import type {SchemaRules} from '../../../crd/schema-rules.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {listAll} from '../../../text.js'
import {KUBERNETES_TYPES} from '../../../unpack/go/kubernetes-types.js'
import {readAs} from '../../../unpack/go/go-types.js'
import type {CheckedObject} from '../../../xpkg/content/examine-xpkg.js'
import {crdOfMrd, crdsOfXrd} from '../../../xpkg/content/xrd-crds.js'
import {
  asObject,
  asObjects,
  asText,
  type FieldPath,
  isJsonObject,
  type JsonObject,
} from '../../../yaml/json-value.js'
import {sentCrd} from './sent-crd.js'

/** Reports at a place of an object, unless an error was found there before. */
export type ReportAt = (rule: string, path: FieldPath, message: string) => void

const RULE = 'xpkg-crd-refused'

/** Reports why an API server rejects the CRDs that Crossplane derives from an XRD or a ManagedResourceDefinition. */
export function checkDerivedCrds(
  object: CheckedObject,
  rules: SchemaRules | undefined,
  report: ReportAt,
): void {
  if (object.role !== 'xrd' && object.role !== 'mrd') return
  checkClaimNames(asObject(object.decoded.spec), report)
  const typed = withTypedSchemas(object.decoded, report)
  if (typed !== undefined)
    checkCrds(object.role === 'xrd' ? crdsOfXrd(typed) : [sentCrd(crdOfMrd(typed))], rules, report)
}

/** Two CRDs of one XRD have the same errors in what they share. */
function checkCrds(
  crds: readonly KubernetesObject[],
  rules: SchemaRules | undefined,
  report: ReportAt,
): void {
  const seen = new Set<string>()
  for (const crd of crds)
    for (const {path, place, message} of checkCrd(crd, rules)) {
      const key = `${place.join(' ')}: ${message}`
      if (seen.has(key)) continue
      seen.add(key)
      report(RULE, place, `the CRD ${crd.metadata.name} is rejected: ${path}: ${message}`)
    }
}

const SCHEMA = 'apiextensions.v1.JSONSchemaProps'

/** Returns a definition whose schemas are read as Crossplane reads them to derive CRDs; undefined if it cannot. */
function withTypedSchemas(definition: JsonObject, report: ReportAt): JsonObject | undefined {
  const spec = asObject(definition.spec)
  const rejected: FieldPath[] = []
  const reject: ReportAt = (rule, path, message) => {
    rejected.push(path)
    report(rule, path, message)
  }
  const versions = asObjects(spec.versions).map((version, index) => {
    const path = ['spec', 'versions', index, 'schema', 'openAPIV3Schema']
    return {...version, schema: {openAPIV3Schema: typedSchema(version, path, reject)}}
  })
  return rejected.length === 0 ? {...definition, spec: {...spec, versions}} : undefined
}

function typedSchema({schema}: JsonObject, path: FieldPath, reject: ReportAt): JsonObject {
  const {openAPIV3Schema} = asObject(schema)
  if (!isJsonObject(openAPIV3Schema)) {
    reject(RULE, path, 'the version has no schema, so that no CRD can be derived')
    return {}
  }
  const {value, diagnostics} = readAs(SCHEMA, KUBERNETES_TYPES, openAPIV3Schema, 'exact')
  for (const {kind, path: within, message} of diagnostics)
    if (kind === 'wrong-type') reject(RULE, [...path, ...within], `no CRD can be derived: it ${message}`)
  return value
}

/** Crossplane derives no CRD of claims whose names are those of the composite resource. */
function checkClaimNames({names, claimNames}: JsonObject, report: ReportAt): void {
  const [own, claims] = [asObject(names), asObject(claimNames)]
  const same = ['kind', 'plural', 'singular', 'listKind'].filter(
    name => asText(claims[name]) !== '' && claims[name] === own[name],
  )
  if (same.length === 0) return
  const path: FieldPath = ['spec', 'claimNames', same[0] ?? '']
  report(RULE, path, `claims must not have the ${listAll(same)} of the composite resource`)
}
