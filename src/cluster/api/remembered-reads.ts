import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {compactSize} from '../../yaml/exact-json.js'
import {nameOf} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import type {ClusterApi, GetOptions, ListOptions, ResourceKind} from './cluster-api.js'
import {groupVersionOf} from './discovery.js'

/** A client that reads each object and list once. */
export interface RememberedReads {
  readonly api: ClusterApi
  /**
   * Does work that reads everything from the server, and forgets what was read before it. After it, the client remembers the
   * objects that it wrote, as the server returned them, without those that have a status: the cluster changes that by itself.
   */
  readonly afresh: <T>(work: () => Promise<T>) => Promise<T>
}

/**
 * Creates a client that remembers what it reads, and which groups are not served, until it writes; a dry run is no write.
 * For a short time, such as a pass of a controller that is woken by changes.
 */
export function rememberedReads(server: ClusterApi): RememberedReads {
  let memory = new Memory()
  const answers = new Map<string, KubernetesObject>()
  const forgetting = async <T>(name: ObjectName, write: Promise<T>): Promise<T> => {
    answers.delete(keyOf(name))
    return await write.finally(() => {
      memory = new Memory(memory.isClosed)
    })
  }
  return {
    api: {
      ...server,
      ...remembering(server, () => memory),
      apply: async (object, options) => {
        if (options.dryRun === true) return await server.apply(object, options)
        const applied = await forgetting(nameOf(object), server.apply(object, options))
        const isWhole = options.metadataOnly !== true && applied.object.status === undefined
        if (memory.isClosed && isWhole) answers.set(keyOf(nameOf(object)), applied.object)
        return applied
      },
      create: async (...change) => await forgetting(nameOf(change[0]), server.create(...change)),
      update: async (...change) => await forgetting(nameOf(change[0]), server.update(...change)),
      mergePatch: async (...change) => await forgetting(change[0], server.mergePatch(...change)),
      delete: async (...change) => await forgetting(change[0], server.delete(...change)),
    },
    afresh: async work => {
      memory = new Memory(true)
      return await work().finally(() => {
        memory = new Memory()
        for (const [key, object] of answers) memory.add(key, [object])
        answers.clear()
      })
    },
  }
}

/** The reads of a client. What is read while a memory is replaced belongs to the one before. */
function remembering(
  server: ClusterApi,
  memoryNow: () => Memory,
): Pick<ClusterApi, 'get' | 'list' | 'resource'> {
  const resource: ClusterApi['resource'] = async (kind, fresh = false) => {
    const memory = memoryNow()
    if (!fresh && memory.isUnserved(kind.apiVersion)) return undefined
    const served = await server.resource(kind, fresh)
    if (served === undefined && !(await isGroupServed(kind.apiVersion, server)))
      memory.addUnserved(kind.apiVersion)
    return served
  }
  return {
    resource,
    get: async (name, options) => {
      const memory = memoryNow()
      const key = keyOf(name, options)
      const before = memory.find(key)
      if (before !== undefined) return before[0]
      if ((await resource(name)) === undefined) return undefined
      const object = await server.get(name, options)
      memory.add(key, object === undefined ? [] : [object])
      return object
    },
    list: async function* (kind, options) {
      const memory = memoryNow()
      const before = memory.find(listKey(kind, options)) ?? placedIn(memory, kind, options)
      if (before !== undefined) return yield* before
      if (options?.mustBeServed !== true && (await resource(kind)) === undefined) return
      yield* memory.recorded(listKey(kind, options), server.list(kind, options))
    },
  }
}

function keyOf({apiVersion, kind, namespace, name}: ObjectName, options?: GetOptions): string {
  return JSON.stringify(['get', apiVersion, kind, namespace, name, options])
}

function listKey({apiVersion, kind}: ResourceKind, options: ListOptions = {}): string {
  const {namespace, ...others} = options
  return JSON.stringify(['list', apiVersion, kind, namespace ?? '', others])
}

/** The objects of a namespace in a list of all; those of the cluster have none. */
function placedIn(memory: Memory, kind: ResourceKind, {namespace, ...others}: ListOptions = {}) {
  if (namespace === undefined) return undefined
  return memory
    .find(listKey(kind, others))
    ?.filter(({metadata}) => (metadata.namespace ?? namespace) === namespace)
}

async function isGroupServed(apiVersion: string, server: ClusterApi): Promise<boolean> {
  const {group, version} = groupVersionOf(apiVersion)
  return (await server.discover()).versions(group).includes(version)
}

/** In bytes: anyone can create large objects, and several passes remember at a time. */
const MAX_BYTES = 8 * 1024 * 1024

/** What was read, up to a size; what exceeds it is read again. */
class Memory {
  /** Whether it takes nothing. */
  readonly isClosed: boolean
  readonly #unserved = new Set<string>()
  readonly #objects = new Map<string, readonly KubernetesObject[]>()
  #bytes = 0

  constructor(isClosed = false) {
    this.isClosed = isClosed
  }

  isUnserved(apiVersion: string): boolean {
    return this.#unserved.has(apiVersion)
  }

  addUnserved(apiVersion: string): void {
    if (!this.isClosed) this.#unserved.add(apiVersion)
  }

  find(key: string): readonly KubernetesObject[] | undefined {
    return this.#objects.get(key)
  }

  add(key: string, objects: readonly KubernetesObject[]): void {
    if (!this.isClosed && objects.every(object => this.#fits(object))) this.#objects.set(key, objects)
  }

  /** A list that is not read to its end is not remembered. */
  async *recorded(
    key: string,
    objects: AsyncIterable<KubernetesObject>,
  ): AsyncGenerator<KubernetesObject, void, undefined> {
    let all: KubernetesObject[] | undefined = this.isClosed ? undefined : []
    for await (const object of objects) {
      if (all !== undefined && this.#fits(object)) all.push(object)
      else all = undefined
      yield object
    }
    if (all !== undefined) this.#objects.set(key, all)
  }

  #fits(object: KubernetesObject): boolean {
    if (this.#bytes > MAX_BYTES) return false
    this.#bytes += compactSize(object)
    return this.#bytes <= MAX_BYTES
  }
}
