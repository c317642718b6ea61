import {
  asObject,
  asText,
  type Change,
  type InstallId,
  jsonEqual,
  type KubernetesObject,
  MANAGED_ROLES,
  notListed,
  type ObjectCache,
  type Outcome,
  POLICY_MAP,
  type ResourceKind,
  runController,
  type RunningController,
  watchObjects,
  workQueue,
} from 'kubectl-crossplane/plugin'
import {applyPersonas} from './personas.js'
import {textOf} from './dependencies.js'
import {type Manager, NOT_SERVED, passPorts, servedKinds} from './pass-ports-of.js'
import {allMustPass, Changes, mustPass, untilOwnPass} from './joint-state.js'
import type {PassPorts} from './pass-ports.js'
import {reconcileRequest} from './reconcile-request.js'
import {requestCounts} from './request-counts.js'
import {claimsOf, concernedLabels, ifByHand, labelsAlone, withoutManagers} from './watched-parts.js'
import {idOf, isByHandBeside, isRecord, type KnownRequests, knownRequests} from './written-records.js'
import {
  isRequestCrd,
  erasOf,
  keyOfKind,
  mayName,
  isChanged,
  isEdited,
  statesOf,
  keyOf,
  namespaceIn,
} from './watched-changes.js'

/** The name of the controller in metrics and log. */
const CONTROLLER = 'manager'

/** A registry that does not respond must not stop the requests of others. */
const WORKERS = 4

/** Neither must several of one namespace. */
const PER_NAMESPACE = WORKERS - 1

/** What changes the objects of one install comes in bursts. */
const PAUSE = 500

/** The kinds of the objects of an install, besides records and CRDs. */
const OWNED = [
  {apiVersion: 'apps/v1', kind: 'Deployment'},
  {apiVersion: 'v1', kind: 'ServiceAccount'},
  ...['ClusterRole', 'ClusterRoleBinding', 'RoleBinding'].map(kind => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
  })),
]

/** Creates the manager of a cluster; watches nothing yet. */
export function requestManager(manager: Manager): RunningController {
  return new RequestManager(manager)
}

class RequestManager implements RunningController {
  readonly #manager: Manager
  readonly #queue
  readonly #changes = new Changes()
  #requests: readonly ObjectCache[] = []
  #records: readonly ObjectCache[] = []
  #ports: PassPorts | undefined
  #namespaces: ObjectCache | undefined
  #cached: KnownRequests | undefined
  /** What else is watched: its first lists look like changes, and end what was found before. */
  readonly #others: ObjectCache[] = []
  /** The kinds that are watched for their requests and records. */
  readonly #watched = new Set<string>()
  /** The installs that requests wait for, by the keys of these. */
  readonly #waiting = new Map<string, ReadonlySet<string>>()

  constructor(manager: Manager) {
    this.#manager = manager
    this.#queue = workQueue(manager.process.clock, namespaceIn, PER_NAMESPACE)
  }

  notReady(): string | undefined {
    // A replica that waits for the Lease is as ready as it gets.
    if (this.#ports === undefined) return undefined
    if (this.#requests.length === 0) return NOT_SERVED
    return notListed([...this.#requests, ...this.#records])
  }

  async run(signal: AbortSignal): Promise<void> {
    const {process} = this.#manager
    process.requestMetrics.requests(() => requestCounts(this.#all()))
    const ports = passPorts(this.#manager, signal, {
      wake: id => this.#wake(id),
      waits: (request, installs) => this.#waiting.set(keyOf(request), new Set(installs)),
      ...this.#changes.fromNow(),
    })
    this.#ports = {
      ...ports,
      requests: async () => Promise.resolve(this.#requestObjects()),
    }
    await this.#watch(signal)
    const controller = {
      name: CONTROLLER,
      queue: this.#queue,
      workers: WORKERS,
      reconcile: (key: string) => this.#reconcile(key),
    }
    await runController(controller, process, signal)
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const {process, systemNamespace} = this.#manager
    await this.#watchRequests(signal)
    if (this.#requests.length === 0) process.log({level: 'warning', message: NOT_SERVED})
    for (const kind of OWNED) this.#watchOwned(kind, signal)
    const crds = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'}
    const changed = (change: Change) => {
      this.#crdChanged(change)
      if (isRequestCrd(change)) this.#watchRequests(signal).catch((error: unknown) => this.#failed(error))
    }
    this.#watchOther({kind: crds, metadataOnly: true, kept: claimsOf, changed}, signal)
    this.#namespaces = watchObjects(
      {
        kind: NAMESPACE,
        labelSelector: `${MANAGED_ROLES}=true`,
        changed: ({before, after}) =>
          this.#queue.add(`${NAMESPACE_KEY}${(after ?? before)?.metadata.name ?? ''}`),
      },
      process,
      signal,
    )
    const policy = {namespace: systemNamespace, fieldSelector: `metadata.name=${POLICY_MAP}`}
    const kind = {apiVersion: 'v1', kind: 'ConfigMap'}
    this.#watchOther({kind, ...policy, changed: () => this.#queueAll()}, signal)
  }

  #watchOther(watched: Parameters<typeof watchObjects>[0], signal: AbortSignal): void {
    this.#others.push(watchObjects(watched, this.#manager.process, signal))
  }

  /** Watches the requests and records of the eras that are served, and that were not before. */
  async #watchRequests(signal: AbortSignal): Promise<void> {
    const {process} = this.#manager
    const served = await servedKinds(process.api)
    const added = served.filter(kind => !this.#watched.has(keyOfKind(kind)))
    for (const kind of added) this.#watched.add(keyOfKind(kind))
    const changed = (change: Change) => this.#requestChanged(change)
    const kept = withoutManagers
    this.#requests = [
      ...this.#requests,
      ...added.map(kind => watchObjects({kind, changed, kept}, process, signal)),
    ]
    for (const {apiVersion, kinds} of erasOf(added)) {
      const recordChange = (change: Change) => this.#recordChanged(change)
      const kind = {apiVersion, kind: kinds.record}
      if (this.#watched.has(keyOfKind(kind))) continue
      this.#watched.add(keyOfKind(kind))
      const watched = {kind, changed: recordChange, kept: ifByHand}
      this.#records = [...this.#records, watchObjects(watched, process, signal)]
      this.#watchOwned({apiVersion, kind: kinds.definition}, signal)
    }
  }

  #watchOwned(kind: ResourceKind, signal: AbortSignal): void {
    if (this.#watched.has(keyOfKind(kind))) return
    this.#watched.add(keyOfKind(kind))
    const changed = (change: Change) => this.#ownedChanged(change)
    const labelSelector = 'core.crossplane.io/parent-kind'
    const options = {metadataOnly: true, kept: labelsAlone}
    this.#watchOther({kind, labelSelector, changed, ...options}, signal)
  }

  /** A record that a user wrote is like a request; one of a request is an object of its install. */
  #recordChanged(change: Change): void {
    const {before, after} = change
    const isRequested = ({namespace, name}: InstallId) =>
      this.#requests.some(each => each.get(name, namespace) !== undefined)
    const isByHand = (object?: KubernetesObject) =>
      object !== undefined && isByHandBeside(object, isRequested)
    if (isByHand(before) || isByHand(after)) this.#cached = undefined
    if (isByHand(after ?? before)) this.#requestChanged(change)
    else this.#ownedChanged(change)
  }

  #requestChanged({before, after}: Change): void {
    this.#cached = undefined
    const object = after ?? before
    if (object === undefined) return
    if (after === undefined) {
      this.#ports?.written.delete(asText(object.metadata.uid))
      this.#ports?.joint.delete(asText(object.metadata.uid))
      this.#waiting.delete(keyOf(object))
    }
    if (!jsonEqual(statesOf(before), statesOf(after))) this.#wakeWaiting(textOf(idOf(object)))
    if (!isChanged(before, after)) return
    this.#mustPass(object, isEdited(before, after))
    if (after === undefined) this.#changes.forget(asText(object.metadata.uid))
    this.#queue.add(keyOf(object))
  }

  #mustPass(request: KubernetesObject, isEdit = false): void {
    this.#changes.note(asText(request.metadata.uid), isEdit)
    if (this.#ports !== undefined) mustPass(this.#ports, request)
  }

  /** Objects of an install name its record, which has the name of the request. */
  #ownedChanged({before, after}: Change): void {
    const object = after ?? before
    const label = (part: string) =>
      asText(asObject(object?.metadata.labels)[`core.crossplane.io/parent-${part}`])
    const [namespace, name] = [label('namespace'), label('name')]
    if (label('kind') === NAMESPACE.kind && this.#namespaces?.get(name) !== undefined) {
      this.#queue.addAfter(`${NAMESPACE_KEY}${name}`, PAUSE)
    }
    for (const request of this.#known().byLabels.get(`${namespace}/${name}`) ?? []) {
      this.#mustPass(request)
      this.#queue.addAfter(keyOf(request), PAUSE)
      this.#wakeWaiting(textOf(idOf(request)))
    }
  }

  /** A CRD is required by those that wait, and belongs to those that claim it. */
  #crdChanged(change: Change): void {
    const {before, after} = change
    const isGone = before === undefined || after === undefined
    const crd = (after ?? before)?.metadata.name ?? ''
    const {all, records, byClaim} = this.#known()
    const naming = isGone ? all : records.filter(record => mayName(record, crd))
    const waiting = naming.filter(each => statesOf(each).some(({status}) => status !== 'True'))
    for (const request of new Set([
      ...concernedLabels(change).flatMap(label => byClaim.get(label) ?? []),
      ...waiting,
    ])) {
      this.#mustPass(request)
      this.#queue.addAfter(keyOf(request), PAUSE)
    }
  }

  /** The next change of such a CRD tries again. */
  #failed(error: unknown): void {
    this.#manager.process.log({
      level: 'warning',
      message: error instanceof Error ? error.message : String(error),
    })
  }

  #wake(id: string): void {
    for (const request of this.#all()) {
      if (textOf(idOf(request)) !== id) continue
      this.#mustPass(request)
      this.#queue.addAfter(keyOf(request), PAUSE)
    }
  }

  #wakeWaiting(id: string): void {
    for (const [key, installs] of this.#waiting) if (installs.has(id)) this.#queue.addAfter(key, PAUSE)
  }

  async #reconcileNamespace(name: string): Promise<Outcome> {
    const {api} = this.#manager.process
    await this.#namespaces?.settled
    await applyPersonas(name, this.#namespaces?.get(name), api)
    return {result: 'success'}
  }

  #queueAll(): void {
    this.#changes.noteAll()
    if (this.#ports !== undefined) allMustPass(this.#ports)
    for (const request of this.#all()) this.#queue.add(keyOf(request))
  }

  /** The requests, and the records that users wrote in their place. */
  #all(): readonly KubernetesObject[] {
    return this.#known().all
  }

  /** Computed once until one of them changes: many objects change for each of many requests. */
  #known(): KnownRequests {
    this.#cached ??= knownRequests(
      this.#requestObjects(),
      this.#records.flatMap(each => each.list()),
    )
    return this.#cached
  }

  #requestObjects(): readonly KubernetesObject[] {
    return this.#requests.flatMap(each => each.list())
  }

  async #reconcile(key: string): Promise<Outcome> {
    if (key.startsWith(NAMESPACE_KEY)) return await this.#reconcileNamespace(key.slice(NAMESPACE_KEY.length))
    // Without all requests, the record of one looks as if a user wrote it.
    await Promise.all([...this.#requests, ...this.#others].map(each => each.settled))
    const request = this.#all().find(each => keyOf(each) === key)
    const ports = this.#ports
    if (request === undefined || ports === undefined) return {result: 'success'}
    const again = untilOwnPass(request, ports)
    if (again !== undefined) return {result: 'success', again}
    if (isRecord(request) && notListed(this.#requests) !== undefined) return {result: 'requeue', again: PAUSE}
    const since = this.#changes.fromNow()
    const live = await ports.read(request)
    return live === undefined ? {result: 'success'} : await reconcileRequest(live, {...ports, ...since})
  }
}

const NAMESPACE = {apiVersion: 'v1', kind: 'Namespace'}

const NAMESPACE_KEY = 'Namespace '
