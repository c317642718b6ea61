import type {ClusterApi, ResourceKind} from '../../cluster/api/cluster-api.js'
import {keyOf} from '../../cluster/api/list.js'
import type {SystemRoles} from '../../cluster/inventory/system-role.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {present} from '../../present.js'
import type {InstallId} from '../../reference/install-id.js'
import {PAGE_SIZE} from '../objects/page-size.js'
import {compactSize} from '../../yaml/exact-json.js'

/** The maximum of the objects of one kind and namespace, in bytes that of the inventories of a namespace. */
const MAX_OBJECTS = 1000
const MAX_BYTES = 8 * 1024 * 1024
/** The namespaces that are left out of a list before it is ended. */
const MAX_FULL = 20

/** The limits of a list of objects that anyone with access to a single namespace can create. */
export interface ListBounds {
  /** Those whose objects are listed in any case, such as those with system roles, which only administrators can create. */
  readonly proven: () => Promise<readonly InstallId[]>
  /** Receives each namespace with more objects than are listed. */
  readonly exceeded: (namespace: string) => void
}

/**
 * Lists objects that are named after their installs. Of a namespace with too many or too large ones, the first are listed,
 * and those of proven installs; other namespaces are listed in full. Throws the errors of the API.
 */
export async function* listBounded(
  api: Pick<ClusterApi, 'list' | 'get'>,
  kind: ResourceKind,
  namespace: string | undefined,
  {proven, exceeded}: ListBounds,
): AsyncIterable<KubernetesObject> {
  const listed = new Set<string>()
  const full = new Set<string>()
  let exceeding: string | undefined
  do {
    exceeding = yield* listUntilFull(
      api.list(kind, {...placed(namespace, full), pageSize: PAGE_SIZE}),
      listed,
    )
    if (exceeding === undefined) break
    full.add(exceeding)
    exceeded(exceeding)
  } while (namespace === undefined && full.size < MAX_FULL)
  if (full.size === 0) return
  const isLeftOut = (place: string) => full.has(place) || full.size >= MAX_FULL
  const leftOut = (await proven())
    .filter(id => (namespace ?? id.namespace) === id.namespace && isLeftOut(id.namespace))
    .filter(id => !listed.has(`${id.namespace}/${id.name}`))
  for (const {namespace: place, name} of leftOut) {
    const object = await api.get({...kind, namespace: place, name})
    if (object !== undefined) yield object
  }
}

/** Servers list by namespace: without those that are full, the others are in the same pages. */
function placed(namespace: string | undefined, full: ReadonlySet<string>) {
  const fieldSelector = [...full].map(place => `metadata.namespace!=${place}`).join(',')
  return present({namespace, fieldSelector: fieldSelector === '' ? undefined : fieldSelector})
}

/** Yields the objects that were not listed before; returns the first namespace that has too many. */
async function* listUntilFull(
  objects: AsyncIterable<KubernetesObject>,
  listed: Set<string>,
): AsyncGenerator<KubernetesObject, string | undefined, undefined> {
  const uses = new Map<string, {readonly count: number; readonly bytes: number}>()
  for await (const object of objects) {
    const {namespace = ''} = object.metadata
    const before = uses.get(namespace) ?? {count: 0, bytes: 0}
    const use = {count: before.count + 1, bytes: before.bytes + compactSize(object)}
    if (use.count > MAX_OBJECTS || use.bytes > MAX_BYTES) return namespace
    uses.set(namespace, use)
    const key = keyOf(object)
    if (listed.has(key)) continue
    listed.add(key)
    yield object
  }
  return undefined
}

/** The installs of system roles. */
export function provenInstalls(roles: SystemRoles): readonly InstallId[] {
  return [...roles.values()].flatMap(role => role.slice(0, 1))
}
