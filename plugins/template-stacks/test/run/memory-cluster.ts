import {
  asObject,
  asText,
  asTexts,
  type JsonObject,
  type KubernetesObject,
  nameOf,
  objectKey,
  objectText,
} from 'kubectl-crossplane/plugin'
import type {Engine} from '../../src/engines/engine.js'
import {childrenIn} from '../../src/run/child-inventory.js'
import type {Memory, PassPorts, StackState} from '../../src/run/pass.js'
import {reconcileResource} from '../../src/run/reconcile-resource.js'
import {stackOf} from '../../src/run/stack.js'
import type {Writes} from '../../src/run/writes.js'

/** A failure that ends a pass as the end of the process does: nothing after it happens. */
export class Stopped extends Error {}

export const PARENT: KubernetesObject = {
  apiVersion: 'demo.example.org/v1',
  kind: 'Demo',
  metadata: {name: 'd1', namespace: 'team', uid: 'parent', generation: 1, resourceVersion: '1'},
}

/** The objects of a cluster in memory, of which one is the custom resource of a stack. */
export class MemoryCluster {
  readonly objects = new Map<string, KubernetesObject>()
  /** What was written, in order. */
  readonly log: string[] = []
  /** The texts that templates make; an error if they fail. */
  rendered: readonly KubernetesObject[] | Error = []
  /** Stops before this number of writes. */
  writesLeft = Infinity
  /** Objects that stay when they are deleted. */
  readonly stuck = new Set<string>()
  memory: Memory = new Map()
  problem: {readonly reason: string; readonly message: string} | undefined
  #versions = 1

  constructor() {
    this.set(PARENT)
  }

  set(object: KubernetesObject): void {
    this.objects.set(objectKey(nameOf(object)), object)
  }

  get(object: KubernetesObject): KubernetesObject | undefined {
    return this.objects.get(objectKey(nameOf(object)))
  }

  get parent(): KubernetesObject | undefined {
    return this.get(PARENT)
  }

  /** The names of the objects beside the custom resource and the records. */
  names(): readonly string[] {
    return [...this.objects.values()]
      .filter(object => object !== this.parent && childrenOf(object).length === 0)
      .map(object => objectText(nameOf(object)))
      .sort()
  }

  /** Makes one pass, and returns what it wrote. */
  async pass(): Promise<readonly string[]> {
    const {parent} = this
    if (parent === undefined) return []
    const before = this.log.length
    await reconcileResource(parent, this.#state(), this.#ports())
    return this.log.slice(before)
  }

  #state(): StackState {
    const stack = stackOf(
      {
        apiVersion: 'v1',
        kind: 'Definition',
        metadata: {name: 'demo', namespace: 'runners'},
        spec: {
          behavior: {
            crd: {apiVersion: PARENT.apiVersion, kind: PARENT.kind},
            engine: {type: 'kustomize', kustomize: {overlays: []}},
            source: {path: 'files', files: {'kustomization.yaml': ''}},
          },
          permissionScope: 'Cluster',
        },
      },
      {
        capabilities: {},
        scopeOf: (_group, kind) => (kind.startsWith('Cluster') ? 'Cluster' : 'Namespaced'),
      },
    )
    return this.problem === undefined ? {stack} : {stack, problem: this.problem}
  }

  #ports(): PassPorts {
    const engine = {
      render: () =>
        this.rendered instanceof Error
          ? Promise.reject(this.rendered)
          : Promise.resolve({
              engine: 'kustomize',
              text: this.rendered.map(object => JSON.stringify(object)).join('\n---\n'),
            }),
    } as unknown as Engine
    return {
      children: {
        find: name => Promise.resolve(this.objects.get(objectKey(name))),
        put: () => undefined,
      },
      writes: this.#writes(),
      engine,
      inventory: name => Promise.resolve(this.objects.get(objectKey(name))),
      findKinds: () => Promise.resolve(false),
      hasStatus: () => Promise.resolve(true),
      seen: () => undefined,
      reported: () => undefined,
      memory: this.memory,
      now: () => '2026-01-01T00:00:00Z',
    }
  }

  #writes(): Writes {
    const written = (text: string, change: () => KubernetesObject) => {
      if (this.writesLeft-- <= 0) throw new Stopped()
      this.log.push(text)
      return Promise.resolve(change())
    }
    const store = (object: KubernetesObject): KubernetesObject => {
      const before = this.get(object)
      const version = {
        uid: asText(before?.metadata.uid) || `uid-${this.#versions}`,
        resourceVersion: `${++this.#versions}`,
      }
      const stored = {...object, metadata: {...object.metadata, ...version}}
      this.set(stored)
      return stored
    }
    return {
      apply: async object =>
        await written(`apply ${object.metadata.name}`, () => {
          const managedFields = [{manager: 'crossplane-templates:runners/demo', operation: 'Apply'}]
          return store({...object, metadata: {...object.metadata, managedFields}})
        }),
      keep: () => undefined,
      remove: async live => {
        await written(`delete ${live.metadata.name}`, () => {
          if (this.stuck.has(live.metadata.name)) {
            return store({...live, metadata: {...live.metadata, deletionTimestamp: 'now'}})
          }
          this.objects.delete(objectKey(nameOf(live)))
          return live
        })
      },
      record: async (map, isNeeded) =>
        await written(isNeeded ? `record ${childrenOf(map).join(' ')}` : 'remove record', () => {
          if (isNeeded) return store(map)
          this.objects.delete(objectKey(nameOf(map)))
          return map
        }),
      patch: async (resource, {metadata}) =>
        await written(`finalizers ${asTexts(asObject(metadata).finalizers).join(' ') || 'none'}`, () => {
          const changed: KubernetesObject = store({
            ...resource,
            metadata: {...resource.metadata, ...asObject(metadata)},
          })
          const isGone =
            changed.metadata.deletionTimestamp !== undefined && isEmpty(changed.metadata.finalizers)
          if (isGone) this.objects.delete(objectKey(nameOf(changed)))
          return changed
        }),
      patchStatus: async (resource, status) =>
        await written(`status ${reasonIn(status)}`, () =>
          store({...resource, status: {...asObject(resource.status), ...status}}),
        ),
      event: async (object, type, reason) => {
        await written(`event ${type} ${reason}`, () => object)
      },
    }
  }
}

function isEmpty(finalizers: unknown): boolean {
  return Array.isArray(finalizers) && finalizers.length === 0
}

function childrenOf(map: KubernetesObject): readonly string[] {
  return childrenIn(map).map(({name, uid}) => (uid === undefined ? name : `${name}!`))
}

function reasonIn({conditions}: JsonObject): string {
  return asText(asObject((conditions as readonly JsonObject[])[0]).reason)
}
