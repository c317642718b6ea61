import {
  asObject,
  asObjects,
  asText,
  jsonEqual,
  listAll,
  type JsonObject,
  type KubernetesObject,
  type ObjectName,
  quoted,
} from 'kubectl-crossplane/plugin'
import {WAITING} from '../model/conditions.js'
import {CONNECTION_TYPE} from '../model/details.js'
import {normalEvent} from '../model/event-texts.js'
import {controllerReference, ownerOf, whyNotOurs} from '../model/owned-secret.js'
import {agreesFrom, agreesTo, consentsOf, fromAnnotations, toAnnotation} from '../model/propagation.js'
import {messageOf} from '../model/message-of.js'
import {isOutdated} from '../model/store.js'
import {phaseOf} from './binding-phase.js'
import {type ClaimPass, fail} from './claim-ports.js'

/** The reason of Events about connection secrets. */
const REASON = 'CannotPropagateConnectionDetails'

interface Places {
  readonly from: ObjectName & {readonly namespace: string}
  readonly to: ObjectName & {readonly namespace: string}
}

/** The secrets of a managed resource and of its claim; undefined if one of them has none. */
function placesOf({claim}: ClaimPass, managed: KubernetesObject): Places | undefined {
  const source = asObject(asObject(managed.spec).writeConnectionSecretToRef)
  const name = asText(asObject(asObject(claim.spec).writeConnectionSecretToRef).name)
  if (asText(source.name) === '' || name === '') return undefined
  const secret = {apiVersion: 'v1', kind: 'Secret'}
  return {
    from: {...secret, namespace: asText(source.namespace), name: asText(source.name)},
    to: {...secret, namespace: claim.metadata.namespace ?? '', name},
  }
}

/** Rejects a claim whose secret belongs to others, before anything is bound. */
export async function checkClaimSecret(pass: ClaimPass, managed: KubernetesObject): Promise<void> {
  const places = placesOf(pass, managed)
  if (places === undefined) return
  const existing = await pass.ports.store.get(places.to)
  const problem = existing && whyNotOurs(existing, pass.claim)
  if (problem === undefined) return
  throw fail(pass, REASON, `cannot create or update connection secret: ${problem}`, [WAITING])
}

/** Copies the data of the secret of a bound managed resource to that of its claim, if both agree. */
export async function propagate(pass: ClaimPass, managed: KubernetesObject): Promise<void> {
  const places = placesOf(pass, managed)
  if (places === undefined) return
  try {
    await copy(pass, managed, places)
  } catch (error) {
    if (isOutdated(error)) throw error
    throw fail(pass, REASON, messageOf(error), [WAITING])
  }
}

async function copy(pass: ClaimPass, managed: KubernetesObject, {from, to}: Places): Promise<void> {
  const {store} = pass.ports
  const source = await store.get(from)
  if (source === undefined) throw new Error(`${secretText(from)} of the managed resource not found`)
  if (ownerOf(source)?.uid !== managed.metadata.uid) {
    throw new Error(`${secretText(from)} is not controlled by the managed resource`)
  }
  const target = await store.get(to)
  const agreed = await agreedSource(pass, source, to)
  const result = await written(pass, agreed, target, {from, to})
  if (result === undefined) return
  await store.event(agreed, normalEvent('PropagatedDataTo', pass.names.secrets))
  await store.event(result, normalEvent('PropagatedDataFrom', pass.names.secrets))
}

function secretText({name}: ObjectName): string {
  return `connection secret ${quoted(name)}`
}

/** Binding is the consent. Once it was removed, it is not restored. */
async function agreedSource(
  {claim, ports}: ClaimPass,
  source: KubernetesObject,
  to: Places['to'],
): Promise<KubernetesObject> {
  if (agreesTo(source, to)) return source
  if (phaseOf(claim) === 'Bound' && consentsOf(source).length === 0) {
    throw new Error(
      'the propagating connection secret does not allow propagation to the propagated connection secret',
    )
  }
  return await ports.store.patch(source, {metadata: {annotations: toAnnotation(to)}})
}

/** Writes the claim's secret; returns it if something changed. */
async function written(
  pass: ClaimPass,
  source: KubernetesObject,
  target: KubernetesObject | undefined,
  places: Places,
): Promise<KubernetesObject | undefined> {
  const data = asObject(source.data)
  if (target === undefined) return await created(pass, data, places)
  const problem = whyNotOurs(target, pass.claim)
  if (problem !== undefined) throw new Error(`cannot create or update connection secret: ${problem}`)
  const before = asObject(target.data)
  const isOwned = ownerOf(target)?.uid === pass.claim.metadata.uid
  if (isOwned && agreesFrom(target, places.from) && jsonEqual(before, data)) return undefined
  const removed = Object.fromEntries(Object.keys(before).map(key => [key, null]))
  const owners = [...asObjects(target.metadata.ownerReferences), controllerReference(pass.claim)]
  const metadata: JsonObject = {
    annotations: fromAnnotations(places.from),
    ...(isOwned ? {} : {ownerReferences: owners}),
  }
  const result = await pass.ports.store.patch(target, {metadata, data: {...removed, ...data}})
  await nameRemoved(
    pass,
    result,
    Object.keys(before).filter(key => !Object.hasOwn(data, key)),
  )
  return result
}

/** As in crossplane-runtime, the secret of a claim is a copy: what someone added to it is gone, but not without a word. */
async function nameRemoved(
  {ports: {store}, names}: ClaimPass,
  secret: KubernetesObject,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  const message = `removed ${listAll(keys.map(quoted))}: the secret of the managed resource has no such keys`
  await store.event(secret, {type: 'Warning', reason: 'KeysRemoved', message, source: names.secrets})
}

async function created(
  {claim, ports}: ClaimPass,
  data: JsonObject,
  {from, to}: Places,
): Promise<KubernetesObject> {
  const {apiVersion, kind, name, namespace} = to
  const ownerReferences = [controllerReference(claim)]
  const metadata = {name, namespace, annotations: fromAnnotations(from), ownerReferences}
  const result = await ports.store.create({apiVersion, kind, metadata, type: CONNECTION_TYPE, data})
  if (result === 'exists') throw new Error(`${secretText(to)} was created by another program meanwhile`)
  return result
}
