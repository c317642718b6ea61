import type {Diagnostic} from '../../diagnostic.js'
import {diagnosticAt} from '../../unpack/diagnostics.js'
import {baseName} from '../../unpack/package-file.js'
import {asObject, asObjects, asText, isJsonObject, type JsonValue} from '../../yaml/json-value.js'
import type {Candidate, DeclaredCrd} from './candidate.js'
import {listSome} from '../../text.js'
import {isApiVersion} from './name-parts.js'

/** Reports missing fields of CRDs, and those without effect. */
export function checkCrds({crds}: Candidate): Diagnostic[] {
  return crds.flatMap(crd => [
    ...checkSchema(crd),
    ...checkScope(crd),
    ...checkStatus(crd),
    ...checkFileName(crd),
  ])
}

/** In v1, a missing schema is an error (`crd-refused`). */
function checkSchema({document, definition, object}: DeclaredCrd): Diagnostic[] {
  if (object.apiVersion === 'apiextensions.k8s.io/v1') return []
  const spec = asObject(object.spec)
  const hasSchema = (holder: JsonValue | undefined) => isJsonObject(asObject(holder).openAPIV3Schema)
  if (hasSchema(spec.validation)) return []
  const without = asObjects(spec.versions).filter(({schema}) => !hasSchema(schema))
  if (without.length === 0 && asObjects(spec.versions).length > 0) return []
  const which = listSome(without.map(({name}) => asText(name)))
  const message = `${definition.kind} has no schema${which === '' ? '' : ` for ${which}`}, so any object is accepted`
  return [diagnosticAt(document, 'crd-schema-missing', ['spec'], message)]
}

function checkScope({document, definition, object}: DeclaredCrd): Diagnostic[] {
  const {scope = null} = asObject(object.spec)
  if (scope !== '' && scope !== null) return []
  const message = `${definition.kind} has no scope and is read as Namespaced`
  return [diagnosticAt(document, 'crd-scope-missing', ['spec', 'scope'], message)]
}

function checkStatus({document, definition, object}: DeclaredCrd): Diagnostic[] {
  if (!hasContent(object.status)) return []
  const message = `the status of ${definition.name} is ignored: only an API server writes it`
  return [diagnosticAt(document, 'crd-status', ['status'], message)]
}

/** Generators write an empty status with every CRD, which is not reported. */
function hasContent(value: JsonValue | undefined): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasContent)
  return value !== undefined && value !== null && value !== ''
}

/**
 * Any name is allowed, but `<kind>.<version>.crd.yaml` and `<group>_<plural>.crd.yaml`, as generators write it, name a
 * CRD.
 */
function checkFileName({file, document, definition}: DeclaredCrd): Diagnostic[] {
  const stem = baseName(file).slice(0, -'.crd.yaml'.length)
  const {group, kind, plural, versions} = definition
  const [first = '', second = '', ...rest] = stem.split('.')
  const isByKind = rest.length === 0 && isApiVersion(second)
  const isAgreed = isByKind
    ? [kind.toLowerCase(), plural].includes(first.toLowerCase()) && versions.includes(second)
    : !stem.includes('_') || stem === `${group}_${plural}`
  if (isAgreed || !baseName(file).endsWith('.crd.yaml')) return []
  const message = `the file name does not match its CRD, ${kind} of ${group} (${listSome(versions)})`
  return [diagnosticAt(document, 'crd-file-name', ['spec', 'names', 'kind'], message)]
}
