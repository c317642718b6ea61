import {
  type Change,
  jsonEqual,
  type JsonObject,
  type KubernetesObject,
  type ResourceKind,
} from 'kubectl-crossplane/plugin'
import {kindText} from '../model/kinds.js'
import type {Service} from '../services.js'

/** Returns the kinds of claims of some services, each once. */
export function claimKinds(services: readonly Service[]): readonly ResourceKind[] {
  return distinct(services.flatMap(({claims = []}) => claims))
}

/** Returns the kinds without which no pass can be made, each once. */
export function requiredKinds(services: readonly Service[]): readonly ResourceKind[] {
  const kinds = services.flatMap(({class: cls, managed, provider}) => [managed, cls, provider?.kind])
  return distinct([...claimKinds(services), ...kinds.filter(kind => kind !== undefined)])
}

/** Returns the services that can be bound to claims of a kind. */
export function servicesFor(claim: ResourceKind, services: readonly Service[]): readonly Service[] {
  return services.filter(({claims = []}) => claims.some(kind => kindText(kind) === kindText(claim)))
}

function distinct(kinds: readonly ResourceKind[]): readonly ResourceKind[] {
  return [...new Map(kinds.map(kind => [kindText(kind), kind])).values()]
}

/** Whether a change is one of more than the status, which controllers write themselves. */
export function isRelevant({before, after}: Change): boolean {
  return before === undefined || after === undefined || !jsonEqual(contentIn(before), contentIn(after))
}

function contentIn({status: _status, metadata, ...object}: KubernetesObject): JsonObject {
  const {resourceVersion: _version, managedFields: _fields, generation: _generation, ...own} = metadata
  return {...object, metadata: own}
}
