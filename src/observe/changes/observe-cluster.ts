import {type ClusterFailure, failureOf} from '../../cluster/api/cluster-failure.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {CONTENT_MANAGER} from '../../cluster/claims.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import {CONCURRENCY, readObjects} from '../objects/read-live.js'
import {objectKey} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import type {ClusterSnapshot, DryRun, ObjectState} from '../../plan/cluster/state/cluster-snapshot.js'
import type {DesiredObject} from '../../plan/cluster/state/desired-object.js'
import type {Allowances} from '../../plan/cluster/objects/judge-object.js'
import {isSameContent} from '../../plan/cluster/state/live-object.js'
import {leftNames} from '../../plan/cluster/inventories/left-crds.js'
import {givenUpCrds, lostControllers} from '../../plan/cluster/lost-controllers.js'
import {isAsLeft, objectState} from '../../plan/cluster/state/object-state.js'
import {
  isManaged,
  isRemembered,
  isSameInstall,
  rememberedObjects,
} from '../../plan/cluster/state/ownership.js'
import {isCreateOnly} from '../../plan/cluster/state/object-operation.js'
import {isSettledCrd} from '../../plan/cluster/crds/settled-crd.js'
import {versionMigration, withVersions} from '../../plan/cluster/crds/version-migration.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {present} from '../../present.js'
import type {InstallId, InstallSet} from '../../render/install-set.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {observeGitSources} from '../objects/git-sources.js'
import {listCrds} from '../objects/list-crds.js'
import type {ReadInventories} from '../installs/read-inventories.js'
import {countLost} from '../instances/lost-instances.js'
import {readRunningCore} from '../objects/read-core-version.js'
import {type JudgeLoader, surveyInstances} from '../instances/survey-instances.js'

/** A set, and its objects as a cluster gets them. */
interface DesiredSet {
  readonly set: InstallSet
  readonly desired: readonly DesiredObject[]
}

/** Reads the state of a cluster for planning a set, except the inventories; changes nothing. */
export async function observeCluster(
  {set, desired}: DesiredSet,
  read: ReadInventories & Pick<ClusterSnapshot, 'managers' | 'ownManager'>,
  api: ClusterApi,
  {adopt, migratesVersions = false, forceConflicts}: Omit<Allowances, 'replaceCrds'>,
  loadJudge?: JudgeLoader,
): Promise<ClusterSnapshot> {
  const {inventories, unreadable, ignored, floodedBy, roles, managers, ownManager} = read
  const names = namesToRead(desired, set.installs, inventories)
  const givenUp = new Set(givenUpCrds({installs: set.installs, desired}, {inventories}).map(({key}) => key))
  // What is read of them tells how to list their instances.
  const kept = desired.filter(({key}) => !givenUp.has(key))
  const live = await readForPlan(kept, names, inventories, api)
  const {dryRuns, states} = await dryRunObjects(desired, live, inventories, api, adopt)
  const transitions = migratesVersions
    ? await dryRunBoth(desired, {live, dryRuns}, api, forceConflicts)
    : undefined
  const sources = await observeGitSources(changeable(desired, live, states), api)
  const served = await servedKinds(desired, api)
  const core = isOfOtherEra(desired, served) ? await readRunningCore(api) : undefined
  const uses = {live, inventories, recorded: []}
  const {surveys, recorded} = await surveyInstances(desired, {live, dryRuns}, api, loadJudge)
  return {
    live,
    dryRuns,
    sources,
    states,
    inventories,
    unreadable,
    ignored,
    ...present({transitions, floodedBy, ownManager, core}),
    roles,
    served,
    managers,
    instances: await countLost(lostControllers({installs: set.installs, desired}, uses), api),
    surveys,
    recorded,
  }
}

/** The objects of the set, its namespaces, and the previous objects of its installs. */
function namesToRead(
  desired: readonly DesiredObject[],
  installs: readonly InstallId[],
  inventories: readonly Inventory[],
): readonly ObjectName[] {
  const before = inventories.filter(({install}) => installs.some(id => isSameInstall(id, install)))
  const namespaces = new Set(desired.flatMap(({name}) => name.namespace ?? []))
  return [
    ...desired.map(({name}) => name),
    ...[...namespaces].map(name => ({apiVersion: 'v1', kind: 'Namespace', name})),
    ...before.flatMap(inventory => [...inventory.objects, ...leftNames(inventory)]),
  ]
}

/** Reads the objects that exist; of CRDs that need no change only the metadata, by one list for all. */
async function readForPlan(
  desired: readonly DesiredObject[],
  names: readonly ObjectName[],
  inventories: readonly Inventory[],
  api: ClusterApi,
): Promise<ReadonlyMap<string, KubernetesObject>> {
  const [crds, others] = await Promise.all([
    listCrds(names, api),
    readObjects(
      names.filter(name => !isCrd(name)),
      api,
    ),
  ])
  if (crds === undefined) return new Map([...others, ...(await readObjects(names.filter(isCrd), api))])
  const remembered = rememberedObjects(inventories)
  const settled = desired.flatMap(object => {
    const live = crds.get(object.key)
    const isSettled = live !== undefined && isSettledCrd(object, live, remembered.get(object.key) ?? [])
    return isSettled ? [[object.key, live] as const] : []
  })
  const settledKeys = new Set(settled.map(([key]) => key))
  const changed = names.filter(name => crds.has(objectKey(name)) && !settledKeys.has(objectKey(name)))
  return new Map([...others, ...settled, ...(await readObjects(changed, api))])
}

interface Applicable {
  readonly dryRuns: Map<string, DryRun>
  readonly states: Map<string, ObjectState>
}

async function dryRunObjects(
  desired: readonly DesiredObject[],
  live: ReadonlyMap<string, KubernetesObject>,
  inventories: readonly Inventory[],
  api: ClusterApi,
  adopt: boolean,
): Promise<Applicable> {
  const remembered = rememberedObjects(inventories)
  const result: Applicable = {dryRuns: new Map(), states: new Map()}
  const existing = desired.flatMap(object => {
    const liveObject = live.get(object.key)
    return liveObject === undefined || isCreateOnly(object) ? [] : [{object, liveObject}]
  })
  await mapConcurrent(existing, CONCURRENCY, async ({object, liveObject}) => {
    const {key, content} = object
    const own = (remembered.get(key) ?? []).filter(rememberedObject =>
      isRemembered(liveObject, rememberedObject),
    )
    const state = objectState(object, liveObject)
    if (own.some(rememberedObject => isAsLeft(object, liveObject, rememberedObject))) {
      result.states.set(key, state)
    } else if (adopt || isManaged(liveObject, object, own)) {
      const dryRun = await dryRunOf(content, liveObject, api, false)
      result.dryRuns.set(key, dryRun)
      if (dryRun.kind === 'applied' && isSameContent(liveObject, dryRun.object)) result.states.set(key, state)
    }
  })
  return result
}

/** The objects that exist, and that a plan can change. */
function changeable(
  desired: readonly DesiredObject[],
  live: ReadonlyMap<string, KubernetesObject>,
  states: ReadonlyMap<string, ObjectState>,
): ReadonlyMap<string, KubernetesObject> {
  return new Map(
    desired.flatMap(object => {
      const own = isCreateOnly(object) || states.has(object.key) ? undefined : live.get(object.key)
      return own === undefined ? [] : [[object.key, own] as const]
    }),
  )
}

/** Sends CRDs with the stored versions that their packages no longer have; by `objectKey`. */
async function dryRunBoth(
  desired: readonly DesiredObject[],
  {live, dryRuns}: Pick<ClusterSnapshot, 'live' | 'dryRuns'>,
  api: ClusterApi,
  force: boolean,
): Promise<ReadonlyMap<string, DryRun>> {
  const result = new Map<string, DryRun>()
  await mapConcurrent(desired, CONCURRENCY, async ({key, content, shared}) => {
    const crd = shared === 'crd' && dryRuns.has(key) ? live.get(key) : undefined
    const migration = crd && versionMigration(content, crd)
    if (crd === undefined || migration === undefined) return
    result.set(key, await dryRunOf(withVersions(content, crd, migration.from), crd, api, force))
  })
  return result
}

/** Returns the result of a server-side apply as a dry run. */
export async function dryRunOf(
  content: KubernetesObject,
  live: KubernetesObject,
  api: ClusterApi,
  force: boolean,
): Promise<DryRun> {
  try {
    const {object} = await api.apply(content, {manager: CONTENT_MANAGER, dryRun: true, force})
    return {kind: 'applied', object}
  } catch (error) {
    const failure = failureOf(error)
    if (failure?.status === 409 && failure.conflicts.length > 0) {
      return {kind: 'conflict', fields: failure.conflicts}
    }
    // Users who may not `bind` are judged by the rules of the new role, which does not exist yet.
    if (failure?.status === 404 && !jsonEqual(live.roleRef, content.roleRef)) {
      return {kind: 'rejected', message: failure.serverMessage, isImmutable: true}
    }
    if (failure?.status !== 422) throw error
    return {kind: 'rejected', message: failure.serverMessage, isImmutable: isImmutable(failure)}
  }
}

/** https://github.com/kubernetes/apimachinery: ValidateImmutableField, and RBAC's own check of `roleRef`. */
function isImmutable({serverMessage, causes}: ClusterFailure): boolean {
  const texts = [serverMessage, ...causes.map(({message}) => message)]
  return texts.some(text => text.includes('field is immutable') || text.includes('cannot change roleRef'))
}

/** Reports whether a current Crossplane decides about a set: it has the base, or records that the cluster does not serve. */
function isOfOtherEra(desired: readonly DesiredObject[], served: ReadonlySet<string>): boolean {
  return desired.some(({shared, name}) => shared === 'base' || !served.has(`${name.apiVersion} ${name.kind}`))
}

async function servedKinds(desired: readonly DesiredObject[], api: ClusterApi): Promise<ReadonlySet<string>> {
  const discovery = await api.discover()
  const kinds = new Set(desired.map(({name}) => `${name.apiVersion} ${name.kind}`))
  return new Set(
    [...kinds].filter(text => {
      const [apiVersion = '', kind = ''] = text.split(' ')
      return discovery.find(apiVersion, kind) !== undefined
    }),
  )
}
