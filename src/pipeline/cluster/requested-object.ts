import type {PackageReference} from '../../reference/package-reference.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {nameFromSource} from '../../reference/image-source.js'
import {parseCrdName} from '../../reference/install-target.js'
import {present} from '../../present.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {nameOf, objectText} from '../../kubernetes/object-key.js'
import {CrossplaneError} from '../../errors.js'
import {ERAS} from '../../render/era.js'
import {requestKind, type InstallRequest} from '../../render/request.js'
import {readWrittenInput} from '../../render/written-input.js'
import type {RequestedInstall} from '../../render/requested-install.js'
import type {EraName} from '../../reference/era-name.js'
import type {Runtime} from '../../declaration/runtime/runtime.js'
import {readRuntime} from '../../declaration/runtime/read-runtime.js'
import {RUNTIME_ANNOTATION} from '../../render/labels.js'
import {readYaml} from '../../yaml/read-yaml.js'
import {formatPath, type JsonObject} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'

/** The install that a request object of a cluster is about. */
export interface RequestedObject {
  readonly era: EraName
  readonly requested: RequestedInstall
}

/** Reads the request object of a cluster, in either era. Throws `input-invalid` with all errors. */
export function readRequestedObject(object: KubernetesObject): RequestedObject {
  const {era, request} = readRequest(object)
  const {namespace, name, scope, source} = request
  const {imagePullPolicy, imagePullSecrets, serviceAccountAnnotations} = request
  const {package: reference, crd, labels, annotations} = request
  const parameters = {
    scope,
    ...present({source, imagePullPolicy, runtime: runtimeIn(object)}),
    imagePullSecrets,
    serviceAccountAnnotations,
    requestFields: present({package: reference, crd, labels, annotations}),
  }
  const target = crd === undefined ? imageOf(request) : ({kind: 'crd', crd: parseCrdName(crd)} as const)
  return {era: era.name, requested: {target, parameters, namespace, name}}
}

/** The kinds of request objects, of both eras and scopes. */
export function requestKinds(): readonly {readonly apiVersion: string; readonly kind: string}[] {
  return Object.values(ERAS).flatMap(era =>
    (['Cluster', 'Namespaced'] as const).map(scope => ({
      apiVersion: era.apiVersion,
      kind: requestKind(era, scope),
    })),
  )
}

function readRequest({apiVersion, kind, metadata, spec = {}}: KubernetesObject) {
  const {name, namespace = '', labels, annotations} = metadata
  const content = {apiVersion, kind, metadata: {name, namespace, ...present({labels, annotations})}, spec}
  const file = objectText(nameOf({apiVersion, kind, metadata}))
  const [request] = requestsIn(file, content)
  if (request !== undefined) return request
  throw new CrossplaneError('input-invalid', `${file} is not a request for a package`)
}

function requestsIn(name: string, content: JsonObject) {
  try {
    return readWrittenInput([{name, bytes: Buffer.from(writeJson(content))}]).requests
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'input-invalid') throw error
    const {diagnostics} = error
    throw new CrossplaneError(error.code, `cannot read ${name}: invalid content`, {cause: error, diagnostics})
  }
}

/** The runtime in an annotation of a request. Throws `input-invalid`. */
function runtimeIn({apiVersion, kind, metadata}: KubernetesObject): Runtime | undefined {
  const text = metadata.annotations?.[RUNTIME_ANNOTATION]
  if (text === undefined) return undefined
  const file = objectText(nameOf({apiVersion, kind, metadata}))
  const [document] = readYaml(Buffer.from(text), `${RUNTIME_ANNOTATION} of ${file}`)
  const {runtime, errors} = readRuntime(document?.value ?? null)
  const [error] = errors
  if (error === undefined) return runtime
  const place = formatPath(error.path)
  const message = `cannot read the annotation ${RUNTIME_ANNOTATION} of ${file}: ${place} ${error.message}`
  throw new CrossplaneError('input-invalid', message)
}

/** A source is where the package is, as for the images that it names without a registry. */
function imageOf({package: reference = '', source}: InstallRequest): PackageReference {
  const name = parsePackageImage(reference)
  return {kind: 'image', name: source === undefined ? name : nameFromSource(name, source)}
}
