import {installedState} from '../../observe/installs/installed-state.js'
import type {ObservedPackages} from '../../observe/installs/observe-packages.js'
import {isSameInstall} from '../../plan/cluster/state/ownership.js'
import {type NotedSet, render} from '../render/render.js'
import {type InstallChange, type InstallPorts, type InstallQuery, prepareSet} from './install.js'

/**
 * Plans the changes of an install that an object of the cluster requests. Unlike `prepareInstall`, the requests of a
 * cluster do not count: each is planned by itself, and only what is installed decides about others.
 */
export async function prepareRequested(
  query: InstallQuery,
  {api, requests}: InstallPorts,
): Promise<InstallChange> {
  const {options, choices} = query
  const forCluster = {...choices, server: () => api.version()}
  const setOf = async (observed: ObservedPackages): Promise<NotedSet> =>
    asInstalled(await render(query.render, forCluster, requests, installedState(observed, options)), observed)
  return await prepareSet({options, places: new Set()}, api, setOf)
}

/** The request of a dependency does not make it one that a user requested. */
function asInstalled(set: NotedSet, {inventories}: Pick<ObservedPackages, 'inventories'>): NotedSet {
  const installs = set.installs.map(install => {
    const isAuto = install.request?.labels?.[AUTO_LABEL] === 'true'
    const before = inventories.find(inventory => isSameInstall(inventory.install, install))
    if (!isAuto || before?.install.mode === 'requested') return install
    return {...install, mode: 'auto' as const, for: before?.install.for ?? install.for}
  })
  return {...set, installs}
}

/** The label of a request that this program made for a dependency. */
export const AUTO_LABEL = 'kubectl-crossplane.dev/auto'
