import {observeCluster} from '../../observe/changes/observe-cluster.js'
import {withoutInterrupted} from '../../observe/installs/interrupted-crds.js'
import {withNamed} from '../../observe/installs/named-inventories.js'
import {
  observePackages,
  type ObservedPackages,
  servedPackages,
} from '../../observe/installs/observe-packages.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../diagnostic.js'
import {desiredObjects} from '../../plan/cluster/state/desired-object.js'
import {type InstallOptions, planInstall} from '../../plan/cluster/plan-install.js'
import {crowdedWarnings} from '../../plan/cluster/inventories/crowded-namespaces.js'
import {impostorNotes, managerNotes, withoutManaged} from '../../plan/cluster/inventories/managed-installs.js'
import {present} from '../../present.js'
import {isSameInstall} from '../../plan/cluster/state/ownership.js'
import {packageAccess, setAccess} from '../../plan/cluster/access/read-access.js'
import type {judgedClusterPlan} from '../../inspect/policy/planned-crds.js'
import {expectPlanAllowed} from '../../inspect/policy/plan-policies.js'
import type {InstallSet} from '../../render/install-set.js'
import type {GivenChoices} from '../../package/given-choices.js'
import {render} from '../../package/stack/render.js'
import type {LocatedPackage} from '../../locate/located-package.js'
import type {RecognizedRequest} from '../../package/format.js'
import type {NotedSet, PackageQuery, RenderQuery} from '../../package/rendered-sets.js'
import type {RequestPorts} from '../request/read-request.js'
import type {ClusterChange, Decision} from './cluster-change.js'
import {readAllowed} from './expect-allowed.js'
import {installedState} from '../../observe/installs/installed-state.js'
import {otherRequestNotes, requestPlaces, type RequestPlaces, withOwnRequests} from './own-requests.js'

/** A query for the installs of a set, with their parameters and options. */
export interface InstallQuery {
  readonly render: RenderQuery
  readonly choices: GivenChoices
  readonly options: InstallOptions
}

/** What a query requests, with its packages recognized. */
export type RequestedInstalls =
  | {readonly kind: 'files'}
  | {readonly kind: 'package'; readonly located: LocatedPackage; readonly query: PackageQuery}
  | {readonly kind: 'request'; readonly request: RecognizedRequest}

/** A change that installs a set. */
export interface InstallChange extends ClusterChange {
  readonly set: InstallSet
  readonly notes: readonly Diagnostic[]
}

/** A set that was rendered for a cluster of which only the packages were read. */
export interface RenderedChange
  extends
    Pick<InstallChange, 'set' | 'notes' | 'identities' | 'decide'>,
    Pick<ObservedPackages, 'inventories'> {
  /** Decides by the packages that were read, without reading them again. */
  readonly decideAsRead: () => Promise<Decision>
}

/** The ports for deciding about an install. */
export interface InstallPorts {
  readonly api: ClusterApi
  readonly requests: RequestPorts
}

/** Renders the requested set and plans its changes in a cluster. Throws the errors of rendering and the API. */
export async function installStacks(
  installs: RequestedInstalls,
  query: InstallQuery,
  ports: InstallPorts,
): Promise<InstallChange> {
  const {options, render: asked} = query
  const rendered = installs.kind === 'package' ? {...installs.query, located: installs.located} : asked
  const renders = await stackRenderer(installs.kind === 'request' ? installs.request : undefined)
  const setOf: SetOf = observed => setFor({...query, render: rendered}, observed, ports, renders)
  return await prepareSet({options, places: placesOf(rendered)}, ports, setOf)
}

/** Returns what renders the packages of this format of a request: if it has no others, they are not recognized again. */
export async function stackRenderer(request: RecognizedRequest | undefined): Promise<typeof render> {
  const isWhole = request === undefined || request.parts.stack.length === request.requested.length
  return isWhole ? render : (await import('../render/render-stacks.js')).renderStacks
}

/** What a set is planned with. */
interface SetQuery {
  readonly options: InstallOptions
  readonly places: RequestPlaces
}

type SetOf = (observed: ObservedPackages) => Promise<NotedSet>

/**
 * Plans the changes of a set in a cluster. The set is rendered again if other installs have changed in the meantime,
 * because they are part of the resolution.
 */
export async function prepareSet(query: SetQuery, ports: InstallPorts, setOf: SetOf): Promise<InstallChange> {
  const {decideAsRead, inventories: _inventories, ...rendered} = await renderSet(query, ports, setOf)
  return {...rendered, decision: await decideAsRead()}
}

/** The same without a plan, for a change that is planned once other runs are locked out. */
export async function renderSet(
  {options, places}: SetQuery,
  {api, requests}: InstallPorts,
  setOf: SetOf,
): Promise<RenderedChange> {
  const discovery = await api.discover()
  const estimated = async () => {
    const set = await setOf(servedPackages(discovery)).catch(() => undefined)
    return set === undefined ? packageAccess(discovery) : setAccess(set, [], discovery, options)
  }
  const observed = await readAllowed(() => observePackages(api, options), estimated, api)
  const desire = async (current: ObservedPackages) => {
    const own = await withoutInterrupted(withOwnRequests(current, places), places, api)
    const whole = await setOf(own)
    const named = await withNamed(current, whole.installs, api)
    const set = withoutManaged(whole, named)
    return {whole, set, desired: desiredObjects(set)}
  }
  const first = await desire(observed)
  const knownPackages = knownText(observed)
  const loadJudge = options.acceptsImpact === undefined ? undefined : requests.usage.judge
  const decideFor = async ({whole, set, desired}: typeof first, read: ObservedPackages) => {
    const current = await withNamed(read, set.installs, api)
    const snapshot = await readAllowed(
      () => observeCluster({set, desired}, current, api, options, loadJudge),
      () => Promise.resolve(setAccess(set, current.inventories, discovery, options)),
      api,
    )
    const {firstOwners = [], ownerChanges, signerChanges} = whole
    const plan = planInstall(set, snapshot, options, desired)
    await expectPlanJudged(whole, {plan, installs: set.installs, desired, snapshot})
    return {
      ...{plan, snapshot, firstOwners, installs: set.installs, set: whole},
      ...present({ownerChanges, signerChanges}),
    }
  }
  const decide = async () => {
    const current = await observePackages(api, options)
    return await decideFor(knownText(current) === knownPackages ? first : await desire(current), current)
  }
  const {whole} = first
  const notes = [
    ...(whole.notes ?? []),
    ...managerNotes(whole, observed),
    ...impostorNotes(observed),
    ...otherRequestNotes(observed, places),
    ...crowdedWarnings(observed.crowded),
  ]
  return {
    ...{set: whole, notes, decide, inventories: observed.inventories},
    decideAsRead: async () => await decideFor(first, observed),
    ...present({identities: whole.identities}),
  }
}

/** Throws `policy-refused` for what the policy of the team rejects of a plan. */
async function expectPlanJudged(
  {planPolicies}: NotedSet,
  planned: Parameters<typeof judgedClusterPlan>[0],
): Promise<void> {
  if (planPolicies === undefined) return
  // Loaded here: few policies have anything about plans.
  const {judgedClusterPlan} = await import('../../inspect/policy/planned-crds.js')
  await expectPlanAllowed(planPolicies, judgedClusterPlan(planned))
}

function placesOf(query: RenderQuery): RequestPlaces {
  if (query.kind === 'package') {
    const {namespace, systemNamespace, contextNamespace} = query.parameters
    return new Set([namespace, systemNamespace, contextNamespace].flatMap(name => name ?? []))
  }
  if (query.kind === 'files') return requestPlaces(query.settings, query.systemNamespace, query.namespace)
  const {query: asked} = query
  return requestPlaces(asked.settings, asked.kind === 'install' ? asked.requested[0]?.namespace : undefined)
}

/** Returns the state that other runs change, as a text: the packages of the cluster. */
function knownText({inventories, requests, managers, ownManager = ''}: ObservedPackages): string {
  return JSON.stringify([inventories.map(({install}) => install), requests, [...managers], ownManager])
}

async function setFor(
  {render: query, choices, options}: InstallQuery,
  observed: ObservedPackages,
  {api, requests}: InstallPorts,
  renders: typeof render,
): Promise<NotedSet> {
  const forCluster = {...choices, server: () => api.version()}
  const set = await renders(query, forCluster, requests, installedState(observed, options))
  return query.kind === 'package' ? withDependents(set, observed) : set
}

/** Without a resolution, the dependents of an install do not change. */
function withDependents<Set extends InstallSet>(set: Set, {inventories}: ObservedPackages): Set {
  const installs = set.installs.map(setInstall => {
    const before = inventories.find(({install}) => isSameInstall(install, setInstall))
    return before === undefined ? setInstall : {...setInstall, for: before.install.for}
  })
  return {...set, installs}
}
