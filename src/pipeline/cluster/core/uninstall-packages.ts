import {REQUEST_FOLDER} from '../../../backup/backup-paths.js'
import type {BackupSource} from '../../../backup/write-backup.js'
import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import {failureOf} from '../../../cluster/api/cluster-failure.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {allInstances, countInstances, ownedCrds} from '../../../observe/core/owned-crds.js'
import {readCore, readImageConfigs} from '../../../observe/core/read-core.js'
import {readDefinitions, readPolicies} from '../../../observe/core/read-owned.js'
import {readUsages} from '../../../observe/core/read-usages.js'
import {observeGitSources} from '../../../observe/objects/git-sources.js'
import {UNKNOWN_CLUSTER} from '../../../plan/cluster/access/read-access.js'
import {type CoreRequest, type CoreState, isPackageRequest} from '../../../plan/cluster/state/core-state.js'
import {planPackageRemoval, removalImpact} from '../../../plan/cluster/core/plan-removal.js'
import {isOurs} from '../../../plan/cluster/core/requested-as.js'
import {unusedWithout} from '../../../plan/cluster/core/unused-requests.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import {unusedPolicies} from '../../../plan/cluster/core/unused-policies.js'
import {pinnedReferences} from '../../../plan/cluster/core/unused-image-configs.js'
import {nameOf, objectKey} from '../../../kubernetes/object-key.js'
import type {UninstallOptions} from '../../../plan/cluster/state/uninstall-options.js'
import type {Operation} from '../../../plan/plan.js'
import {oneNamedIn, requestName} from '../../../reference/named.js'
import {shellWord} from '../../../text.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import {instancesOf} from '../back-up-removal.js'
import {type ClusterChange, type Decision, NOTHING_LEFT} from '../cluster-change.js'
import {expectSameImpact} from '../expect-same-impact.js'
import type {RemovalQuery} from '../installed-format.js'

/**
 * Plans the removal of a package for a current Crossplane; undefined if the cluster has no request that the query names. Throws
 * `usage` for a text that names several, and the errors of the API.
 */
export async function prepareUninstallPackage(
  {text, selectsPackages, options, install, ignoresNotFound}: RemovalQuery,
  api: ClusterApi,
): Promise<ClusterChange | undefined> {
  if (!selectsPackages) return undefined
  const decide = async (): Promise<Decision | undefined> => {
    const core = await readCore(api)
    const request = core && oneNamedIn({text, action: 'uninstall'}, core.requests)
    if (core === undefined || request === undefined) return undefined
    return await decided(request, core, options, api)
  }
  const decision = await decide().catch((error: unknown) => {
    // A user who may not read packages can still repeat the uninstall of an install.
    if (install !== undefined && ignoresNotFound && failureOf(error)?.status === 403) return undefined
    throw error
  })
  return decision && {decision, decide: async () => (await decide()) ?? {...NOTHING_LEFT, installs: []}}
}

async function decided(
  request: CoreRequest,
  core: CoreState,
  options: UninstallOptions,
  api: ClusterApi,
): Promise<Decision> {
  const removed = options.withUnusedDependencies ? unusedWithout(request, core) : [request]
  const crds = (await ownedCrds(removed, core, api)).map(({crd}) => crd)
  const live = new Map(removed.map(({object}) => [objectKey(nameOf(object)), object]))
  const plan = planPackageRemoval(removed, {
    core,
    crds,
    instances: await countInstances(crds, api, options.customResources === 'delete'),
    usages: await readUsages(api),
    beside: await besideRequests(removed, core, api),
    sources: options.adopt ? new Map() : await observeGitSources(live, api),
    options,
  })
  return {
    ...{plan, snapshot: {...UNKNOWN_CLUSTER, live}, firstOwners: [], installs: []},
    backup: () => Promise.resolve(packageBackup(removed, crds, api)),
    recheck: async () => {
      const requests = {...plan, operations: plan.operations.filter(isRequestRemoval)}
      const impact = removalImpact(crds, await countInstances(crds, api))
      expectSameImpact(requests, {...requests, impact, rejections: []})
    },
  }
}

function isRequestRemoval({action, object}: Operation): boolean {
  return action === 'delete' && object !== undefined && isPackageRequest(object)
}

/** Crossplane deletes the CRDs with all custom resources. */
function packageBackup(
  removed: readonly CoreRequest[],
  crds: readonly KubernetesObject[],
  api: ClusterApi,
): BackupSource {
  return {
    installs: removed.map(({object, uid, ...request}) => ({
      name: requestName(request),
      objects: [`${objectKey(nameOf(object))} ${uid}`],
    })),
    records: removed.map(({object, ...request}) => ({
      folder: REQUEST_FOLDER,
      name: requestName(request).replace('/', '.'),
      object,
    })),
    reinstall: removed.map(({reference}) => `kubectl crossplane package install ${shellWord(reference)}`),
    kinds: crds.flatMap(crd => {
      const scope = allInstances(crd)
      return scope === undefined ? [] : [instancesOf(crd, scope, api)]
    }),
  }
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
