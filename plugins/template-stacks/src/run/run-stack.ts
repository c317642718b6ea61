import {
  asObject,
  asObjects,
  asText,
  type Change,
  type ControllerProcess,
  CrossplaneError,
  type KubernetesObject,
  nameOf,
  notListed,
  type ObjectCache,
  objectText,
  type Outcome,
  runController,
  type RunningController,
  timeText,
  watchObjects,
  type WorkQueue,
  workQueue,
} from 'kubectl-crossplane/plugin'
import type {Engine, Files} from '../engines/engine.js'
import {inventoryName, STACK_LABEL} from './child-inventory.js'
import {watchedChildren} from './children.js'
import type {ClusterFacts} from './cluster-facts.js'
import {problemOf} from './pass-problem.js'
import {type Memory, type PassPorts, readsObjects, type StackState} from './pass.js'
import {reconcileResource} from './reconcile-resource.js'
import {kindText} from './kind-text.js'
import {isRelevant} from './relevant-change.js'
import {type Stack, stackOf, type WatchedStack, watchedStackOf} from './stack.js'
import {removeStaleRecord} from './stale-record.js'
import {clusterWrites} from './writes.js'

/** The parts of a runner that do not change. */
export interface Runner {
  readonly process: Pick<ControllerProcess, 'api' | 'clock' | 'log' | 'metrics'>
  readonly engine: Engine
  readonly facts: ClusterFacts
  /** The definition as it was found. */
  readonly definition: KubernetesObject
  /** Reads the folder of templates, if one was passed. */
  readonly folder: () => Promise<Files | undefined>
}

/** The name of the controller in metrics and log. */
const CONTROLLER = 'template-stack'
const WORKERS = 4

/** Creates the controller of a stack; watches nothing yet. */
export function stackRunner(runner: Runner): RunningController {
  return new StackRunner(runner)
}

class StackRunner implements RunningController {
  readonly #runner: Runner
  readonly #queue: WorkQueue
  readonly #memory: Memory = new Map()
  #state: StackState | undefined
  #watched:
    | {
        readonly stack: WatchedStack
        readonly stop: AbortController
        readonly caches: readonly ObjectCache[]
        readonly inventories: ObjectCache
      }
    | undefined
  #ports: ((cache: ObjectCache) => PassPorts) | undefined

  constructor(runner: Runner) {
    this.#runner = runner
    this.#queue = workQueue(runner.process.clock)
  }

  notReady(): string | undefined {
    if (this.#state === undefined) return 'the definition of the stack was not read yet'
    if ('problem' in this.#state) return this.#state.problem.message
    return notListed(this.#watched?.caches ?? [])
  }

  async run(signal: AbortSignal): Promise<void> {
    const {process, definition} = this.#runner
    const {namespace = '', name} = definition.metadata
    await this.#load(definition, signal)
    const {apiVersion, kind} = definition
    let last: KubernetesObject | undefined = definition
    // One after another: the last one counts, whichever is read first.
    let loaded = Promise.resolve()
    watchObjects(
      {
        kind: {apiVersion, kind},
        namespace,
        fieldSelector: `metadata.name=${name}`,
        changed: ({after}) => {
          if (isRelevant({before: last, after})) loaded = loaded.then(() => this.#load(after, signal))
          last = after
        },
      },
      process,
      signal,
    )
    const controller = {
      name: CONTROLLER,
      queue: this.#queue,
      workers: WORKERS,
      reconcile: (key: string) => this.#reconcile(key),
    }
    await runController(controller, process, signal)
    this.#watched?.stop.abort()
  }

  /** Takes a definition, or that there is none; then looks at all custom resources again. */
  async #load(definition: KubernetesObject | undefined, signal: AbortSignal): Promise<void> {
    const {facts, folder, process} = this.#runner
    const before = this.#state
    try {
      const files = await folder()
      const capabilities = await facts.capabilities()
      if (definition === undefined) throw this.#removed()
      const stack = stackOf(definition, {
        ...(files === undefined ? {} : {folder: files}),
        capabilities,
        scopeOf: facts.scopeOf,
      })
      this.#state = {stack}
      this.#watch(stack, signal)
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      const {message} = problemOf(error)
      process.log({level: 'error', message})
      this.#state = {stack: this.#identity(), problem: {reason: 'StackDefinitionInvalid', message}}
      // Custom resources say why nothing is applied, and can be deleted.
      if (this.#watched === undefined && definition !== undefined)
        this.#watch(watchedStackOf(definition), signal)
    }
    if (before !== undefined) process.log({level: 'info', message: 'the definition of the stack changed'})
    this.#queueAll()
  }

  #removed(): CrossplaneError {
    const name = objectText(nameOf(this.#runner.definition))
    return new CrossplaneError('not-found', `cannot apply anything: ${name} was deleted`)
  }

  #identity(): Pick<Stack, 'namespace' | 'name' | 'manager'> {
    return this.#state?.stack ?? watchedStackOf(this.#runner.definition)
  }

  /** Watches the kinds of a stack, unless they are watched already. */
  #watch(stack: WatchedStack, signal: AbortSignal): void {
    const before = this.#watched
    if (before !== undefined && watchedBy(before.stack) === watchedBy(stack)) {
      this.#watched = {...before, stack}
      return
    }
    before?.stop.abort()
    const stop = new AbortController()
    signal.addEventListener('abort', () => stop.abort(), {once: true})
    const {process} = this.#runner
    const place = stack.scope === 'Namespaced' ? {namespace: stack.namespace} : {}
    const caches = stack.kinds.map(kind =>
      watchObjects({kind, ...place, changed: change => this.#changed(change)}, process, stop.signal),
    )
    const inventories = watchObjects(
      {
        kind: {apiVersion: 'v1', kind: 'ConfigMap'},
        namespace: stack.namespace,
        labelSelector: `${STACK_LABEL}=${stack.name.slice(0, 63)}`,
        changed: ({before, after}) => {
          if (before === undefined && after !== undefined) this.#queue.add(`${RECORD}${after.metadata.name}`)
        },
      },
      process,
      stop.signal,
    )
    const children = watchedChildren({
      ports: process,
      ...place,
      changed: change => this.#childChanged(change),
      signal: stop.signal,
    })
    this.#ports = this.#passPorts(stack, inventories, children)
    this.#watched = {stack, stop, caches, inventories}
  }

  #passPorts(
    stack: WatchedStack,
    inventories: ObjectCache,
    children: PassPorts['children'],
  ): (cache: ObjectCache) => PassPorts {
    const {process, engine, facts} = this.#runner
    const {api, clock, log} = process
    const writes = clusterWrites({api, log, manager: stack.manager})
    return cache => ({
      children,
      engine,
      memory: this.#memory,
      writes: {
        ...writes,
        record: async (map, isNeeded) => {
          const written = await writes.record(map, isNeeded)
          if (written !== undefined) inventories.put(written)
          return written
        },
      },
      inventory: async map => {
        await inventories.settled
        const isCurrent = inventories.isSynced && inventories.failure === undefined
        return (isCurrent ? inventories.get(map.name, map.namespace) : undefined) ?? (await api.get(map))
      },
      findKinds: () => facts.refresh(),
      hasStatus: async resource => (await api.resource(resource))?.hasStatus ?? true,
      seen: resource => cache.put(resource),
      reported: (resource, {status, reason, message}, isNew) => {
        if (!isNew) return
        const level = status === 'True' ? 'info' : 'error'
        log({
          level,
          message: message === '' ? reason : message,
          fields: {object: objectText(nameOf(resource)), reason},
        })
      },
      now: () => timeText(clock.now()),
    })
  }

  #changed(change: Change): void {
    const {after, before} = change
    const object = after ?? before
    if (object !== undefined && isRelevant(change)) this.#queue.add(keyOf(object))
    if (after !== undefined || before === undefined) return
    // By then, the deletion of a record that this process deleted is known.
    this.#queue.addAfter(`${RECORD}${inventoryName(before, '').name}`, RECORD_DELAY)
  }

  /** Only named templates read the status of objects. */
  #childChanged(change: Change): void {
    const {after, before} = change
    const object = after ?? before
    const readsStatus =
      this.#state !== undefined && !('problem' in this.#state) && readsObjects(this.#state.stack)
    if (object === undefined || !(readsStatus || isRelevant(change))) return
    const parent = this.#parentOf(object)
    if (parent !== undefined) this.#queue.add(keyOf(parent))
  }

  #parentOf({metadata}: KubernetesObject): KubernetesObject | undefined {
    const owner = asObjects(metadata.ownerReferences).find(({controller}) => controller === true)
    const label = (part: string) => asText(asObject(metadata.labels)[`core.crossplane.io/parent-${part}`])
    const resources = (this.#watched?.caches ?? []).flatMap(cache => {
      const named =
        cache.kind.kind === label('kind') ? cache.get(label('name'), label('namespace')) : undefined
      return named === undefined ? cache.list() : [named]
    })
    return resources.find(each =>
      owner === undefined
        ? each.kind === label('kind') && each.metadata.name === label('name')
        : each.metadata.uid === owner.uid,
    )
  }

  #queueAll(): void {
    for (const cache of this.#watched?.caches ?? []) {
      for (const object of cache.list()) this.#queue.add(keyOf(object))
    }
  }

  /** Deletes the record of a custom resource that is gone. */
  async #checkRecord(name: string): Promise<Outcome> {
    const {caches, inventories, stack} = this.#watched ?? {}
    const record = inventories?.get(name, stack?.namespace)
    if (record !== undefined) await removeStaleRecord(record, caches ?? [], this.#runner.process)
    return {result: 'success'}
  }

  async #reconcile(key: string): Promise<Outcome> {
    if (key.startsWith(RECORD)) return await this.#checkRecord(key.slice(RECORD.length))
    const [, kind, namespace, name = ''] = /^(\S+) (?:([^/]*)\/)?([^/]+)$/.exec(key) ?? []
    const cache = this.#watched?.caches.find(each => kindText(each.kind) === kind)
    const resource = cache?.get(name, namespace)
    if (
      this.#state === undefined ||
      cache === undefined ||
      resource === undefined ||
      this.#ports === undefined
    ) {
      return {result: 'success'}
    }
    return await reconcileResource(resource, this.#state, this.#ports(cache))
  }
}

/** Keys of records in the queue, in front of their names. */
const RECORD = 'record '
/** In milliseconds. */
const RECORD_DELAY = 1000

/** `Kind.group NAMESPACE/NAME`, which the log shows. */
function keyOf(object: KubernetesObject): string {
  return objectText({...nameOf(object), kind: kindText(object)})
}

function watchedBy({scope, kinds}: WatchedStack): string {
  return JSON.stringify([scope, kinds.map(({apiVersion, kind}) => [apiVersion, kind])])
}
