import {checkCrd} from '../../../crd/checks/check-crd.js'
import {checkObject} from '../../../crd/instances/check-object.js'
import type {SchemaRules} from '../../../crd/schema-rules.js'
import {present} from '../../../present.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {type DiagnosticCollector, errorAt} from '../../../unpack/diagnostics.js'
import {coreSchemas} from '../../../xpkg/content/core-schemas.js'
import type {CheckedObject, ObjectCheck} from '../../../xpkg/content/examine-xpkg.js'
import {asObject, asText, formatPath, isJsonObject} from '../../../yaml/json-value.js'
import {checkDerivedCrds, type ReportAt} from './derived-crds.js'
import {metadataErrors} from './metadata-errors.js'
import {sentCrd} from './sent-crd.js'

/**
 * Returns the check that reports for which objects of a package an API server with the CRDs of Crossplane would reject the
 * object, or a CRD that Crossplane derives from it.
 */
export function serverCheck(rules: SchemaRules | undefined): ObjectCheck {
  return (object, collector) => {
    const report = reporter(object, collector)
    checkLabels(object, report)
    if (object.role === 'crd') checkOwnCrd(object, rules, report)
    else if (checkSchema(object, rules, report)) checkDerivedCrds(object, rules, report)
  }
}

function reporter({document, errors}: CheckedObject, collector: DiagnosticCollector): ReportAt {
  const reported = new Set(errors.map(({field = ''}) => field))
  return (rule, path, message) => {
    const field = formatPath(path)
    if (reported.has(field)) return
    errorAt(document, {rule, path, message}, collector)
  }
}

function checkLabels({decoded, role}: CheckedObject, report: ReportAt): void {
  if (role === 'crd') return
  for (const {place, message} of metadataErrors(asObject(decoded.metadata), ['metadata']))
    report('xpkg-object-refused', place, message)
}

/** CRDs of v1beta1, and versions without a schema, have rules of their own. */
function checkOwnCrd({decoded}: CheckedObject, rules: SchemaRules | undefined, report: ReportAt): void {
  if (decoded.apiVersion !== 'apiextensions.k8s.io/v1') return
  const crd = sentCrd(decoded as KubernetesObject)
  for (const {rule, path, place, message} of checkCrd(crd, rules)) {
    if (rule === 'schema-missing') continue
    report('crd-refused', place, `${asText(crd.metadata.name)}: ${path}: ${message}`)
  }
}

/** Returns whether an API server accepts an object by the schema of its kind. */
function checkSchema(
  {source, decoded}: CheckedObject,
  rules: SchemaRules | undefined,
  report: ReportAt,
): boolean {
  const schema = coreSchemas()[`${asText(decoded.apiVersion)} ${asText(decoded.kind)}`]
  if (!isJsonObject(schema)) return false
  const errors = checkObject(source, schema, present({rules}))
  for (const {place, message} of errors)
    report('xpkg-object-refused', place, `${formatPath(place)}: ${message}`)
  return errors.length === 0
}
