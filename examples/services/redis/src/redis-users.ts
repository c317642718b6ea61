import {asObject, asText, type KubernetesObject} from 'kubectl-crossplane/plugin'
import type {
  ConnectionDetails,
  ExternalCall,
  ExternalClient,
  ManagedCall,
  Observation,
} from 'kubectl-crossplane-services'
import {deleteUser, hashOf, readUser, rulesOf, writeUser} from './acl.js'
import type {RedisAddress, RedisConnection} from './connection.js'
import {nextPassword, parametersOf, passwordsFor} from './passwords.js'

/** The users of a server, which have the names of their managed resources. The connection secret decides about passwords. */
export class RedisUsers implements ExternalClient {
  readonly #redis: RedisConnection
  readonly #address: RedisAddress

  constructor(redis: RedisConnection, address: RedisAddress) {
    this.#redis = redis
    this.#address = address
  }

  async observe(managed: KubernetesObject, call: ManagedCall): Promise<Observation> {
    const {name, deletionTimestamp} = managed.metadata
    const rules = deletionTimestamp === undefined ? this.#rules(managed) : ['reset']
    const user = await readUser(this.#redis, {name, rules}, call.signal)
    if (user === undefined) return {exists: false}
    const {hashes, isNewDue} = passwordsFor(managed, await call.stored(), Date.now())
    return {
      exists: true,
      isUpToDate: user.isAsRequested && !isNewDue && haveSame(hashes, user.hashes),
      status: {atProvider: {passwords: user.hashes.length}},
      details: this.#details(managed),
    }
  }

  async create(
    managed: KubernetesObject,
    {password = ''}: Readonly<Record<string, string>>,
    {signal}: ExternalCall,
  ): Promise<ConnectionDetails> {
    const {name} = managed.metadata
    await writeUser(this.#redis, {name, rules: this.#rules(managed), hashes: [hashOf(password)]}, signal)
    return this.#details(managed)
  }

  /** Adds a new password before it is published, so that the server accepts it when applications read it. */
  async update(managed: KubernetesObject, call: ManagedCall): Promise<ConnectionDetails> {
    const {name} = managed.metadata
    const [stored, now] = [await call.stored(), Date.now()]
    const {hashes, isNewDue} = passwordsFor(managed, stored, now)
    const next = isNewDue ? nextPassword(managed, stored, now) : {}
    const added = next.password === undefined ? [] : [hashOf(next.password)]
    const user = {name, rules: this.#rules(managed), hashes: [...added, ...hashes]}
    await writeUser(this.#redis, user, call.signal)
    return next
  }

  async delete({metadata}: KubernetesObject, {signal}: ExternalCall): Promise<void> {
    this.#checkName(metadata.name)
    await deleteUser(this.#redis, metadata.name, signal)
  }

  /** Claims can set an external name: it must not lead to the users of others. */
  #rules(managed: KubernetesObject): readonly string[] {
    const {name, annotations} = managed.metadata
    const externalName = annotations?.['crossplane.io/external-name'] ?? name
    if (externalName !== name) {
      throw new Error(
        `the external name is ${JSON.stringify(externalName)}; users have the name of the RedisUser`,
      )
    }
    if (asText(asObject(asObject(managed.spec).writeConnectionSecretToRef).name) === '') {
      throw new Error('spec.writeConnectionSecretToRef is missing, so the password would be lost')
    }
    this.#checkName(name)
    return rulesOf(parametersOf(managed), name)
  }

  #checkName(name: string): void {
    if (name === 'default' || name === this.#address.username) {
      throw new Error(`user ${JSON.stringify(name)} belongs to the administrator`)
    }
  }

  #details({metadata}: KubernetesObject): ConnectionDetails {
    const {host, port} = this.#address
    return {endpoint: host, port: String(port), username: metadata.name}
  }
}

function haveSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every(text => others.includes(text))
}
