import {installedState} from '../../observe/installs/installed-state.js'
import type {ObservedPackages} from '../../observe/installs/observe-packages.js'
import {isSameInstall} from '../../plan/cluster/state/ownership.js'
import {render} from '../../package/stack/render.js'
import type {NotedSet} from '../../package/rendered-sets.js'
import {
  type InstallChange,
  type InstallPorts,
  type InstallQuery,
  prepareSet,
  type RenderedChange,
  renderSet,
} from './install.js'

/**
 * Plans the changes of an install that an object of the cluster requests. Unlike `prepareInstall`, the requests of a
 * cluster do not count: each is planned by itself, and only what is installed decides about others.
 */
export async function prepareRequested(query: InstallQuery, ports: InstallPorts): Promise<InstallChange> {
  return await prepareSet(queryOf(query), ports, setOf(query, ports))
}

/** Renders what such objects request, to plan it once other runs are locked out. */
export async function renderRequests(query: InstallQuery, ports: InstallPorts): Promise<RenderedChange> {
  return await renderSet(queryOf(query), ports, setOf(query, ports))
}

function queryOf({options}: InstallQuery): Parameters<typeof prepareSet>[0] {
  return {options, places: new Set()}
}

function setOf(
  {render: query, options, choices}: InstallQuery,
  {api, requests}: InstallPorts,
): (observed: ObservedPackages) => Promise<NotedSet> {
  const forCluster = {...choices, server: () => api.version()}
  return async observed =>
    asInstalled(await render(query, forCluster, requests, installedState(observed, options)), observed)
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
