import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {accepted, type Kube, until} from '../../cluster/kube.js'

const GROUP = '/apis/pkg.crossplane.io/v1'
const KINDS = {Provider: 'provider', Function: 'function', Configuration: 'configuration'}
const LOCK = '/apis/pkg.crossplane.io/v1beta1/locks/lock'

/** What Crossplane has made of requests, as lines of text in order. */
export interface CoreState {
  /** `KIND NAME PACKAGE` of requests that are installed and healthy as they are now. */
  readonly healthy: readonly string[]
  /** The same of all others, with the messages of their conditions. */
  readonly others: readonly string[]
  /** The names of active revisions, by kind. */
  readonly active: readonly string[]
  /** `REPOSITORY VERSION REVISION` */
  readonly lock: readonly string[]
}

export async function coreState(kube: Kube): Promise<CoreState> {
  const requests: JsonObject[] = []
  const active: string[] = []
  for (const [kind, name] of Object.entries(KINDS)) {
    requests.push(...(await list(kube, `${name}s`)).map(object => ({...object, kind})))
    const revisions = await list(kube, `${name}revisions`)
    active.push(...revisions.filter(isActive).map(revision => `${kind} ${nameOf(revision)}`))
  }
  const {packages} = accepted(await kube.send('GET', LOCK))
  const lock = asObjects(packages).map(
    ({source, version, name}) => `${asText(source)} ${asText(version)} ${asText(name)}`,
  )
  return {
    healthy: requests.filter(isHealthy).map(lineOf).sort(),
    others: requests
      .filter(object => !isHealthy(object))
      .map(object => `${lineOf(object)} ${messagesOf(object)}`)
      .sort(),
    active: active.sort(),
    lock: lock.sort(),
  }
}

const RENDERED = [
  '/apis/pkg.crossplane.io/v1beta1/imageconfigs',
  '/apis/apiextensions.crossplane.io/v1alpha1/managedresourceactivationpolicies',
]

const DEPLOYMENTS = '/apis/apps/v1/namespaces/crossplane-system/deployments'

/**
 * Deletes all requests, and what was rendered beside them when nothing of them is left, not even a controller; returns whether
 * that is so. What others require comes back meanwhile, and for a moment afterwards too.
 */
export async function removeAll(kube: Kube): Promise<boolean> {
  let left = 0
  for (const name of Object.values(KINDS)) {
    const requests = await list(kube, `${name}s`)
    for (const request of requests) await kube.send('DELETE', `${GROUP}/${name}s/${nameOf(request)}`)
    left += requests.length + (await list(kube, `${name}revisions`)).length
  }
  left += asObjects(accepted(await kube.send('GET', DEPLOYMENTS)).items).length
  const lock = accepted(await kube.send('GET', LOCK))
  if (left > 0 || asObjects(lock.packages).length > 0) return false
  for (const path of RENDERED) accepted(await kube.send('DELETE', path))
  return true
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Returns the CRDs of packages: the garbage collector removes them some time after their last revision. */
export async function ownedDefinitions(kube: Kube): Promise<readonly string[]> {
  const definitions = asObjects(accepted(await kube.send('GET', DEFINITIONS)).items)
  const isOwned = ({metadata}: JsonObject) =>
    asObjects(asObject(metadata).ownerReferences).some(({kind}) => asText(kind).endsWith('Revision'))
  return definitions.filter(isOwned).map(nameOf)
}

/** A server that begins to serve a kind answers 429 for a moment. */
async function list(kube: Kube, resource: string): Promise<readonly JsonObject[]> {
  const answer = await until(
    () => kube.send('GET', `${GROUP}/${resource}`),
    ({code}) => code !== 429,
  )
  return asObjects(accepted(answer).items)
}

function lineOf(object: JsonObject): string {
  return `${asText(object.kind)} ${nameOf(object)} ${asText(asObject(object.spec).package)}`
}

/** Conditions of an earlier package stay until the new one is read. */
function isHealthy(object: JsonObject): boolean {
  const {currentIdentifier} = asObject(object.status)
  const isTrue = (type: string) =>
    conditionsOf(object).some(condition => condition.type === type && condition.status === 'True')
  return currentIdentifier === asObject(object.spec).package && isTrue('Installed') && isTrue('Healthy')
}

function messagesOf(object: JsonObject): string {
  return conditionsOf(object)
    .map(({message}) => asText(message))
    .join(' ')
    .trim()
}

function conditionsOf({status}: JsonObject): readonly JsonObject[] {
  return asObjects(asObject(status).conditions)
}

function isActive({spec}: JsonObject): boolean {
  return asObject(spec).desiredState === 'Active'
}

function nameOf({metadata}: JsonObject): string {
  return asText(asObject(metadata).name)
}

/** The Deployment of the Helm chart, as far as it shows the version. */
export function deploymentOf(version: string) {
  const labels = {app: 'crossplane'}
  const containers = [{name: 'crossplane', image: `xpkg.crossplane.io/crossplane/crossplane:${version}`}]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name: 'crossplane', namespace: 'default', labels},
    spec: {selector: {matchLabels: labels}, template: {metadata: {labels}, spec: {containers}}},
  }
}
