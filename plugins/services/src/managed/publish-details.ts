import {
  asObject,
  asObjects,
  asText,
  type JsonObject,
  type KubernetesObject,
  type ObjectName,
} from 'kubectl-crossplane/plugin'
import {CONNECTION_TYPE, type ConnectionDetails, detailsIn, encodeDetails, hasData} from '../model/details.js'
import {controllerReference, ownerOf, whyNotOurs} from '../model/owned-secret.js'
import {toAnnotation} from '../model/propagation.js'
import {isOutdated} from '../model/store.js'
import type {ManagedPass} from './managed-pass.js'

/** Credentials that were just returned must not be lost because of a write of others. */
const ATTEMPTS = 5

/** Adds details to the connection secret of a managed resource, which it controls. Other keys stay. */
export async function publishDetails(pass: ManagedPass, details: ConnectionDetails): Promise<void> {
  const place = placeOf(pass.managed)
  if (place === undefined) return
  const data = encodeDetails(details)
  let secret = await pass.ports.store.get(place)
  for (let attempt = 1; ; attempt++) {
    try {
      return await write(pass, place, secret, data)
    } catch (error) {
      if (!isOutdated(error) || attempt === ATTEMPTS) throw error
      secret = await pass.ports.store.read(place)
    }
  }
}

/** Returns the details in the connection secret, if it is that of the managed resource. */
export async function storedDetails({managed, ports}: ManagedPass): Promise<ConnectionDetails> {
  const place = placeOf(managed)
  const secret = place && (await ports.store.get(place))
  return secret !== undefined && ownerOf(secret)?.uid === managed.metadata.uid ? detailsIn(secret) : {}
}

/** Reads the details in the connection secret; they are kept out of messages. */
export async function readDetails(pass: ManagedPass): Promise<Readonly<Record<string, string>>> {
  const {managed, ports} = pass
  const place = placeOf(managed)
  // A cache may be behind: a provider must not return to a password that it replaced.
  const secret = place && (await ports.store.read(place))
  if (secret === undefined || ownerOf(secret)?.uid !== managed.metadata.uid) return {}
  const details = Object.entries(detailsIn(secret)).map(([key, value]) => [
    key,
    Buffer.from(value).toString(),
  ])
  const texts = Object.fromEntries(details) as Readonly<Record<string, string>>
  pass.hide(texts)
  return texts
}

function placeOf({spec}: KubernetesObject): (ObjectName & {readonly namespace: string}) | undefined {
  const {namespace, name} = asObject(asObject(spec).writeConnectionSecretToRef)
  if (asText(name) === '') return undefined
  return {apiVersion: 'v1', kind: 'Secret', namespace: asText(namespace), name: asText(name)}
}

async function write(
  pass: ManagedPass,
  place: ObjectName & {readonly namespace: string},
  secret: KubernetesObject | undefined,
  data: JsonObject,
): Promise<void> {
  const {managed, ports} = pass
  const existing = secret ?? (await create(pass, place, data))
  if (existing === undefined) return
  const problem = whyNotOurs(existing, managed)
  if (problem !== undefined) throw new Error(`cannot create or update connection secret: ${problem}`)
  const isOwned = ownerOf(existing) !== undefined
  if (isOwned && hasData(existing, data)) return
  const owners = [...asObjects(existing.metadata.ownerReferences), controllerReference(managed)]
  const metadata: JsonObject = isOwned ? {} : {ownerReferences: owners}
  await ports.store.patch(existing, {metadata, data})
}

/** Returns the secret that exists instead, unless it was created. */
async function create(
  {managed, ports}: ManagedPass,
  place: ObjectName & {readonly namespace: string},
  data: JsonObject,
): Promise<KubernetesObject | undefined> {
  const {apiVersion, kind, namespace, name} = place
  const target = ports.claimSecretOf(managed)
  // The claim is bound already: its consent was given then.
  const annotations = target === undefined ? {} : toAnnotation(target)
  const metadata = {namespace, name, ownerReferences: [controllerReference(managed)], annotations}
  const result = await ports.store.create({apiVersion, kind, metadata, type: CONNECTION_TYPE, data})
  return result === 'exists' ? await ports.store.read(place) : undefined
}
