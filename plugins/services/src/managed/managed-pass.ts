import type {JsonObject, KubernetesObject} from 'kubectl-crossplane/plugin'
import type {ServiceCondition} from '../model/conditions.js'
import {type ConnectionDetails, withoutSecrets} from '../model/details.js'
import {type NormalReason, normalEvent} from '../model/event-texts.js'
import {controllerNames} from '../model/names.js'
import type {ManagedPorts} from './managed-ports.js'

/** What a pass over a managed resource found out so far: that is reported even if a later step fails. */
export class ManagedPass {
  readonly ports: ManagedPorts
  /** The name of the controller. */
  readonly source: string
  readonly #secrets: ConnectionDetails[] = []
  #managed: KubernetesObject
  #ready: ServiceCondition | undefined
  #status: JsonObject = {}

  constructor(managed: KubernetesObject, ports: ManagedPorts) {
    this.ports = ports
    this.source = controllerNames(undefined, managed).managed
    this.#managed = managed
  }

  get managed(): KubernetesObject {
    return this.#managed
  }

  get ready(): ServiceCondition | undefined {
    return this.#ready
  }

  get status(): JsonObject {
    return this.#status
  }

  /** Sets what the external system says; undefined leaves the condition as it is. */
  report(ready: ServiceCondition | undefined, status: JsonObject = this.#status): void {
    this.#ready = ready
    this.#status = status
  }

  /** Changes the managed resource. */
  async change(patch: JsonObject): Promise<void> {
    this.#managed = await this.ports.store.patch(this.#managed, patch)
  }

  /** Keeps values out of messages. */
  hide(secrets: ConnectionDetails): void {
    this.#secrets.push(secrets)
  }

  /** Returns a message without the values that are hidden. */
  withoutSecrets(message: string): string {
    return withoutSecrets(message, this.#secrets)
  }

  /** Records what was done. */
  async done(reason: NormalReason): Promise<void> {
    await this.ports.store.event(this.#managed, normalEvent(reason, this.source))
  }
}
