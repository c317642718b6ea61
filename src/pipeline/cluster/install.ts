import {observeCluster} from '../../apply/observe-cluster.js'
import {observePackages, type ObservedPackages} from '../../apply/observe-packages.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../diagnostic.js'
import {desiredObjects} from '../../plan/cluster/desired-object.js'
import {type InstallOptions, planInstall} from '../../plan/cluster/plan-install.js'
import {isSameInstall} from '../../plan/cluster/ownership.js'
import type {InstallSet} from '../../render/install-set.js'
import {type NotedSet, render, type RenderQuery} from '../render/render.js'
import type {RenderChoices} from '../render/render-part.js'
import type {RequestPorts} from '../resolve/read-request.js'
import type {ClusterChange} from './cluster-change.js'
import {installedState} from './installed-state.js'

/** What to install, and how. */
export interface InstallQuery {
  readonly render: RenderQuery
  readonly choices: RenderChoices
  readonly options: InstallOptions
}

/** A change that installs a set. */
export interface InstallChange extends ClusterChange {
  readonly set: InstallSet
  readonly notes: readonly Diagnostic[]
}

/** What deciding about an install needs from outside. */
export interface InstallPorts {
  readonly api: ClusterApi
  readonly requests: RequestPorts
}

/** Renders what is requested and decides what it changes in a cluster. Throws what rendering and the API throw. */
export async function prepareInstall(query: InstallQuery, ports: InstallPorts): Promise<InstallChange> {
  return await prepareSet(query.options, ports.api, observed => setFor(query, observed, ports))
}

/**
 * Decides what a set changes in a cluster. It is made again where other installs have changed in the meantime, because
 * they are part of the resolution.
 */
export async function prepareSet(
  options: InstallOptions,
  api: ClusterApi,
  setOf: (observed: ObservedPackages) => Promise<NotedSet>,
): Promise<InstallChange> {
  const observed = await observePackages(api)
  const desire = (set: NotedSet) => ({set, desired: desiredObjects(set)})
  const first = desire(await setOf(observed))
  const known = knownText(observed)
  const decideFor = async ({set, desired}: ReturnType<typeof desire>, {inventories}: ObservedPackages) => {
    const snapshot = await observeCluster({set, desired}, inventories, api, options)
    const {firstOwners = []} = set
    return {plan: planInstall(set, snapshot, options, desired), snapshot, firstOwners}
  }
  const decide = async () => {
    const current = await observePackages(api)
    return await decideFor(knownText(current) === known ? first : desire(await setOf(current)), current)
  }
  const {set} = first
  return {set, notes: set.notes ?? [], decision: await decideFor(first, observed), decide}
}

/** What other runs change: which packages there are. */
function knownText({inventories, requests}: ObservedPackages): string {
  return JSON.stringify([inventories.map(({install}) => install), requests])
}

async function setFor(
  {render: query, choices}: InstallQuery,
  observed: ObservedPackages,
  {requests}: InstallPorts,
): Promise<NotedSet> {
  const set = await render(query, choices, requests, installedState(observed))
  return query.kind === 'package' ? withDependents(set, observed) : set
}

/** Without a resolution, the dependents of an install stay what they are. */
function withDependents<Set extends InstallSet>(set: Set, {inventories}: ObservedPackages): Set {
  const installs = set.installs.map(each => {
    const before = inventories.find(({install}) => isSameInstall(install, each))
    return before === undefined ? each : {...each, for: before.install.for}
  })
  return {...set, installs}
}
