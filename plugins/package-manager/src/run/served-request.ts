import {
  asObject,
  asText,
  CUSTOM_RESOURCES_ANNOTATION,
  eraOf,
  type InstallId,
  type KubernetesObject,
  ownerRuleFor,
  type PlannedObject,
  type PlannedPackages,
  POLICY_MAP,
  privilegedReasons,
  RUNTIME_ANNOTATION,
  workloads,
} from 'kubectl-crossplane/plugin'
import type {ManagerPolicy} from './manager-policy.js'
import {textOf} from './dependencies.js'
import type {PassPorts} from './pass-ports.js'
import {joined, type Problem} from './problem.js'
import {isRecord} from './written-records.js'

/** What decides about the requests of a namespace. */
export interface Place {
  readonly policy: ManagerPolicy
  /** The namespace of the manager, whose requests are those of administrators. */
  readonly systemNamespace: string
}

/** Reads what decides about the requests of a namespace. */
export async function placeOf({policy, systemNamespace}: PassPorts): Promise<Place> {
  return {policy: await policy(), systemNamespace}
}

/**
 * Returns why a request is not served; undefined if it is. A record can run any image, which a request can only with a package of
 * an allowed source.
 */
export function whyNotServed(request: KubernetesObject, place: Place): Problem | undefined {
  const {policy, systemNamespace} = place
  if (policy.problem !== undefined) return {reason: 'PolicyRefused', message: policy.problem}
  const map = `ConfigMap ${systemNamespace}/${POLICY_MAP}`
  return isTrusted(request, place)
    ? undefined
    : (kindProblem(request, place) ??
        runtimeProblem(request, map) ??
        identityProblem(request, map) ??
        sourceProblem(request, place))
}

/** Returns why requests of this kind and namespace are not served, whatever they say; undefined if they are. */
export function kindProblem(request: KubernetesObject, place: Place): Problem | undefined {
  const {policy, systemNamespace} = place
  const {namespace = ''} = request.metadata
  const map = `ConfigMap ${systemNamespace}/${POLICY_MAP}`
  if (isTrusted(request, place)) return undefined
  if (isRecord(request)) {
    return refused(
      `records without a request are not processed in namespace ${namespace}: an administrator can add it to manager.clusterNamespaces in ${map}`,
    )
  }
  if (request.kind === eraOf(request.apiVersion)?.kinds.clusterRequest) {
    return refused(
      `namespace ${namespace} may not request Cluster packages: an administrator can add it to manager.clusterNamespaces in ${map}`,
    )
  }
  if (policy.namespaces.includes(namespace)) return undefined
  return refused(
    `requests of namespace ${namespace} are not served: an administrator can add it to manager.namespaces in ${map}`,
  )
}

/** A runtime selects nodes and environment: that of a namespace which is not trusted is what the package has. */
function runtimeProblem({metadata}: KubernetesObject, map: string): Problem | undefined {
  if (metadata.annotations?.[RUNTIME_ANNOTATION] === undefined) return undefined
  return refused(
    `the annotation ${RUNTIME_ANNOTATION} is not allowed in namespace ${metadata.namespace ?? ''}: an administrator can add it to manager.clusterNamespaces in ${map}`,
  )
}

/** Clouds give Pods rights by annotations of their service account: who may create requests need not have these rights. */
function identityProblem({metadata, spec}: KubernetesObject, map: string): Problem | undefined {
  const {annotations} = asObject(asObject(spec).serviceAccount)
  if (Object.keys(asObject(annotations)).length === 0) return undefined
  return refused(
    `spec.serviceAccount.annotations is not allowed in namespace ${metadata.namespace ?? ''}: remove it, or an administrator can add the namespace to manager.clusterNamespaces in ${map}, which also allows Cluster packages and runtimes`,
  )
}

/** A source replaces the registry of images: without a list of sources, nothing says which ones are allowed. */
function sourceProblem({metadata, spec}: KubernetesObject, place: Place): Problem | undefined {
  if (asText(asObject(spec).source) === '' || place.policy.hasSources) return undefined
  return refused(
    `spec.source is not allowed in namespace ${metadata.namespace ?? ''}: an administrator can add the source to sources in ConfigMap ${place.systemNamespace}/${POLICY_MAP}`,
  )
}

/**
 * Returns why a request may not delete custom resources; undefined if it may. With the last claim of a CRD, those of all
 * namespaces would go, which its user may have no right to delete.
 */
export function whyNotDeleted(request: KubernetesObject, place: Place): Problem | undefined {
  const {namespace = '', annotations} = request.metadata
  const isDeletion = annotations?.[CUSTOM_RESOURCES_ANNOTATION]?.startsWith('delete') === true
  if (!isDeletion || isTrusted(request, place)) return undefined
  const map = `ConfigMap ${place.systemNamespace}/${POLICY_MAP}`
  return refused(
    `the annotation ${CUSTOM_RESOURCES_ANNOTATION} can only be keep in namespace ${namespace}: delete the custom resources, or an administrator can add the namespace to manager.clusterNamespaces in ${map}`,
  )
}

/** Reports whether the namespace of a request may request Cluster packages. */
export function isTrusted(
  {metadata: {namespace = ''}}: KubernetesObject,
  {policy, systemNamespace}: Place,
): boolean {
  return namespace === systemNamespace || policy.clusterNamespaces.includes(namespace)
}

/** Returns why a planned change is more than the namespace of its request may request; undefined if it is not. */
export function whyNotAllowed(
  request: KubernetesObject,
  change: PlannedPackages,
  place: Place,
): Problem | undefined {
  const {namespace = ''} = request.metadata
  if (isTrusted(request, place)) return undefined
  const outside = installsIn(change).filter(id => id.namespace !== namespace)
  if (outside.length > 0) {
    const waitsFor = outside.map(textOf).sort()
    const message = `requires the installs ${waitsFor.join(', ')}, which an administrator has to request first`
    return {reason: 'WaitingForDependency', message, waitsFor}
  }
  return crdProblem(namespace, change, place)
}

/** The installs of which more changes than the list of those that require them. CRDs are judged by themselves. */
function installsIn({objects}: PlannedPackages): readonly InstallId[] {
  const changed = objects.filter(({object, change}) => change !== 'none' && object.kind !== CRD)
  const ids = changed.flatMap(({installs}) => installs)
  return [...new Map(ids.map(id => [textOf(id), id])).values()]
}

const CRD = 'CustomResourceDefinition'

/** A CRD is for the whole cluster: the policy gives its group to a package, and no other namespace loses it. */
function crdProblem(namespace: string, change: PlannedPackages, {policy}: Place): Problem | undefined {
  const own = change.objects.filter(
    ({object, installs}) => object.kind === CRD && installs.some(id => id.namespace === namespace),
  )
  const refusals = own.flatMap(planned => crdRefusals(planned, change, policy))
  const changed = own.filter(planned => planned.change === 'update')
  if (refusals.length > 0) return refused(joined(refusals))
  if (changed.length === 0) return undefined
  const names = changed.map(
    ({object}) => `${object.metadata.name} exists and would change for all namespaces`,
  )
  return {reason: 'Conflict', message: joined(names)}
}

function crdRefusals(
  {object, installs: owners}: PlannedObject,
  {installs}: PlannedPackages,
  policy: ManagerPolicy,
): readonly string[] {
  const {group, conversion} = asObject(object.spec)
  const rules = policy.owners.map(rule => ({
    group: rule.group,
    identity: rule.package.replace(/^docker\.io\//, ''),
  }))
  const owner = ownerRuleFor(asText(group), rules)?.identity
  const isOwner = owners.every(
    id =>
      installs.find(each => each.namespace === id.namespace && each.name === id.name)?.package?.identity ===
      owner,
  )
  const {name} = object.metadata
  return [
    ...(owner !== undefined && isOwner
      ? []
      : [
          `the policy does not give the group of ${name} to this package: an administrator can add it to owners`,
        ]),
    ...(asObject(conversion).strategy === 'Webhook' ? [`${name} has a conversion webhook`] : []),
  ]
}

/** Returns what the Pods of a change would do that the Pod Security Standard `baseline` forbids; undefined if nothing. */
export function hostAccess({objects}: PlannedPackages): Problem | undefined {
  const reasons = privilegedReasons(workloads(objects.map(({object}) => object)))
  if (reasons.length === 0) return undefined
  const texts = reasons.map(({object, reason}) => `${object}: ${reason}`)
  return {
    reason: 'PermissionRefused',
    message: `the Pod Security Standard baseline forbids its Pods: ${joined(texts)}`,
  }
}

function refused(message: string): Problem {
  return {reason: 'PolicyRefused', message}
}
