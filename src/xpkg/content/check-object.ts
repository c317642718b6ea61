import {schemaOf} from '../../kubernetes/crd-kind.js'
import {isDnsSubdomain} from '../../reference/kubernetes-names.js'
import {quoted} from '../../text.js'
import {type DiagnosticCollector, errorAt, type SourceDocument, warningAt} from '../../unpack/diagnostics.js'
import {asObject, asObjects, asText, type FieldPath, type JsonObject} from '../../yaml/json-value.js'
import type {ObjectRole} from './object-kinds.js'

type Report = (rule: string, path: FieldPath, message: string) => void

/** Reports what keeps one object from being installed although the core's linter accepts it. */
export function checkObject(
  document: SourceDocument,
  role: ObjectRole,
  object: JsonObject,
  collector: DiagnosticCollector,
): void {
  const error: Report = (rule, path, message) => errorAt(document, {rule, path, message}, collector)
  const warning: Report = (rule, path, message) => warningAt(document, {rule, path, message}, collector)
  const {name, namespace} = asObject(object.metadata)
  if (!isDnsSubdomain(asText(name)))
    error('xpkg-object-name', ['metadata', 'name'], `${quoted(asText(name))} is not a valid name`)
  if (asText(namespace) !== '')
    warning(
      'xpkg-object-namespace',
      ['metadata', 'namespace'],
      'the namespace is ignored: the object has none',
    )
  if (role === 'crd') checkCrd(object, error)
  if (role === 'xrd') checkXrd(object, error)
  if (role === 'composition') checkComposition(object, error)
  if (role === 'webhook') checkWebhooks(object, error)
}

function checkCrd(object: JsonObject, error: Report): void {
  if (asText(object.apiVersion) === 'apiextensions.k8s.io/v1beta1') {
    const message = 'Kubernetes 1.22 and later do not have CustomResourceDefinitions of v1beta1'
    return error('xpkg-crd-version', ['apiVersion'], message)
  }
  const spec = asObject(object.spec)
  for (const [index, version] of asObjects(spec.versions).entries()) {
    if (Object.keys(schemaOf(version)).length > 0) continue
    const message = `version ${quoted(asText(version.name))} has no schema, so no API server accepts the CRD`
    error('xpkg-crd-schema', ['spec', 'versions', index], message)
  }
}

function checkXrd(object: JsonObject, error: Report): void {
  const spec = asObject(object.spec)
  const expected = `${asText(asObject(spec.names).plural)}.${asText(spec.group)}`
  const name = asText(asObject(object.metadata).name)
  if (isDnsSubdomain(name) && name !== expected)
    error('xpkg-xrd-name', ['metadata', 'name'], `the name is ${quoted(name)}; the XRD defines ${expected}`)
}

function checkComposition(object: JsonObject, error: Report): void {
  const {mode, pipeline} = asObject(object.spec)
  if (asText(mode) !== '' && asText(mode) !== 'Pipeline')
    return error(
      'xpkg-composition',
      ['spec', 'mode'],
      `the mode ${quoted(asText(mode))} does not exist any more`,
    )
  if (asObjects(pipeline).length === 0)
    error(
      'xpkg-composition',
      ['spec'],
      'the Composition has no pipeline of functions, which Crossplane 2 requires',
    )
}

function checkWebhooks(object: JsonObject, error: Report): void {
  for (const [index, webhook] of asObjects(object.webhooks).entries()) {
    if (asObject(webhook.clientConfig).url === undefined) continue
    const message = 'a webhook with a URL cannot be installed: Crossplane sets a service as well'
    error('xpkg-webhook', ['webhooks', index, 'clientConfig', 'url'], message)
  }
}
