import type {Kube} from '../../../../test/cluster/kube.js'
import {accepted, until} from '../../../../test/cluster/kube.js'
import {
  asObject,
  asObjects,
  asText,
  isJsonArray,
  type JsonObject,
  type JsonValue,
} from 'kubectl-crossplane/plugin'
import {CLAIM, decoded, FCP, valueAt} from './fancy-services.js'

/** A recorded story: its steps, and what was seen at each snapshot. */
export interface Story {
  readonly name: string
  readonly steps: readonly JsonObject[]
  readonly want: JsonObject
}

/** An external system that steps change. */
export interface Steered {
  steer(step: JsonObject): void | Promise<void>
}

/** What a story is played with. */
interface PlayerPorts {
  readonly kube: Kube
  readonly system: Steered
  /** Conditions that are waited for instead of the recorded ones. */
  readonly until: JsonObject
  /** Annotations of the classes, besides the recorded ones. */
  readonly classes?: JsonObject
  /** The longest wait for a condition, in seconds. */
  readonly patience?: number
}

/** The name of a managed resource that does not exist yet. */
const UNKNOWN = '?'

/** Plays one story. */
export class Player {
  readonly #story: Story
  readonly #kube: Kube
  readonly #system: Steered
  /** The managed resources of claims, also after the claims are gone. */
  readonly #managed = new Map<string, string>()

  readonly #instead: JsonObject
  readonly #classes: JsonObject
  readonly #patience: number

  constructor(story: Story, {kube, system, until: instead, classes = {}, patience = 60}: PlayerPorts) {
    this.#story = story
    this.#kube = kube
    this.#system = system
    this.#instead = instead
    this.#classes = classes
    this.#patience = patience
  }

  /** Creates the namespaces of the story. */
  async begin(): Promise<void> {
    for (const name of [this.#story.name, `sys-${this.#story.name}`]) {
      const answer = await this.#kube.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name}})
      // One story is named as the namespace that every cluster has.
      if (answer.code !== 409) accepted(answer)
    }
  }

  /** Takes a step; `snapshot` is called for those. */
  async take(step: JsonObject, snapshot: (name: string) => Promise<void>): Promise<void> {
    const [[op, value] = ['', null]] = Object.entries(step)
    if (op === 'apply') for (const object of asObjects(value)) await this.#apply(object)
    if (op === 'delete') await this.#deleteAll(asObject(value))
    if (op === 'ext') await this.#system.steer(asObject(value))
    // Nothing happens in a wait, or what happens is awaited by the snapshot after it.
    if (op === 'wait') await new Promise(resolve => setTimeout(resolve, Math.max(1000, Number(value) * 250)))
    if (op === 'until') await this.#until(asObject(value))
    if (op === 'snapshot') await snapshot(asText(value))
  }

  async #apply(requested: JsonObject): Promise<void> {
    const object = asObject(await this.#resolved(requested))
    const kind = asText(object.kind)
    const {ownerReferences, annotations: recorded, ...metadata} = asObject(object.metadata)
    const annotations = {...asObject(recorded), ...(kind.endsWith('Class') ? this.#classes : {})}
    const named = {...this.#named(kind, asText(metadata.name), asText(metadata.namespace))}
    const owners = await Promise.all(asObjects(ownerReferences).map(owner => this.#ownerOf(owner)))
    const full: JsonObject = {
      ...object,
      apiVersion: apiVersionOf(kind),
      metadata: {
        ...metadata,
        ...asObject(named.metadata),
        ...(Object.keys(annotations).length === 0 ? {} : {annotations: await this.#annotations(annotations)}),
        ...(owners.length === 0 ? {} : {ownerReferences: owners}),
      },
    }
    const answer = await this.#kube.create(full)
    if (answer.code === 409) accepted(await this.#patch(full))
    else accepted(answer)
  }

  async #patch(object: JsonObject): ReturnType<Kube['send']> {
    const {namespace, name} = asObject(object.metadata)
    const plural = asText(object.kind).toLowerCase() + (asText(object.kind).endsWith('s') ? 'es' : 's')
    const root = object.apiVersion === 'v1' ? '/api/v1' : `/apis/${asText(object.apiVersion)}`
    const place = namespace === undefined ? '' : `/namespaces/${asText(namespace)}`
    const path = `${root}${place}/${plural}/${asText(name)}`
    return await this.#kube.send('PATCH', path, object, 'application/merge-patch+json')
  }

  async #ownerOf({kind, name, ...rest}: JsonObject): Promise<JsonObject> {
    const owner = this.#named(asText(kind), asText(name))
    const {body} = await this.#kube.get(owner)
    const uid = asText(asObject(body.metadata).uid) || '00000000-0000-0000-0000-000000000000'
    return {...rest, apiVersion: owner.apiVersion ?? '', kind: kind ?? '', name: name ?? '', uid}
  }

  /** `FROM` is the name of the only secret in the namespace of the story's classes. */
  async #annotations(annotations: JsonObject): Promise<JsonObject> {
    const {body} = await this.#kube.send('GET', `/api/v1/namespaces/sys-${this.#story.name}/secrets`)
    const [secret] = asObjects(body.items)
    const name = asText(asObject(secret?.metadata).name)
    return Object.fromEntries(
      Object.entries(annotations).map(([key, value]) => [key, value === 'FROM' ? name : value]),
    )
  }

  async #deleteAll(names: JsonObject): Promise<void> {
    for (const [kind, name] of Object.entries(names)) {
      const resolved = asText(await this.#resolved(name))
      // A path that ends there is that of all objects.
      if (resolved !== UNKNOWN) await this.#kube.delete(this.#named(kind, resolved))
    }
  }

  async #until(conditions: JsonObject): Promise<void> {
    for (const [key, recorded] of Object.entries(conditions)) {
      const condition = this.#instead[key] ?? recorded
      const [kind = '', ...rest] = key.split('/')
      const check = async () => {
        const name = asText(await this.#resolved(rest.join('/')))
        const {code, body} = await this.#kube.get(this.#named(kind, name))
        if (condition === 'gone') return code === 404
        if (condition === 'exists') return code === 200
        return (isJsonArray(condition) ? condition : [condition]).every(each => holds(body, asText(each)))
      }
      await until(check, Boolean, this.#patience).catch((error: unknown) => {
        throw new Error(`${this.#story.name}: ${key} ${JSON.stringify(condition)}: ${String(error)}`)
      })
    }
  }

  /** `NAME` or `NAMESPACE/NAME`. */
  #named(kind: string, text: string, inNamespace = ''): JsonObject {
    const [name = '', namespace = inNamespace || this.#story.name] = text.split('/').reverse()
    const metadata: JsonObject = isNamespaced(kind) ? {name, namespace} : {name}
    return {apiVersion: apiVersionOf(kind), kind, metadata}
  }

  /** `$db` is the managed resource of the claim `db`; `secret-of $db` the name of its secret. */
  async #resolved(value: JsonValue): Promise<JsonValue> {
    if (isJsonArray(value)) return await Promise.all(value.map(each => this.#resolved(each)))
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).map(
        async ([key, each]) => [key, await this.#resolved(each)] as const,
      )
      return Object.fromEntries(await Promise.all(entries))
    }
    const [, isSecret, claim] = typeof value === 'string' ? (/^(secret-of )?\$(\w+)$/.exec(value) ?? []) : []
    if (claim === undefined) return value
    const {body} = await this.#kube.get({...CLAIM, metadata: {namespace: this.#story.name, name: claim}})
    if (isSecret !== undefined) return asText(asObject(body.metadata).uid)
    const name = asText(valueAt(body, 'spec.resourceRef.name'))
    if (name !== '') this.#managed.set(claim, name)
    return this.#managed.get(claim) ?? UNKNOWN
  }

  /** Remembers the managed resources of claims, which steps name after the claims are gone. */
  async remember(): Promise<void> {
    const path = `/apis/${CLAIM.apiVersion}/namespaces/${this.#story.name}/fancysqlinstances`
    for (const {metadata} of asObjects((await this.#kube.send('GET', path)).body.items)) {
      await this.#resolved(`$${asText(asObject(metadata).name)}`)
    }
  }
}

/** `PATH=VALUE`, or `PATH=*` for any. */
function holds(object: JsonObject, condition: string): boolean {
  const at = condition.indexOf('=')
  const [path, want] = [condition.slice(0, at), condition.slice(at + 1)]
  const value = path.startsWith('data.') ? decoded(object.data)[path.slice(5)] : valueAt(object, path)
  return want === '*'
    ? value !== undefined
    : (typeof value === 'string' ? value : JSON.stringify(value)) === want
}

/** The version of an object of the stories, which leave it out. */
function apiVersionOf(kind: string): string {
  if (kind === CLAIM.kind) return CLAIM.apiVersion
  return ['Secret', 'Namespace', 'ConfigMap'].includes(kind) ? 'v1' : FCP
}

/** Reports whether the objects of a kind have a namespace. */
function isNamespaced(kind: string): boolean {
  return [CLAIM.kind, 'Secret', 'ConfigMap'].includes(kind)
}
