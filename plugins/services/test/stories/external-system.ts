import {asObject, asText, type JsonObject, type KubernetesObject} from 'kubectl-crossplane/plugin'
import type {ExternalClient, Observation} from '../../src/services.js'

interface Instance {
  readonly level: number
  readonly version: string
  readonly state: string
  /** Empty: not reported by observations. */
  readonly password: string
  /** The observations until the state changes. */
  readonly left: number
}

interface Failure {
  readonly op: string
  readonly name: string
  readonly message: string
}

/** An external system in memory, which stories steer, as the recorded one was. */
export class ExternalSystem {
  readonly instances = new Map<string, Instance>()
  readonly calls: string[] = []
  /** The generated passwords of the instances. */
  readonly passwords = new Map<string, string>()
  #failures: readonly Failure[] = []
  readonly #slow = new Map<string, number>()

  /** Makes what a step of a story says. */
  steer(step: JsonObject): void {
    const {do: what, on, name, message, level, observations} = step
    const [op, prefix] = [asText(on), asText(name)]
    const actions: Readonly<Record<string, () => void>> = {
      fail: () => (this.#failures = [...this.#failures, {op, name: prefix, message: asText(message)}]),
      heal: () => (this.#failures = this.#failures.filter(each => each.op !== op || each.name !== prefix)),
      // Observations are more frequent here.
      slow: () => this.#slow.set(`${op}:${prefix}`, Number(observations) * 3),
      add: () => this.instances.set(prefix, newInstance(Number(level))),
      remove: () => this.#matching(prefix).forEach(key => this.instances.delete(key)),
      set: () => this.#matching(prefix).forEach(key => this.#change(key, step)),
    }
    actions[asText(what)]?.()
  }

  #matching(prefix: string): readonly string[] {
    return [...this.instances.keys()].filter(key => key.startsWith(prefix))
  }

  #change(key: string, {level, state, password}: JsonObject): void {
    const instance = this.instances.get(key)
    if (instance === undefined) return
    this.instances.set(key, {
      ...instance,
      ...(level === undefined ? {} : {level: Number(level)}),
      ...(state === undefined ? {} : {state: asText(state)}),
      ...(password === undefined ? {} : {password: asText(password)}),
    })
  }

  /** Fails if a story says so, and records the call. */
  call(op: string, name: string): void {
    const failure = this.#failures.find(each => each.op === op && name.startsWith(each.name))
    if (!['connect', 'observe'].includes(op) || failure !== undefined) {
      this.calls.push(`${op} ${name}${failure === undefined ? '' : `: ${failure.message}`}`)
    }
    if (failure !== undefined) throw new Error(failure.message)
  }

  /** A client of this system. */
  client(): ExternalClient {
    const nameOf = ({metadata}: KubernetesObject) =>
      metadata.annotations?.['crossplane.io/external-name'] ?? ''
    return {
      observe: managed => Promise.resolve().then(() => this.#observe(managed, nameOf(managed))),
      create: (managed, generated) =>
        Promise.resolve().then(() => {
          const name = nameOf(managed)
          // Two processes without a leader can both observe that it is missing.
          if (this.instances.has(name)) throw new Error(`${name} already exists`)
          this.call('create', name)
          const slow = this.#slowness('create', name)
          const {fancinessLevel, version} = asObject(asObject(managed.spec).forProvider)
          const instance = newInstance(Number(fancinessLevel), asText(version) || '2.3')
          this.instances.set(name, slow > 0 ? {...instance, state: 'CREATING', left: slow} : instance)
          if (generated.password !== undefined) this.passwords.set(name, generated.password)
          return {password: 'created', ...generated}
        }),
      update: managed =>
        Promise.resolve().then(() => {
          const name = nameOf(managed)
          this.call('update', name)
          const {fancinessLevel} = asObject(asObject(managed.spec).forProvider)
          this.#change(name, {level: Number(fancinessLevel)})
          return {}
        }),
      delete: managed =>
        Promise.resolve().then(() => {
          const name = nameOf(managed)
          this.call('delete', name)
          const slow = this.#slowness('delete', name)
          const instance = this.instances.get(name)
          if (slow === 0 || instance === undefined) this.instances.delete(name)
          else this.instances.set(name, {...instance, state: 'DELETING', left: slow})
        }),
    }
  }

  #observe(managed: KubernetesObject, name: string): Observation {
    this.call('observe', name)
    const before = this.instances.get(name)
    if (before !== undefined && this.#isGone(name, before)) return {exists: false}
    const instance = this.instances.get(name)
    if (instance === undefined) return {exists: false}
    const {fancinessLevel} = asObject(asObject(managed.spec).forProvider)
    const {level, state, password} = instance
    return {
      exists: true,
      isUpToDate: level === Number(fancinessLevel),
      state: STATES[state] ?? 'Unavailable',
      status: {state},
      details: {
        endpoint: `${name}.example.org`,
        username: 'root',
        ...(password === '' ? {} : {password}),
      },
    }
  }

  #isGone(name: string, instance: Instance): boolean {
    if (instance.left === 0) return false
    const left = instance.left - 1
    if (left === 0 && instance.state === 'DELETING') return this.instances.delete(name)
    this.instances.set(name, {...instance, left, ...(left === 0 ? {state: 'ONLINE'} : {})})
    return false
  }

  #slowness(op: string, name: string): number {
    const rule = [...this.#slow].find(([key]) => `${op}:${name}`.startsWith(key))
    return rule?.[1] ?? 0
  }
}

const STATES: Readonly<Record<string, NonNullable<Observation['state']>>> = {
  ONLINE: 'Available',
  CREATING: 'Creating',
  DELETING: 'Deleting',
}

function newInstance(level: number, version = '2.3'): Instance {
  return {level, version, state: 'ONLINE', password: '', left: 0}
}
