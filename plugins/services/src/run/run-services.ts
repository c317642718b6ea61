import {
  asObject,
  asText,
  type Change,
  type ControllerProcess,
  type KubernetesObject,
  notListed,
  type ObjectCache,
  type Outcome,
  type ResourceKind,
  runController,
  type RunningController,
  watchObjects,
  type WorkQueue,
  workQueue,
} from 'kubectl-crossplane/plugin'
import type {ClaimPorts} from '../claims/claim-ports.js'
import {reconcileClaim} from '../claims/reconcile-claim.js'
import {sharedCredentials} from '../managed/credentials.js'
import {callRunner} from '../managed/external-call.js'
import type {ManagedPorts, Waits} from '../managed/managed-ports.js'
import {reconcileManaged} from '../managed/reconcile-managed.js'
import {isSameKind, kindText} from '../model/kinds.js'
import type {SecretPlace} from '../model/propagation.js'
import {referenceIn} from '../model/references.js'
import type {Service, ServiceProvider} from '../services.js'
import {checkKinds} from './check-kinds.js'
import {SECRETS, Wakers} from './service-watches.js'
import {clusterStore, type Store, type StorePorts} from '../model/store.js'
import {claimKinds, requiredKinds, servicesFor} from './watched-kinds.js'

/** The parts of a runner that do not change. */
export interface ServiceRunner {
  readonly process: Pick<ControllerProcess, 'api' | 'clock' | 'log' | 'metrics'>
  readonly services: readonly Service[]
  readonly waits: Waits
  /** The time limit of a call to an external system, in milliseconds. */
  readonly callLimit: number
  /** The number of objects of a kind that are worked on at a time. */
  readonly workers: number
}

/** The waits and limits of crossplane-runtime. */
export const DEFAULTS = {waits: {short: 30_000, long: 60_000}, callLimit: 60_000, workers: 8}

/** Creates the controllers of some services; watches nothing yet. */
export function serviceRunner(runner: ServiceRunner): RunningController {
  return new Services(runner)
}

/** Makes passes over all claims until none is due soon, or `rounds` of them; returns them as they are then. */
export async function passOverClaims(
  runner: ServiceRunner,
  rounds: number,
): Promise<readonly KubernetesObject[]> {
  return await new Services(runner).runOnce(rounds)
}

interface QueuedKind {
  readonly kind: ResourceKind
  readonly queue: WorkQueue
  readonly reconcile: (object: KubernetesObject) => Promise<Outcome>
}

/** Nothing here reads who manages a field, and that is the largest part of many objects. */
function withoutManagers({metadata, ...object}: KubernetesObject): KubernetesObject {
  const {managedFields: _managers, ...own} = metadata
  return {...object, metadata: own}
}

/** Objects are not judged before all others are listed. */
const NOT_LISTED: Outcome = {result: 'requeue', again: 1000}
const DONE: Outcome = {result: 'success'}
/** What is due later than that is a wait. */
const SOON = 1000

class Services implements RunningController {
  readonly #runner: ServiceRunner
  #caches: readonly ObjectCache[] = []
  #queues: readonly QueuedKind[] = []
  #hasBegun = false

  constructor(runner: ServiceRunner) {
    this.#runner = runner
  }

  notReady(): string | undefined {
    // A replica that waits for the Lease is as ready as it gets.
    return this.#hasBegun ? notListed(this.#caches) : undefined
  }

  async run(signal: AbortSignal): Promise<void> {
    const {process, workers} = this.#runner
    await this.#begin(signal)
    const controllers = this.#queues.map(({kind, queue, reconcile}) => ({
      name: kindText(kind).toLowerCase(),
      queue,
      workers,
      backOff: {first: 1000, longest: this.#runner.waits.short},
      reconcile: async (key: string) => {
        if (!(await this.#isListed())) return NOT_LISTED
        const [name = '', namespace] = key.split('/').reverse()
        const object = this.#cacheOf(kind)?.get(name, namespace)
        return object === undefined ? ({result: 'success'} as const) : await reconcile(object)
      },
    }))
    await Promise.all(controllers.map(controller => runController(controller, process, signal)))
  }

  async runOnce(rounds: number): Promise<readonly KubernetesObject[]> {
    const stop = new AbortController()
    await this.#begin(stop.signal)
    if (!(await this.#isListed())) {
      stop.abort()
      throw this.#caches.find(({failure}) => failure !== undefined)?.failure ?? new Error(this.notReady())
    }
    try {
      for (let round = 0; round < rounds; round++) if (!(await this.#passOverAll())) break
      return claimKinds(this.#runner.services).flatMap(kind => this.#cacheOf(kind)?.list() ?? [])
    } finally {
      stop.abort()
    }
  }

  /** Returns whether another pass is due soon. */
  async #passOverAll(): Promise<boolean> {
    let isDue = false
    for (const {kind, reconcile} of this.#queues) {
      for (const {metadata} of this.#cacheOf(kind)?.list() ?? []) {
        const object = this.#cacheOf(kind)?.get(metadata.name, metadata.namespace)
        const {result, again = Infinity} = object === undefined ? DONE : await reconcile(object)
        isDue ||= result !== 'error' && again < SOON
      }
    }
    return isDue
  }

  async #isListed(): Promise<boolean> {
    if (this.#caches.every(({isSynced}) => isSynced)) return true
    await Promise.all(this.#caches.map(({settled}) => settled))
    return this.#caches.every(({isSynced}) => isSynced)
  }

  async #begin(signal: AbortSignal): Promise<void> {
    const {process, services} = this.#runner
    await checkKinds(services, process.api)
    const wake = new Wakers(services, kind => this.#cacheOf(kind), {
      add: (kind, name, namespace) => this.#add(kind, name, namespace),
    })
    this.#queues = [...this.#claimQueues(), ...this.#managedQueues(wake, signal)]
    this.#caches = this.#watch(wake, signal)
    this.#hasBegun = true
  }

  #watch(wake: Wakers, signal: AbortSignal): readonly ObjectCache[] {
    const {process, services} = this.#runner
    const isOne = (kinds: readonly (ResourceKind | undefined)[], kind: ResourceKind) =>
      kinds.some(other => other !== undefined && isSameKind(other, kind))
    const changed = (kind: ResourceKind) => (change: Change) => {
      if (isOne(claimKinds(services), kind)) wake.claim(change)
      else if (
        isOne(
          services.map(({managed}) => managed),
          kind,
        )
      )
        wake.managed(change)
      else if (
        isOne(
          services.map(service => service.class),
          kind,
        )
      )
        wake.class(change)
      else wake.provider(change)
    }
    const watched = requiredKinds(services).map(kind => ({kind, changed: changed(kind)}))
    return [...watched, {...SECRETS, changed: (change: Change) => wake.secret(change)}].map(each =>
      watchObjects({...each, kept: withoutManagers}, process, signal),
    )
  }

  #claimQueues(): readonly QueuedKind[] {
    const {process, services, waits} = this.#runner
    const store = this.#store({created: object => this.#add(object, object.metadata.name)})
    return claimKinds(services).map(kind => {
      const random = () => process.clock.random()
      const ports: ClaimPorts = {store, services: servicesFor(kind, services), wait: waits.short, random}
      const reconcile = (claim: KubernetesObject) => reconcileClaim(claim, ports)
      return {kind, queue: workQueue(process.clock), reconcile}
    })
  }

  #managedQueues(wake: Wakers, signal: AbortSignal): readonly QueuedKind[] {
    const {process, services, waits, callLimit} = this.#runner
    const call = callRunner({clock: process.clock, signal, limit: callLimit})
    // The claim of a managed resource, or of its secret, may wait for what was written.
    const store = this.#store({changed: object => wake.claimsOf(object)})
    const credentials = sharedCredentials({read: place => store.read(place), clock: process.clock})
    const portsOf = (provider: ServiceProvider): ManagedPorts => ({
      store,
      credentials,
      provider,
      waits,
      call,
      random: () => process.clock.random(),
      deleted: new Set(),
      claimSecretOf: managed => this.#claimSecretOf(managed),
    })
    return services.flatMap(({managed: kind, provider}): QueuedKind[] => {
      if (provider === undefined) return []
      const ports = portsOf(provider)
      const reconcile = (managed: KubernetesObject) => reconcileManaged(managed, ports)
      return [{kind, queue: workQueue(process.clock), reconcile}]
    })
  }

  #store(hooks: Pick<StorePorts, 'created' | 'changed'>): Store {
    return clusterStore({...this.#runner.process, caches: () => this.#caches, ...hooks})
  }

  #claimSecretOf(managed: KubernetesObject): SecretPlace | undefined {
    if (asObject(managed.status).bindingPhase !== 'Bound') return undefined
    const reference = referenceIn(asObject(managed.spec).claimRef)
    if (reference === undefined) return undefined
    const kind = {apiVersion: asText(reference.apiVersion), kind: asText(reference.kind)}
    const namespace = asText(reference.namespace)
    const claim = this.#cacheOf(kind)?.get(asText(reference.name), namespace)
    const name = asText(asObject(asObject(claim?.spec).writeConnectionSecretToRef).name)
    return name === '' || claim?.metadata.uid !== reference.uid ? undefined : {namespace, name}
  }

  #cacheOf(kind: ResourceKind): ObjectCache | undefined {
    return this.#caches.find(cache => isSameKind(cache.kind, kind))
  }

  #add(kind: ResourceKind, name: string, namespace = ''): void {
    const isClaim = claimKinds(this.#runner.services).some(each => isSameKind(each, kind))
    const queue = this.#queues.find(each => isSameKind(each.kind, kind))?.queue
    queue?.add(isClaim ? `${namespace}/${name}` : name)
  }
}
