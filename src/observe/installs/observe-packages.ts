import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {ApiResource, Discovery} from '../../cluster/api/discovery.js'
import type {ClusterSnapshot} from '../../plan/cluster/state/cluster-snapshot.js'
import type {EraName} from '../../reference/era-name.js'
import {ERAS} from '../../render/era.js'
import type {InstallId} from '../../reference/install-id.js'
import {type ObservedParameters, observedParameters} from '../../render/observed-parameters.js'
import {requestKind} from '../../render/request.js'
import type {Fact} from '../../resolve/facts.js'
import {asObject, asText} from '../../yaml/json-value.js'
import type {PermissionScope} from '../../unpack/package.js'
import {compareText} from '../../reference/compare-text.js'
import {listBounded, provenInstalls} from './list-bounded.js'
import {type ReadInventories, readInventories} from './read-inventories.js'
import {observeManagers, type Observer} from './running-managers.js'

/** The packages of a cluster, and the kinds that it serves. */
export interface ObservedPackages extends ReadInventories, Pick<ClusterSnapshot, 'managers' | 'ownManager'> {
  readonly requests: readonly ObservedRequest[]
  /** The namespaces with more requests than were read. */
  readonly crowded: readonly string[]
  /** The Deployments that only have the name of a package manager, as NAMESPACE/NAME. */
  readonly impostors: readonly string[]
  readonly served: readonly Fact[]
}

/** A request object as its author wrote it. */
export interface ObservedRequest extends InstallId {
  readonly era: EraName
  readonly scope: PermissionScope
  /** Untrusted text. */
  readonly package: string
  readonly parameters: ObservedParameters
}

/** For the package manager, only what is installed decides about others: it processes each request by itself. */
const NO_REQUESTS: Pick<ObservedPackages, 'requests' | 'crowded'> = {requests: [], crowded: []}

/** Reads the packages of a cluster; changes nothing. Throws the errors of the API. */
export async function observePackages(api: ClusterApi, observer: Observer = {}): Promise<ObservedPackages> {
  const discovery = await api.discover()
  const reading = readInventories(api)
  const [inventories, read, running] = await Promise.all([
    reading,
    observer.asManager === true
      ? NO_REQUESTS
      : readRequests(api, async () => provenInstalls((await reading).roles)),
    observeManagers(api, observer),
  ])
  return {...inventories, ...running, ...read, served: servedKinds(discovery.resources)}
}

/** Returns the facts about the packages of a cluster that are known without reading any of its objects. */
export function servedPackages({resources}: Discovery): ObservedPackages {
  const nothing = {inventories: [], unreadable: [], ignored: [], roles: new Map()}
  return {
    ...nothing,
    managers: new Map(),
    impostors: [],
    requests: [],
    crowded: [],
    served: servedKinds(resources),
  }
}

async function readRequests(
  api: ClusterApi,
  proven: () => Promise<readonly InstallId[]>,
): Promise<Pick<ObservedPackages, 'requests' | 'crowded'>> {
  const crowded = new Set<string>()
  const bounds = {proven, exceeded: (place: string) => crowded.add(place)}
  const requests: ObservedRequest[] = []
  for (const era of Object.values(ERAS)) {
    for (const scope of ['Cluster', 'Namespaced'] as const) {
      const kind = {apiVersion: era.apiVersion, kind: requestKind(era, scope)}
      if ((await api.resource(kind)) === undefined) continue
      for await (const {metadata, spec} of listBounded(api, kind, undefined, bounds)) {
        requests.push({
          namespace: asText(metadata.namespace),
          name: metadata.name,
          era: era.name,
          scope,
          package: asText(asObject(spec).package),
          parameters: observedParameters(spec),
        })
      }
    }
  }
  return {requests, crowded: [...crowded].sort(compareText)}
}

/**
 * Returns the served resources, as one fact for all versions of each. For a CRD that is being deleted, the server does
 * not offer creation, so no package can rely on it.
 */
function servedKinds(resources: readonly ApiResource[]): readonly Fact[] {
  const facts = new Map<string, Fact>()
  for (const {group, version, plural, kind, verbs} of resources) {
    if (!verbs.includes('create')) continue
    const key = `${plural}.${group}`
    const served = [...(facts.get(key)?.served ?? []), version]
    facts.set(key, {origin: 'cluster', group, plural, kind, served})
  }
  return [...facts.values()]
}
