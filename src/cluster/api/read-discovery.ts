import {mapConcurrent} from '../../map-concurrent.js'
import type {JsonValue} from '../../yaml/json-value.js'
import {failureOf} from './cluster-failure.js'
import {aggregatedIn, apiVersionOf, discoveryOf, groupsIn, resourcesIn} from './discovery.js'
import type {ApiResource, Discovery, GroupVersion} from './discovery.js'
import type {Sender} from './sender.js'

const AGGREGATED = ['v2', 'v2beta1']
  .map(version => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',')
const MAX_BYTES = 64 * 1024 * 1024
const CONCURRENT = 8

/** Reads the resources of a server: two requests since Kubernetes 1.26, one per group and version before. */
export async function readDiscovery(sender: Sender): Promise<Discovery> {
  const read = (path: string) => get(sender, path, AGGREGATED)
  const [core, groups] = await Promise.all([read('api'), read('apis')])
  const parts = [
    aggregatedIn(core) ?? (await readEach(sender, [{group: '', version: 'v1'}])),
    aggregatedIn(groups) ?? (await readEach(sender, groupsIn(groups))),
  ]
  return discoveryOf(parts.flat())
}

/** Reads the resources of one group and version; none if it is not served. */
export async function readGroupVersion(
  sender: Sender,
  parent: Pick<ApiResource, 'group' | 'version'>,
): Promise<readonly ApiResource[]> {
  try {
    return resourcesIn(parent, await get(sender, rootOf(parent)))
  } catch (error) {
    if (failureOf(error)?.status === 404) return []
    throw error
  }
}

/** Returns the path of a group and version: `apis/apps/v1`. */
export function rootOf(parent: Pick<ApiResource, 'group' | 'version'>): string {
  const path = apiVersionOf(parent).split('/').map(encodeURIComponent).join('/')
  return `${parent.group === '' ? 'api' : 'apis'}/${path}`
}

async function readEach(
  sender: Sender,
  parents: readonly Pick<ApiResource, 'group' | 'version'>[],
): Promise<readonly GroupVersion[]> {
  const resourcesByGroup = new Map<unknown, readonly ApiResource[]>()
  await mapConcurrent(parents, CONCURRENT, async parent => {
    try {
      resourcesByGroup.set(parent, await readGroupVersion(sender, parent))
    } catch (error) {
      // An aggregated API server that is down, such as that of metrics, must not make all other kinds unavailable.
      if ((failureOf(error)?.status ?? 0) < 500) throw error
    }
  })
  return parents.map(parent => ({...parent, resources: resourcesByGroup.get(parent)}))
}

async function get(sender: Sender, path: string, accept?: string): Promise<JsonValue> {
  const aim = 'read which kinds the cluster serves'
  const {body} = await sender.send({method: 'GET', path, accept, aim, verb: 'get', maxBytes: MAX_BYTES})
  return body
}
