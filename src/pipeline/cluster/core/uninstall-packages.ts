import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {countInstances, ownedCrds} from '../../../observe/core/owned-crds.js'
import {readCore, readImageConfigs} from '../../../observe/core/read-core.js'
import {readDefinitions, readPolicies} from '../../../observe/core/read-owned.js'
import {readUsages} from '../../../observe/core/read-usages.js'
import {UNKNOWN_CLUSTER} from '../../../plan/cluster/access/read-access.js'
import {type CoreRequest, type CoreState, requestName} from '../../../plan/cluster/core/core-state.js'
import {planPackageRemoval} from '../../../plan/cluster/core/plan-removal.js'
import {isOurs} from '../../../plan/cluster/core/requested-as.js'
import {unusedWithout} from '../../../plan/cluster/core/unused-requests.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import {unusedPolicies} from '../../../plan/cluster/core/unused-policies.js'
import {pinnedReferences} from '../../../plan/cluster/core/unused-image-configs.js'
import {nameOf, objectKey} from '../../../kubernetes/object-key.js'
import type {UninstallOptions} from '../../../plan/cluster/state/uninstall-options.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import type {ClusterChange, Decision} from '../cluster-change.js'

/** The removal of a package for a current Crossplane. */
export interface PackageRemovalQuery {
  /** KIND.pkg.crossplane.io/NAME, a repository, or NAME. */
  readonly text: string
  readonly options: UninstallOptions
}

/** Plans the removal of a package; undefined if the cluster has no request that the text names. Throws the errors of the API. */
export async function prepareUninstallPackage(
  query: PackageRemovalQuery,
  api: ClusterApi,
): Promise<ClusterChange | undefined> {
  const decide = async (): Promise<Decision | undefined> => {
    const core = await readCore(api)
    const request = core && namedRequest(query.text, core)
    if (core === undefined || request === undefined) return undefined
    return await decided(request, core, query, api)
  }
  const decision = await decide()
  if (decision === undefined) return undefined
  return {decision, decide: async () => (await decide()) ?? NOTHING_LEFT}
}

const NOTHING_LEFT: Decision = {
  plan: {operations: [], unchanged: 0, rejections: []},
  snapshot: UNKNOWN_CLUSTER,
  firstOwners: [],
  installs: [],
}

/** Returns the change that removes nothing. */
export function nothingToRemove(): ClusterChange {
  return {decision: NOTHING_LEFT, decide: () => Promise.resolve(NOTHING_LEFT)}
}

function namedRequest(text: string, {requests}: CoreState): CoreRequest | undefined {
  return (
    requests.find(request => text === requestName(request)) ??
    requests.find(({repository}) => text === repository) ??
    requests.find(({name}) => text === name)
  )
}

async function decided(
  request: CoreRequest,
  core: CoreState,
  {options}: PackageRemovalQuery,
  api: ClusterApi,
): Promise<Decision> {
  const removed = options.withUnusedDependencies ? unusedWithout(request, core) : [request]
  const crds = (await ownedCrds(removed, core, api)).map(({crd}) => crd)
  const plan = planPackageRemoval(removed, {
    core,
    crds,
    instances: await countInstances(crds, api, options.customResources === 'delete'),
    usages: await readUsages(api),
    beside: await besideRequests(removed, core, api),
    options,
  })
  const live = new Map(removed.map(({object}) => [objectKey(nameOf(object)), object]))
  return {plan, snapshot: {...UNKNOWN_CLUSTER, live}, firstOwners: [], installs: []}
}

/** What this program applied for requests, and no other request uses. */
async function besideRequests(
  removed: readonly CoreRequest[],
  core: CoreState,
  api: ClusterApi,
): Promise<readonly KubernetesObject[]> {
  const {requests} = core
  const staying = requests.filter(request => !removed.includes(request))
  const isRemoved = (reference: string) => {
    const {repository} = coreReference(reference)
    return (
      removed.some(request => request.repository === repository) &&
      !staying.some(request => request.repository === repository)
    )
  }
  const pins = (await readImageConfigs(api)).filter(object => {
    const references = pinnedReferences(object)
    return references.length > 0 && references.every(isRemoved)
  })
  const configs = await Promise.all(
    removed
      .filter(request => usesConfig(request, request.name))
      .filter(({name}) => !staying.some(other => usesConfig(other, name)))
      .map(({name}) => api.get({...RUNTIME_CONFIG, name})),
  )
  const policies = await readPolicies(api)
  // There can be thousands of definitions.
  const definitions = policies.some(isOurs) ? await readDefinitions(api) : []
  return [
    ...[...pins, ...configs.flatMap(object => object ?? [])].filter(isOurs),
    ...unusedPolicies(policies, definitions, removed, core),
  ]
}

const RUNTIME_CONFIG = {apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'DeploymentRuntimeConfig'}

function usesConfig({object}: CoreRequest, name: string): boolean {
  return asText(asObject(asObject(object.spec).runtimeConfigRef).name) === name
}
