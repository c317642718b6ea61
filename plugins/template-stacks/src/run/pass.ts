import {
  asText,
  asTexts,
  type CrossplaneError,
  failureOf,
  type JsonObject,
  type KubernetesObject,
  nameOf,
  objectText,
} from 'kubectl-crossplane/plugin'
import type {CustomResource} from '../custom-resource.js'
import type {Engine} from '../engines/engine.js'
import {parentLabels} from '../objects/parent-labels.js'
import {type RenderedResource, renderResource} from '../render-resource.js'
import {type ChildEntry, childrenIn, inventoryMap, inventoryName} from './child-inventory.js'
import {type Family, objectionTo} from './child-standing.js'
import type {Children} from './children.js'
import type {PassProblem} from './pass-problem.js'
import type {NewStatus} from './resource-status.js'
import type {Stack} from './stack.js'
import type {Writes} from './writes.js'

/** What a pass works with. */
export interface PassPorts {
  readonly children: Children
  readonly writes: Writes
  readonly engine: Engine
  /** Reads the record of the objects of a custom resource. */
  readonly inventory: (map: ReturnType<typeof inventoryName>) => Promise<KubernetesObject | undefined>
  /** Looks for kinds that are new in the cluster; returns false if that was done a moment ago. */
  readonly findKinds: () => Promise<boolean>
  /** Whether the status of custom resources is a subresource. */
  readonly hasStatus: (resource: KubernetesObject) => Promise<boolean>
  /** Takes note of the response of a write to a custom resource. */
  readonly seen: (resource: KubernetesObject) => void
  /** Takes note of how a pass ended. */
  readonly reported: (resource: KubernetesObject, condition: NewStatus['condition'], isNew: boolean) => void
  readonly memory: Memory
  /** The time, in the format of Kubernetes. */
  readonly now: () => string
}

/** What is known of a custom resource between passes. */
interface Remembered {
  readonly condition?: string
  readonly status?: string
  /** Whether the last pass was one that only followed the one before. */
  readonly isFollowed?: boolean
  /** Secrets, whose hashes are not recorded: a hash of a short secret would give it away. */
  readonly secrets?: ReadonlyMap<string, ChildEntry>
}

/** The memory of a process, by UID. */
export type Memory = Map<string, Remembered>

type StackIdentity = Pick<Stack, 'namespace' | 'name' | 'manager'>

/** The stack of a pass, or why there is none: then objects stay as they are, but deletions continue. */
export type StackState =
  | {readonly stack: Stack}
  | {readonly problem: PassProblem; readonly stack: StackIdentity}

/** One pass over a custom resource: what it found and did so far. */
export class Pass {
  readonly problems: PassProblem[] = []
  readonly ports: PassPorts
  readonly state: StackState
  resource: KubernetesObject
  /** The fields of the status that templates set. */
  fields: JsonObject | undefined
  /** The reason why the pass is to be repeated soon; empty for none. */
  waiting = ''
  /** Whether an object was applied. */
  hasApplied = false
  /** Whether nothing is left to do or to report. */
  isOver = false

  constructor(resource: KubernetesObject, state: StackState, ports: PassPorts) {
    this.resource = resource
    this.state = state
    this.ports = ports
  }

  get family(): Family {
    const labels = parentLabels(customResource(this.resource))
    const adopts = !('problem' in this.state) && this.state.stack.adopts
    return {parent: this.resource, labels, manager: this.state.stack.manager, adopts}
  }

  get remembered(): Remembered {
    return this.ports.memory.get(asText(this.resource.metadata.uid)) ?? {}
  }

  remember(part: Remembered): void {
    this.ports.memory.set(asText(this.resource.metadata.uid), {...this.remembered, ...part})
  }

  /** Takes note of the fields of the status that templates set. */
  setFields(fields: JsonObject | undefined): void {
    this.fields = fields
  }

  /** Has the pass repeated soon; the reason is for users. */
  waitFor(reason: string): void {
    this.waiting = reason
  }

  /** Takes note of an object that was applied. */
  applied(object: KubernetesObject): void {
    this.hasApplied = true
    this.ports.children.put(object)
  }

  /** Ends the pass without a report: the custom resource is gone. */
  end(): void {
    this.isOver = true
    this.ports.memory.delete(asText(this.resource.metadata.uid))
  }

  /** Takes note of the custom resource as it was written. */
  written(resource: KubernetesObject): void {
    this.resource = resource
    this.ports.seen(resource)
  }

  /** Changes which finalizers the custom resource has. */
  async setFinalizers(change: (finalizers: readonly string[]) => readonly string[]): Promise<void> {
    const finalizers = change(asTexts(this.resource.metadata.finalizers))
    this.written(await this.ports.writes.patch(this.resource, {metadata: {finalizers}}))
  }

  async recorded(): Promise<readonly ChildEntry[]> {
    return childrenIn(await this.ports.inventory(inventoryName(this.resource, this.state.stack.namespace)))
  }

  async record(children: readonly ChildEntry[]): Promise<void> {
    await this.ports.writes.record(inventoryMap(this.resource, children, this.state.stack), true)
  }

  /** Removes the record. */
  async removeRecord(): Promise<void> {
    await this.ports.writes.record(inventoryMap(this.resource, [], this.state.stack), false)
  }

  async event(type: 'Normal' | 'Warning', reason: string, message: string): Promise<void> {
    await this.ports.writes.event(this.resource, type, reason, message)
  }

  /** Reports an object that is not deleted. */
  async leave(entry: ChildEntry, objection: string): Promise<void> {
    await this.event('Warning', 'NotOwned', `left ${objectText(entry)} alone: ${objection}`)
  }

  /** Renders the templates, which read the recorded objects if they are named templates. */
  async render(stack: Stack, recorded: readonly ChildEntry[]): Promise<RenderedResource> {
    const live = readsObjects(stack) ? await this.#existing(recorded) : []
    const parent = customResource(this.resource)
    const render = () => renderResource({...stack.templates, live}, parent, this.ports.engine)
    const rendered = await render()
    const isUnknown = rendered.notes.some(({rule}) => rule === 'unknown-scope')
    return isUnknown && (await this.ports.findKinds()) ? await render() : rendered
  }

  async #existing(entries: readonly ChildEntry[]): Promise<readonly KubernetesObject[]> {
    const live = await Promise.all(entries.map(entry => this.ports.children.find(entry, this.resource)))
    // A template must not read the object of someone else that has the name of its own.
    const {family} = this
    return live.flatMap(object =>
      object === undefined || objectionTo(object, family) !== undefined ? [] : [object],
    )
  }
}

/** Whether the templates of a stack read the objects that they made. */
export function readsObjects({templates}: Stack): boolean {
  return templates.sets.sets.length > 0
}

/** The custom resource changed since it was read: its event causes the next pass. */
export function isOutdated(error: CrossplaneError): boolean {
  return failureOf(error)?.status === 409
}

function customResource(object: KubernetesObject): CustomResource {
  const {managedFields: _managedFields, ...metadata} = object.metadata as JsonObject
  const {name, namespace} = object.metadata
  const stored: JsonObject = {...object, metadata}
  return {
    object: stored,
    given: stored,
    name,
    ...(namespace === undefined ? {} : {namespace}),
    uid: asText(object.metadata.uid),
    file: objectText(nameOf(object)),
    line: 1,
  }
}
