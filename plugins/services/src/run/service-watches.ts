import {
  asObject,
  asText,
  type Change,
  type KubernetesObject,
  type ObjectCache,
  type ResourceKind,
} from 'kubectl-crossplane/plugin'
import {CONNECTION_TYPE} from '../model/details.js'
import {isSameKind} from '../model/kinds.js'
import {ownerOf} from '../model/owned-secret.js'
import {isOfKind, referenceIn, refersTo} from '../model/references.js'
import type {Service} from '../services.js'
import {claimKinds, isRelevant, servicesFor} from './watched-kinds.js'

/** Port: the queues of a runner. */
export interface Queues {
  /** Queues a claim or managed resource; others are ignored. */
  add(kind: ResourceKind, name: string, namespace?: string): void
}

/** The only secrets that are watched. */
export const SECRETS = {kind: {apiVersion: 'v1', kind: 'Secret'}, fieldSelector: `type=${CONNECTION_TYPE}`}

/** Queues the claims and managed resources that a change is about. */
export class Wakers {
  readonly #services: readonly Service[]
  readonly #cacheOf: (kind: ResourceKind) => ObjectCache | undefined
  readonly #queues: Queues

  constructor(
    services: readonly Service[],
    cacheOf: (kind: ResourceKind) => ObjectCache | undefined,
    queues: Queues,
  ) {
    this.#services = services
    this.#cacheOf = cacheOf
    this.#queues = queues
  }

  /** Queues a claim. */
  claim(change: Change): void {
    const claim = change.after ?? change.before
    if (claim !== undefined && isRelevant(change)) this.#add(claim)
  }

  /** Queues a managed resource, and the claims that name it or that it names. */
  managed(change: Change): void {
    const {before, after} = change
    if (after !== undefined && isRelevant(change)) this.#add(after)
    for (const managed of [before, after]) if (managed !== undefined) this.#claimsOf(managed)
  }

  /** Queues the claims that wait for a class. */
  class({before, after}: Change): void {
    const cls = after ?? before
    if (cls === undefined) return
    for (const kind of claimKinds(this.#services)) {
      const isServed = servicesFor(kind, this.#services).some(
        service => service.class !== undefined && isSameKind(service.class, cls),
      )
      if (isServed) this.#listed(kind, claim => waitsFor(claim, cls))
    }
  }

  /** Queues the managed resources of a provider. */
  provider({before, after}: Change): void {
    const name = (after ?? before)?.metadata.name
    for (const {managed} of this.#services) {
      this.#listed(managed, ({spec}) => asObject(asObject(spec).providerRef).name === name)
    }
  }

  /** Queues the owner of a connection secret, and the claims of the managed resource that controls it. */
  secret(change: Change): void {
    const secret = change.after ?? change.before
    const owner = secret && ownerOf(secret)
    if (owner === undefined || !isRelevant(change)) return
    const kind = {apiVersion: asText(owner.apiVersion), kind: asText(owner.kind)}
    this.#queues.add(kind, asText(owner.name), secret?.metadata.namespace)
    if (secret !== undefined) this.claimsOf(secret)
  }

  /** Queues the claims of a managed resource, or of the managed resource that controls a secret. */
  claimsOf(object: KubernetesObject): void {
    const managed = object.kind === 'Secret' ? this.#managedOf(object) : object
    const isManaged = managed && this.#services.some(each => isSameKind(each.managed, managed))
    if (isManaged === true) this.#claimsOf(managed)
  }

  #claimsOf(managed: KubernetesObject): void {
    const reference = referenceIn(asObject(managed.spec).claimRef)
    if (reference !== undefined) {
      const kind = {apiVersion: asText(reference.apiVersion), kind: asText(reference.kind)}
      this.#queues.add(kind, asText(reference.name), asText(reference.namespace))
    }
    for (const kind of claimKinds(this.#services)) {
      this.#listed(kind, ({spec}) => refersTo(referenceIn(asObject(spec).resourceRef), managed))
    }
  }

  #managedOf(secret: KubernetesObject): KubernetesObject | undefined {
    const owner = ownerOf(secret)
    const service = this.#services.find(({managed}) => isOfKind(owner, managed))
    return service && this.#cacheOf(service.managed)?.get(asText(owner?.name))
  }

  #listed(kind: ResourceKind, isOne: (object: KubernetesObject) => boolean): void {
    for (const object of this.#cacheOf(kind)?.list() ?? []) if (isOne(object)) this.#add(object)
  }

  #add({apiVersion, kind, metadata}: KubernetesObject): void {
    this.#queues.add({apiVersion, kind}, metadata.name, metadata.namespace)
  }
}

function waitsFor({spec}: KubernetesObject, cls: KubernetesObject): boolean {
  const {resourceRef, classRef} = asObject(spec)
  if (referenceIn(resourceRef) !== undefined) return false
  const reference = referenceIn(classRef)
  return reference === undefined || refersTo({...reference, namespace: '', uid: ''}, cls)
}
