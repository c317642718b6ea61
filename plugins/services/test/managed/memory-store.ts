import {
  type JsonObject,
  type KubernetesObject,
  mergePatched,
  nameOf,
  objectKey,
  type ObjectName,
} from 'kubectl-crossplane/plugin'
import {conflictError} from '../../../../test/cluster/api/conflict-error.js'
import type {EventText, Store} from '../../src/model/store.js'

/** The objects of a cluster in memory. Writes need the version that was read, as those to an API server. */
export class MemoryStore implements Store {
  readonly events: string[] = []
  /** The patches of all but the status. */
  readonly patches: JsonObject[] = []
  readonly #objects = new Map<string, KubernetesObject>()
  #version = 0

  constructor(objects: readonly KubernetesObject[]) {
    for (const object of objects) this.put(object)
  }

  /** Stores an object as a new version of it. */
  put(object: KubernetesObject): KubernetesObject {
    const resourceVersion = String(++this.#version)
    const {namespace, name} = object.metadata
    const uid = `${namespace ?? ''}/${name}`
    const stored = {...object, metadata: {uid, ...object.metadata, resourceVersion}}
    this.#objects.set(objectKey(nameOf(object)), stored)
    return stored
  }

  /** Returns an object that exists. */
  stored(name: ObjectName): KubernetesObject {
    const object = this.#objects.get(objectKey(name))
    if (object === undefined) throw new Error(`${name.kind} ${name.name} does not exist`)
    return object
  }

  list(): readonly KubernetesObject[] {
    return [...this.#objects.values()]
  }

  get(name: ObjectName): Promise<KubernetesObject | undefined> {
    return Promise.resolve(this.#objects.get(objectKey(name)))
  }

  read(name: ObjectName): Promise<KubernetesObject | undefined> {
    return this.get(name)
  }

  create(object: KubernetesObject): Promise<KubernetesObject | 'exists'> {
    const exists = this.#objects.has(objectKey(nameOf(object)))
    return Promise.resolve(exists ? 'exists' : this.put(object))
  }

  wouldCreate(object: KubernetesObject): Promise<KubernetesObject> {
    return Promise.resolve(object)
  }

  patch(object: KubernetesObject, patch: JsonObject): Promise<KubernetesObject> {
    this.patches.push(patch)
    return this.#change(object, patch)
  }

  patchStatus(object: KubernetesObject, status: JsonObject): Promise<KubernetesObject> {
    return this.#change(object, {status})
  }

  delete(object: KubernetesObject): Promise<void> {
    this.#objects.delete(objectKey(nameOf(object)))
    return Promise.resolve()
  }

  event(_object: KubernetesObject, {reason, message}: EventText): Promise<void> {
    this.events.push(`${reason}: ${message}`)
    return Promise.resolve()
  }

  now(): string {
    return '2026-01-01T00:00:00Z'
  }

  #change(object: KubernetesObject, patch: JsonObject): Promise<KubernetesObject> {
    const last = this.#objects.get(objectKey(nameOf(object)))
    if (last?.metadata.resourceVersion !== object.metadata.resourceVersion)
      return Promise.reject(conflictError(`cannot patch ${object.metadata.name}: it changed`))
    return Promise.resolve(this.put(mergePatched(last, patch) as KubernetesObject))
  }
}
