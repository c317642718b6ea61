import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {present} from '../../present.js'
import {
  asObject,
  asObjects,
  asText,
  type FieldPath,
  formatPath,
  isJsonObject,
  type JsonObject,
} from '../../yaml/json-value.js'
import {
  type Conversion,
  type ConversionNote,
  addDiagnostic,
  note,
  type NonStructural,
} from './conversion-note.js'
import {convertNode} from './convert-node.js'
import {withKeys} from './convert-junctors.js'
import {EMBEDDED, givenKeys, isGiven, MAP_TYPE, PRESERVE, type Schema} from '../schema-node.js'
import type {SchemaDiagnostic} from '../schema-diagnostic.js'
import {BESIDE_STATUS} from '../checks/check-schema.js'
import {checkCrd} from '../checks/check-crd.js'
import type {SchemaRules} from '../schema-rules.js'
import {jsonEqual} from '../../yaml/json-equal.js'

export interface ConvertOptions {
  /** A schema that has no structural form is an error, or accepts everything. */
  readonly nonStructural: 'refuse' | 'preserve'
  /** Compiles the rules of schemas; without it they are left to the server. */
  readonly rules?: SchemaRules | undefined
}

export interface ConvertedCrd {
  readonly crd: KubernetesObject
  readonly notes: readonly ConversionNote[]
}

/**
 * Converts a v1beta1 CRD, read as its Go type, to the v1 CRD for which the same instances are valid; returns a v1 CRD
 * unchanged. A current API server accepts the result: throws `package-invalid` with all diagnostics otherwise. Their
 * `field` is a path within the given CRD.
 */
export function convertCrd(crd: KubernetesObject, {nonStructural, rules}: ConvertOptions): ConvertedCrd {
  if (crd.apiVersion === 'apiextensions.k8s.io/v1') {
    reject(crd, checkCrd(crd, rules).map(schemaDiagnostic))
    return {crd, notes: []}
  }
  const notes: ConversionNote[] = []
  const diagnostics: NonStructural[] = []
  const converted = {
    ...crd,
    apiVersion: 'apiextensions.k8s.io/v1',
    spec: convertSpec(asObject(crd.spec), {notes, diagnostics}),
  }
  const left = checkCrd(converted, rules)
  const unconverted = left.filter(isOfSchema)
  diagnostics.push(...unconverted.map(diagnostic => inSource(diagnostic, asObject(crd.spec))))
  if (nonStructural === 'refuse') reject(crd, diagnostics.map(nonStructuralDiagnostic))
  else notes.push(...diagnostics.map(structural => ({rule: 'fallback' as const, ...structural})))
  const others = left.filter(diagnostic => !isOfSchema(diagnostic))
  reject(crd, others.map(schemaDiagnostic))
  return {crd: unconverted.length === 0 ? converted : withoutSchemas(converted, unconverted), notes}
}

function isOfSchema({place}: SchemaDiagnostic): boolean {
  return place.includes('openAPIV3Schema')
}

/** The diagnostic with its place in the v1beta1 CRD, where one schema can be that of all versions. */
function inSource({place, message}: SchemaDiagnostic, spec: JsonObject): NonStructural {
  const [, , index, , ...within] = place
  const version = asObjects(spec.versions)[Number(index)]
  const holder =
    version?.schema === undefined ? ['spec', 'validation'] : ['spec', 'versions', Number(index), 'schema']
  return {message, path: [...holder, ...within], version: asText(version?.name) || undefined}
}

/** The CRD with a schema that accepts everything in each version with a remaining diagnostic, or a shared schema. */
function withoutSchemas(crd: KubernetesObject, diagnostics: readonly SchemaDiagnostic[]): KubernetesObject {
  const spec = asObject(crd.spec)
  const versions = asObjects(spec.versions)
  const schemas = diagnostics.map(({place}) => versions[Number(place[2])]?.schema)
  const openAPIV3Schema = wholeObject()
  return {
    ...crd,
    spec: {
      ...spec,
      versions: versions.map(version =>
        schemas.some(schema => jsonEqual(schema, version.schema))
          ? {...version, schema: {openAPIV3Schema}}
          : version,
      ),
    },
  }
}

function schemaDiagnostic({rule, path, place, message}: SchemaDiagnostic): Diagnostic {
  return {severity: 'error', rule: `crd-${rule}`, message: `${path}: ${message}`, field: formatPath(place)}
}

function nonStructuralDiagnostic({message, path, version}: NonStructural): Diagnostic {
  const field = formatPath(path)
  const where = version === undefined ? field : `version ${version}, ${field}`
  return {severity: 'error', rule: 'non-structural', message: `${where}: ${message}`, field}
}

function reject({metadata: {name}}: KubernetesObject, diagnostics: readonly Diagnostic[]): void {
  const [first] = diagnostics
  if (first === undefined) return
  throw new CrossplaneError('package-invalid', `a current API server rejects the CRD ${name}`, {
    diagnostics: diagnostics.map(diagnostic => ({
      ...diagnostic,
      message: `${name}: ${diagnostic.message}`,
      subject: {object: `CustomResourceDefinition ${name}`},
    })),
    suggestions: first.rule === 'non-structural' ? [PRESERVE_SUGGESTION] : [],
  })
}

const PRESERVE_SUGGESTION = 'Pass --non-structural preserve to accept any value in these places.'

type Collected = Pick<Conversion, 'notes' | 'diagnostics'>

function convertSpec(spec: JsonObject, to: Collected): JsonObject {
  const {group = '', names = {}, scope = ''} = spec
  return withKeys(
    {group, names, scope},
    {conversion: convertConversion(spec, to), versions: convertVersions(spec, to)},
  )
}

/** Returns the versions of a CRD of either API version; `spec.version` alone is one, served and stored. */
export function ownVersions(spec: JsonObject): readonly JsonObject[] {
  const versions = asObjects(spec.versions)
  const name = asText(spec.version)
  return versions.length > 0 || name === '' ? versions : [{name, served: true, storage: true}]
}

function convertVersions(spec: JsonObject, to: Collected): JsonObject[] {
  const versions = ownVersions(spec)
  const only = versions.length === 1 ? asText(versions[0]?.name) : undefined
  const top = convertSchema(spec.validation, ['spec', 'validation'], spec, only, to)
  const own = asObjects(spec.versions).length > 0
  return versions.map((version, index) => {
    const path = own ? ['spec', 'versions', index, 'schema'] : ['spec', 'validation']
    const openAPIV3Schema =
      version.schema === undefined && top !== undefined
        ? top
        : (convertSchema(version.schema ?? {}, path, spec, asText(version.name), to) ?? wholeObject())
    const columns = asObjects(version.additionalPrinterColumns ?? spec.additionalPrinterColumns)
    return withKeys(version, {
      additionalPrinterColumns: columns.length === 0 ? undefined : columns.map(convertColumn),
      schema: {openAPIV3Schema},
      selectableFields: undefined,
      subresources: version.subresources ?? spec.subresources,
    })
  })
}

function wholeObject(): Schema {
  return {type: 'object', [PRESERVE]: true}
}

/** Returns the schema in v1; undefined if there is none. */
function convertSchema(
  validation: JsonObject[string] | undefined,
  path: FieldPath,
  spec: JsonObject,
  version: string | undefined,
  collected: Collected,
): Schema | undefined {
  if (validation === undefined) return undefined
  const {openAPIV3Schema} = asObject(validation)
  const preserve = typeof spec.preserveUnknownFields === 'boolean' ? spec.preserveUnknownFields : undefined
  const to: Conversion = {...collected, version, preserve}
  const at = [...path, 'openAPIV3Schema']
  const add = (rule: ConversionNote['rule'], message: string) =>
    to.notes.push({rule, message, path: at, ...present({version})})
  if (!isJsonObject(openAPIV3Schema)) {
    add('no-schema', 'no schema, so everything is kept')
    return wholeObject()
  }
  if (preserve === undefined)
    add('pruned-by-default', 'unknown fields are dropped, where the old server kept them')
  if (preserve === true)
    add('kept-as-declared', 'unknown fields are kept, because preserveUnknownFields is true')
  const schema = convertNode(openAPIV3Schema, 'root', at, to)
  return fitStatus(openAPIV3Schema, schema, at, spec, to)
}

/** A status subresource is validated by itself, so the root of its schema has few keywords. */
function fitStatus(
  source: Schema,
  schema: Schema,
  path: FieldPath,
  spec: JsonObject,
  to: Conversion,
): Schema {
  const holders = [spec, ...asObjects(spec.versions)]
  const hasStatus = holders.some(holder => isJsonObject(asObject(holder.subresources).status))
  if (!hasStatus) return schema
  const redundant = [EMBEDDED, MAP_TYPE].filter(key => isGiven(schema[key]))
  if (redundant.length > 0)
    note(to, 'keyword-dropped', path, `${redundant.join(', ')} had no effect at the root`)
  const kept = withKeys(schema, Object.fromEntries(redundant.map(key => [key, undefined])))
  const extra = givenKeys(kept).filter(key => !BESIDE_STATUS.includes(key))
  if (extra.length === 0) return kept
  const message = `${extra.join(', ')} cannot be at the root of a schema with a status subresource`
  addDiagnostic(to, path, message)
  return {...wholeObject(), ...present({description: source.description})}
}

function convertColumn({JSONPath, ...column}: JsonObject): JsonObject {
  return {...column, jsonPath: JSONPath ?? ''}
}

function convertConversion(spec: JsonObject, {notes}: Collected): JsonObject | undefined {
  if (!isJsonObject(spec.conversion)) return undefined
  const {strategy = '', webhookClientConfig, conversionReviewVersions} = spec.conversion
  if (strategy === 'Webhook' && !isGiven(conversionReviewVersions)) {
    const path = ['spec', 'conversion', 'conversionReviewVersions']
    notes.push({rule: 'review-versions', message: 'the webhook reads v1beta1, the default', path})
  }
  const reviews =
    strategy === 'Webhook' && !isGiven(conversionReviewVersions) ? ['v1beta1'] : conversionReviewVersions
  const webhook = withKeys({}, {clientConfig: webhookClientConfig, conversionReviewVersions: reviews})
  return {strategy, ...(Object.keys(webhook).length === 0 ? {} : {webhook})}
}
