import type {SourceDocument} from '../../unpack/diagnostics.js'
import {asObject, asObjects, asText, type FieldPath, type JsonObject} from '../../yaml/json-value.js'
import {composedKinds} from './composed-kinds.js'
import type {ObjectRole} from './object-kinds.js'
import {servedKinds} from './served-kinds.js'
import type {DefinedKind, FunctionStep, XpkgObject} from './xpkg.js'

/** Keeps the facts of an object that others need; its schema is not kept. */
export function objectFacts(document: SourceDocument, role: ObjectRole, object: JsonObject): XpkgObject {
  const defines = definedKind(role, asObject(object.spec))
  return {
    role,
    apiVersion: asText(object.apiVersion),
    kind: asText(object.kind),
    name: asText(asObject(object.metadata).name),
    file: document.name,
    line: document.yaml.line,
    ...(defines === undefined ? {} : {defines}),
    ...(DEFINING.includes(role)
      ? {crds: servedKinds(role, asText(object.apiVersion), asObject(object.spec))}
      : {}),
    functions: functionSteps(document, object),
    ...(role === 'composition' ? {composes: composedKinds(object)} : {}),
  }
}

const DEFINING: readonly ObjectRole[] = ['crd', 'mrd', 'xrd']

function definedKind(role: ObjectRole, spec: JsonObject): DefinedKind | undefined {
  if (role === 'composition') return referencedKind(asObject(spec.compositeTypeRef))
  if (!DEFINING.includes(role)) return undefined
  const names = asObject(spec.names)
  const versions = asObjects(spec.versions).map(version => asText(version.name))
  return {
    group: asText(spec.group),
    kind: asText(names.kind),
    plural: asText(names.plural),
    scope: asText(spec.scope),
    versions: versions.length > 0 ? versions : [asText(spec.version)].filter(version => version !== ''),
  }
}

function referencedKind({apiVersion, kind}: JsonObject): DefinedKind {
  const [group = '', version = ''] = asText(apiVersion).split('/')
  return {group, kind: asText(kind), plural: '', scope: '', versions: version === '' ? [] : [version]}
}

/** Where each kind has its pipeline: Compositions and Operations in spec, the others in a template. */
const PIPELINES: readonly FieldPath[] = [
  ['spec', 'pipeline'],
  ['spec', 'operationTemplate', 'spec', 'pipeline'],
]

function functionSteps(document: SourceDocument, object: JsonObject): readonly FunctionStep[] {
  if (!['Composition', 'Operation', 'CronOperation', 'WatchOperation'].includes(asText(object.kind)))
    return []
  return PIPELINES.flatMap(path => {
    const pipeline = path.reduce<JsonObject[string] | undefined>(
      (value, step) => asObject(value)[step],
      object,
    )
    return asObjects(pipeline).map((step, index) => ({
      function: asText(asObject(step.functionRef).name),
      line: document.yaml.lineOf([...path, index]),
    }))
  })
}
