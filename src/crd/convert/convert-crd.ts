import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {KubernetesObject} from '../../unpack/kubernetes-object.js'
import {
  asObject,
  asObjects,
  asText,
  type FieldPath,
  formatPath,
  isJsonObject,
  type JsonObject,
} from '../../yaml/json-value.js'
import {type Conversion, type ConversionNote, fault, type NonStructural} from './conversion-note.js'
import {convertNode} from './convert-node.js'
import {withKeys} from './convert-junctors.js'
import {isGiven, PRESERVE, type Schema} from '../schema-node.js'
import type {SchemaProblem} from '../problem.js'
import {structuralProblems} from '../problems/structural-problems.js'

export interface ConvertOptions {
  /** What becomes of a schema without a structural form: an error, or a node that accepts everything. */
  readonly nonStructural: 'refuse' | 'preserve'
}

export interface ConvertedCrd {
  readonly crd: KubernetesObject
  readonly notes: readonly ConversionNote[]
}

/**
 * A v1beta1 CRD, read as its Go type, as the v1 CRD for which the same instances are valid; a v1 CRD as it is. A
 * current API server accepts what comes back: throws `package-invalid` with faults where that cannot be.
 */
export function convertCrd(crd: KubernetesObject, {nonStructural}: ConvertOptions): ConvertedCrd {
  if (crd.apiVersion === 'apiextensions.k8s.io/v1') {
    refuse(crd, structuralProblems(crd).map(problemFault))
    return {crd, notes: []}
  }
  const notes: ConversionNote[] = []
  const diagnostics: NonStructural[] = []
  const converted = {
    ...crd,
    apiVersion: 'apiextensions.k8s.io/v1',
    spec: convertSpec(asObject(crd.spec), {notes, diagnostics}),
  }
  if (nonStructural === 'refuse') refuse(crd, diagnostics.map(nonStructuralFault))
  else notes.push(...diagnostics.map(each => ({rule: 'fallback' as const, ...each})))
  const left = structuralProblems(converted)
  const bug = left.find(({place}) => place.includes('openAPIV3Schema'))
  if (bug !== undefined)
    throw new Error(`${crd.metadata.name} was not converted: ${bug.path}: ${bug.message}`)
  refuse(crd, left.map(problemFault))
  return {crd: converted, notes}
}

function problemFault({rule, path, place, message}: SchemaProblem): Diagnostic {
  return {severity: 'error', rule: `crd-${rule}`, message: `${path}: ${message}`, field: formatPath(place)}
}

function nonStructuralFault({message, path, version}: NonStructural): Diagnostic {
  const field = formatPath(path)
  const where = version === undefined ? field : `version ${version}, ${field}`
  return {severity: 'error', rule: 'non-structural', message: `${where}: ${message}`, field}
}

function refuse({metadata: {name}}: KubernetesObject, diagnostics: readonly Diagnostic[]): void {
  const [first] = diagnostics
  if (first === undefined) return
  throw new CrossplaneError('package-invalid', `The CRD ${name} is none that an API server accepts.`, {
    diagnostics: diagnostics.map(each => ({...each, message: `${name}: ${each.message}`})),
    ...(first.rule === 'non-structural'
      ? {suggestions: ['Let those places accept everything with --non-structural preserve.']}
      : {}),
  })
}

type Collected = Pick<Conversion, 'notes' | 'diagnostics'>

function convertSpec(spec: JsonObject, to: Collected): JsonObject {
  const {group = '', names = {}, scope = ''} = spec
  return withKeys(
    {group, names, scope},
    {conversion: convertConversion(spec, to), versions: convertVersions(spec, to)},
  )
}

/** The versions of a CRD of either API version, as they are; `spec.version` alone is one, served and stored. */
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

/** The schema in v1; undefined where there is none at all. */
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
    to.notes.push({rule, message, path: at, ...(version === undefined ? {} : {version})})
  if (!isJsonObject(openAPIV3Schema)) {
    add('no-schema', 'there is no schema, so everything is kept')
    return wholeObject()
  }
  if (preserve === undefined)
    add('pruned-by-default', 'unknown fields are dropped, where the old server kept them')
  if (preserve === true) add('kept-as-declared', 'unknown fields are kept, as preserveUnknownFields says')
  const schema = convertNode(openAPIV3Schema, 'root', at, to)
  return fitStatus(openAPIV3Schema, schema, at, spec, to)
}

const BESIDE_NO_STATUS = ['allOf', 'anyOf', 'oneOf', 'not', 'enum', 'minProperties', 'maxProperties']

/** A status subresource is validated by itself, so the root may not say more than its fields do. */
function fitStatus(
  source: Schema,
  schema: Schema,
  path: FieldPath,
  spec: JsonObject,
  to: Conversion,
): Schema {
  const holders = [spec, ...asObjects(spec.versions)]
  const hasStatus = holders.some(holder => isJsonObject(asObject(holder.subresources).status))
  const extra = BESIDE_NO_STATUS.filter(key => isGiven(schema[key]))
  if (!hasStatus || extra.length === 0) return schema
  const message = `${extra.join(', ')} may not stand at the root beside a status subresource`
  fault(to, path, message)
  return {...wholeObject(), ...(source.description === undefined ? {} : {description: source.description})}
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
