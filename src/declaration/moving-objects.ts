import {KEPT_BY_ARGOCD, KEPT_BY_FLUX} from '../kubernetes/controller-annotations.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {parseImageName} from '../reference/image-name.js'
import {isDnsSubdomain} from '../reference/kubernetes-names.js'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../yaml/json-value.js'

/** The kinds of objects that a request needs; what stays of a former request adds no others to a tree. */
export const KEPT_KINDS: ReadonlySet<string> = new Set(['Provider', 'ImageConfig', 'DeploymentRuntimeConfig'])

/**
 * Says that a request leaves, and to which one its package moves; `true` in what earlier versions wrote. That nothing of it is active is no reason for a sync of
 * Argo CD to wait.
 */
export const LEAVING = 'kubectl-crossplane/leaving'

const PROTECTION: Readonly<Record<string, string>> = {...KEPT_BY_FLUX, ...KEPT_BY_ARGOCD}

/** Neither Flux nor Argo CD deletes what stays of a former request, or waits for its health. */
export function keptAnnotations(to: string): Readonly<Record<string, string>> {
  return {[LEAVING]: to, ...PROTECTION}
}

/** Reports whether an object has an annotation with which a move keeps Flux or Argo CD from deleting it. */
export function hasProtection({metadata: {annotations = {}}}: KubernetesObject): boolean {
  return Object.entries(PROTECTION).some(([key, value]) => annotations[key] === value)
}

/** Returns the text of `spec.package` of the Provider among objects. */
export function keptPackage(objects: readonly KubernetesObject[]): string {
  return asText(asObject(objects.find(({kind}) => kind === 'Provider')?.spec).package)
}

/** What stays of one former request. */
interface KeptRequest {
  readonly from: string
  readonly to: string
  readonly digest?: string
  readonly objects: readonly KubernetesObject[]
}

/**
 * Returns what is wrong with the objects of a former request, as the rest of a sentence with `must`: a lock adds nothing to a tree but what a
 * move takes out of it, so that only fields that rendering writes are accepted.
 */
export function keptProblems(kept: KeptRequest): readonly string[] {
  const {from, objects} = kept
  const requests = objects.filter(({kind}) => kind === 'Provider')
  const [request] = requests
  if (request === undefined || requests.length > 1 || asText(asObject(request.metadata).name) !== from)
    return ['have exactly one Provider, with the name of from']
  const problems = objects.flatMap(object => {
    const isWritten = hasOnly(object, ['apiVersion', 'kind', 'metadata', 'spec']) && isProtected(object, kept)
    if (!KEPT_KINDS.has(object.kind))
      return [`have only objects of these kinds: ${[...KEPT_KINDS].join(', ')}`]
    if (!isWritten) return [`have only objects that a move keeps: ${object.kind} is another one`]
    return WRONG[object.kind]?.(object, kept, request) ?? []
  })
  return [...new Set(problems)]
}

type Judged = (object: KubernetesObject, kept: KeptRequest, request: KubernetesObject) => string | undefined

const WRONG: Readonly<Record<string, Judged>> = {
  Provider: wrongRequest,
  ImageConfig: wrongImageConfig,
  DeploymentRuntimeConfig: wrongRuntimeConfig,
}

function isProtected({metadata}: KubernetesObject, {to}: KeptRequest): boolean {
  const {name, annotations} = asObject(metadata)
  const own = asObject(annotations)
  return (
    hasOnly(asObject(metadata), ['name', 'annotations']) &&
    isDnsSubdomain(asText(name)) &&
    hasOnly(own, [LEAVING, ...Object.keys(PROTECTION)]) &&
    (own[LEAVING] === to || own[LEAVING] === 'true') &&
    Object.entries(PROTECTION).every(([key, value]) => own[key] === value)
  )
}

/** Rendering writes no other fields of a request. */
const IS_FIELD: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  package: value => parseImageName(asText(value)) !== undefined,
  packagePullPolicy: value => typeof value === 'string',
  packagePullSecrets: value =>
    Array.isArray(value) && asObjects(value).every(isReference) && asObjects(value).length === value.length,
  revisionActivationPolicy: value => value === 'Manual',
  revisionHistoryLimit: value => typeof value === 'number',
  runtimeConfigRef: value => isReference(asObject(value)),
  skipDependencyResolution: value => value === true,
}

function wrongRequest({apiVersion, spec}: KubernetesObject): string | undefined {
  const own = asObject(spec)
  const isWritten =
    apiVersion === 'pkg.crossplane.io/v1' &&
    Object.entries(own).every(([key, value]) => IS_FIELD[key]?.(value) === true) &&
    own.package !== undefined
  if (!isWritten) return 'have a Provider with only the fields that a move keeps'
  return own.revisionActivationPolicy === 'Manual'
    ? undefined
    : 'have a Provider that is not activated: Manual'
}

function isReference(value: JsonObject): boolean {
  return hasOnly(value, ['name']) && isDnsSubdomain(asText(value.name))
}

function wrongImageConfig({apiVersion, spec}: KubernetesObject, kept: KeptRequest): string | undefined {
  const own = asObject(spec)
  const {matchImages, rewriteImage} = own
  const [match = {}, ...others] = asObjects(matchImages)
  const isWritten =
    apiVersion === BETA &&
    hasOnly(own, ['matchImages', 'rewriteImage']) &&
    others.length === 0 &&
    hasOnly(match, ['type', 'prefix']) &&
    match.type === 'Prefix' &&
    hasOnly(asObject(rewriteImage), ['prefix'])
  const isOwn = isWritten && isOfPackage(asText(match.prefix), asText(asObject(rewriteImage).prefix), kept)
  return isOwn ? undefined : 'have only ImageConfigs of the package of its Provider'
}

/** One pins the package; one of a mirror is compared with the mirrors of the declaration when it is rendered. */
function isOfPackage(prefix: string, target: string, {digest, objects}: KeptRequest): boolean {
  const reference = keptPackage(objects)
  if (prefix === reference) return digest !== undefined && target.endsWith(`@${digest}`)
  return reference.startsWith(prefix) && /[/:@]$/.test(prefix)
}

function wrongRuntimeConfig(
  {apiVersion, metadata: {name}, spec}: KubernetesObject,
  {from, objects}: KeptRequest,
  request: KubernetesObject,
): string | undefined {
  const isOwn =
    apiVersion === BETA &&
    hasOnly(asObject(spec), ['deploymentTemplate', 'serviceAccountTemplate']) &&
    asObject(asObject(request.spec).runtimeConfigRef).name === name &&
    (name === from || name === `${from}-provider`) &&
    objects.filter(({kind}) => kind === 'DeploymentRuntimeConfig').length === 1
  return isOwn ? undefined : 'have only the DeploymentRuntimeConfig of its Provider'
}

const BETA = 'pkg.crossplane.io/v1beta1'

function hasOnly(object: JsonObject | KubernetesObject, keys: readonly string[]): boolean {
  return Object.keys(object).every(key => keys.includes(key))
}
