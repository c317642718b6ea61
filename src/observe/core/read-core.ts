import type {ClusterApi, ResourceKind} from '../../cluster/api/cluster-api.js'
import type {Discovery} from '../../cluster/api/discovery.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {
  CORE_LOCK,
  type CoreRequest,
  type CoreRevision,
  type CoreState,
  REQUEST_KINDS,
  type RequestKind,
} from '../../plan/cluster/state/core-state.js'
import {coreLock, coreRequest, coreRevision} from '../../plan/cluster/core/read-core-object.js'
import {compareText} from '../../reference/compare-text.js'

const GROUP = 'pkg.crossplane.io'
/** Functions were v1beta1 before Crossplane 1.17. */
const VERSIONS = ['v1', 'v1beta1']

/**
 * Reads the requests, revisions and Lock of a core; undefined for a cluster without the package manager of a current
 * Crossplane. Throws the errors of the API.
 */
export async function readCore(
  api: Pick<ClusterApi, 'list' | 'get' | 'discover'>,
): Promise<CoreState | undefined> {
  const discovery = await api.discover()
  if (!servesPackages(discovery)) return undefined
  const [requests, revisions, lock] = await Promise.all([
    readAll({api, discovery}, kind => kind, coreRequest),
    readAll({api, discovery}, kind => `${kind}Revision`, coreRevision),
    api.get(CORE_LOCK),
  ])
  return {requests: sorted(requests), revisions: sorted(revisions), lock: coreLock(lock)}
}

/** Reports whether a cluster has the package manager of a current Crossplane. */
export function servesPackages(discovery: Discovery): boolean {
  return servedKind('Provider', discovery) !== undefined
}

/** Reads the ImageConfigs of a core; none for one that has no such kind. Throws the errors of the API. */
export async function readImageConfigs(api: Pick<ClusterApi, 'list'>): Promise<readonly KubernetesObject[]> {
  const all: KubernetesObject[] = []
  for await (const object of api.list({apiVersion: `${GROUP}/v1beta1`, kind: 'ImageConfig'})) all.push(object)
  return all
}

interface Reader {
  readonly api: Pick<ClusterApi, 'list'>
  readonly discovery: Discovery
}

async function readAll<Read>(
  {api, discovery}: Reader,
  nameOf: (kind: RequestKind) => string,
  read: (kind: RequestKind, object: KubernetesObject) => Read,
): Promise<readonly Read[]> {
  const all: Read[] = []
  for (const kind of REQUEST_KINDS) {
    const served = servedKind(nameOf(kind), discovery)
    if (served === undefined) continue
    for await (const object of api.list(served)) all.push(read(kind, object))
  }
  return all
}

function servedKind(kind: string, discovery: Discovery): ResourceKind | undefined {
  const served = VERSIONS.map(version => ({apiVersion: `${GROUP}/${version}`, kind}))
  return served.find(({apiVersion}) => discovery.find(apiVersion, kind) !== undefined)
}

function sorted<T extends CoreRequest | CoreRevision>(all: readonly T[]): readonly T[] {
  const place = ({kind}: T) => REQUEST_KINDS.indexOf(kind)
  return [...all].sort((a, b) => place(a) - place(b) || compareText(a.name, b.name))
}
