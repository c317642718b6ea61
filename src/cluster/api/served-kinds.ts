import type {ClusterApi} from './cluster-api.js'
import {groupVersionOf} from './discovery.js'
import type {ApiResource, Discovery} from './discovery.js'
import {readDiscovery, readGroupVersion} from './read-discovery.js'
import type {Sender} from './sender.js'

/** The resources of kinds, read once. */
export interface ServedKinds {
  readonly discover: ClusterApi['discover']
  readonly find: ClusterApi['resource']
}

/**
 * Remembers what a server serves. A kind that is unknown is looked up in its own group and version: the list of all of
 * them lags behind new CRDs.
 */
export function servedKinds(sender: Sender): ServedKinds {
  let discovered: Promise<Discovery> | undefined
  const later = new Map<string, ApiResource>()
  const discover = (refresh = false) => {
    if (refresh) later.clear()
    if (discovered !== undefined && !refresh) return discovered
    const reading = readDiscovery(sender)
    discovered = reading
    reading.catch(() => {
      if (discovered === reading) discovered = undefined
    })
    return reading
  }
  const lookUp = async (apiVersion: string, kind: string) => {
    const resources = await readGroupVersion(sender, groupVersionOf(apiVersion))
    for (const resource of resources) later.set(`${apiVersion} ${resource.kind}`, resource)
    return resources.find(resource => resource.kind === kind)
  }
  const find: ServedKinds['find'] = async ({apiVersion, kind}, fresh = false) => {
    if (fresh) return lookUp(apiVersion, kind)
    const discovery = await discover()
    return discovery.find(apiVersion, kind) ?? later.get(`${apiVersion} ${kind}`) ?? lookUp(apiVersion, kind)
  }
  return {discover, find}
}
