import {
  asObject,
  asText,
  type FieldPath,
  formatPath,
  isJsonArray,
  type JsonObject,
} from '../yaml/json-value.js'
import {isLabelValue, isQualifiedName} from '../reference/kubernetes-names.js'
import type {DiagnosticDraft} from './diagnostics.js'
import type {CrdDefinition, PermissionScope} from './package.js'

type FieldDiagnostic = DiagnosticDraft & {readonly path: FieldPath}

/** Returns why a package of that scope must not own a CRD whose fields have the right types. */
export function checkDefinition(
  crd: JsonObject,
  definition: CrdDefinition,
  packageScope: PermissionScope,
): FieldDiagnostic[] {
  const spec = asObject(crd.spec)
  const missing = missingFields(spec, definition)
  if (missing.length === 0) {
    return [
      ...checkNames(definition),
      ...scopeDiagnostics(spec, definition, packageScope),
      ...labelDiagnostics(asObject(crd.metadata)),
    ]
  }
  return missing.map(path => ({rule: 'crd-field-missing', path, message: `${formatPath(path)} is missing`}))
}

function missingFields(spec: JsonObject, {name, group, kind, plural, version}: CrdDefinition): FieldPath[] {
  const required: readonly [string, FieldPath][] = [
    [name, ['metadata', 'name']],
    [group, ['spec', 'group']],
    [kind, ['spec', 'names', 'kind']],
    [plural, ['spec', 'names', 'plural']],
  ]
  const versions = isJsonArray(spec.versions) ? spec.versions : []
  const unnamed = versions.flatMap((value, index) =>
    asText(asObject(value).name) !== '' ? [] : [['spec', 'versions', index, 'name']],
  )
  return [
    ...required.filter(([value]) => value === '').map(([, path]) => path),
    ...(version === '' && versions.length === 0 ? [['spec', 'versions']] : []),
    ...unnamed,
  ]
}

function checkNames({name, plural, group}: CrdDefinition): FieldDiagnostic[] {
  const expected = `${plural}.${group}`
  if (name === expected) return []
  const message = `metadata.name must be ${expected}, not ${name}`
  return [{rule: 'crd-name', path: ['metadata', 'name'], message}]
}

function scopeDiagnostics(
  spec: JsonObject,
  {name}: CrdDefinition,
  packageScope: PermissionScope,
): FieldDiagnostic[] {
  const scope = asText(spec.scope)
  const path = ['spec', 'scope']
  if (scope !== 'Namespaced' && scope !== 'Cluster') {
    return [{rule: 'crd-scope', path, message: `spec.scope must be Namespaced or Cluster, not ${scope}`}]
  }
  if (scope === 'Namespaced' || packageScope === 'Cluster') return []
  const message = `${name} is cluster-scoped, which a package with permissionScope Namespaced may not own`
  return [{rule: 'crd-cluster-scoped', path, message}]
}

/** Labels and annotation keys that API servers reject. */
function labelDiagnostics({labels, annotations}: JsonObject): FieldDiagnostic[] {
  const badLabels = Object.entries(asObject(labels)).filter(
    ([key, value]) => !isQualifiedName(key) || !isLabelValue(asText(value)),
  )
  const badAnnotations = Object.keys(asObject(annotations)).filter(key => !isQualifiedName(key))
  return [
    ...badLabels.map(([key, value]) => ({
      rule: 'crd-label',
      path: ['metadata', 'labels', key],
      message: `${JSON.stringify(key)}: ${JSON.stringify(value)} is not a valid label`,
    })),
    ...badAnnotations.map(key => ({
      rule: 'crd-annotation',
      path: ['metadata', 'annotations', key],
      message: `${JSON.stringify(key)} is not a valid annotation key`,
    })),
  ]
}
