import {asObject, asText, type JsonObject, type KubernetesObject, quoted} from 'kubectl-crossplane/plugin'
import {phaseOf} from '../claims/binding-phase.js'
import {AVAILABLE, conditionOf, CREATING, DELETING, UNAVAILABLE} from '../model/conditions.js'
import {detailsIn} from '../model/details.js'
import {kindText} from '../model/kinds.js'
import {EXTERNAL_NAME} from '../model/names.js'
import {nameIn, referenceIn} from '../model/references.js'
import type {ConnectInput, ExternalClient, Observation} from '../services.js'
import type {ManagedPass} from './managed-pass.js'
import {readDetails} from './publish-details.js'
import {step} from './step.js'

const READY = {Available: AVAILABLE, Unavailable: UNAVAILABLE, Creating: CREATING, Deleting: DELETING}

/** Connects to the external system with the credentials of the provider that a managed resource names. */
export async function connectTo(pass: ManagedPass): Promise<ExternalClient> {
  const {call, provider} = pass.ports
  return await step(pass, {reason: 'CannotConnectToProvider', prefix: 'connect failed: '}, async () => {
    const input = await inputOf(pass)
    return await call(limits => provider.connect(named(pass.managed), input, limits))
  })
}

async function inputOf(pass: ManagedPass): Promise<ConnectInput> {
  const {managed, ports} = pass
  const {kind} = ports.provider
  const reference = referenceIn(asObject(managed.spec).providerRef)
  if (reference === undefined) throw new Error('spec.providerRef names no provider')
  const provider = await ports.store.get(nameIn({...reference, namespace: ''}, kind))
  if (provider === undefined) {
    throw new Error(`cannot get Provider: ${kindText(kind)} ${quoted(asText(reference.name))} not found`)
  }
  const {namespace, name, key} = asObject(asObject(provider.spec).credentialsSecretRef)
  const place = {apiVersion: 'v1', kind: 'Secret', namespace: asText(namespace), name: asText(name)}
  const isSynced = conditionOf(managed, 'Synced')?.status === 'True'
  const secret = isSynced ? await ports.credentials.read(place) : await ports.credentials.renew(place)
  if (secret === undefined)
    throw new Error(`cannot get Provider secret: Secret ${quoted(place.name)} not found`)
  const details = detailsIn(secret)
  const credentials = details[asText(key)]
  if (credentials === undefined) {
    throw new Error(
      `cannot get Provider secret: Secret ${quoted(place.name)} has no key ${quoted(asText(key))}`,
    )
  }
  pass.hide(details)
  return {provider, credentials}
}

/** Observes the external resource, and sets what that says about the managed resource. */
export async function observeWith(pass: ManagedPass, client: ExternalClient): Promise<Observation> {
  const {call} = pass.ports
  const reason = 'CannotObserveExternalResource'
  const observation = await step(pass, {reason, prefix: 'observe failed: '}, () =>
    call(limits => client.observe(named(pass.managed), {...limits, stored: () => readDetails(pass)})),
  )
  const {exists, state = 'Available', details = {}} = observation
  pass.hide(details)
  if (!exists) return observation
  pass.report(READY[state], {...outputOf(observation), ...phaseFor(pass.managed, state)})
  return observation
}

function outputOf({status = {}}: Observation): JsonObject {
  const {conditions: _conditions, bindingPhase: _bindingPhase, ...output} = status
  return output
}

/** Once it was bound or released, a resource does not become bindable again. */
function phaseFor(managed: KubernetesObject, state: Observation['state']): JsonObject {
  const isBindable = state === 'Available' && !['Bound', 'Released'].includes(phaseOf(managed))
  return isBindable ? {bindingPhase: 'Unbound'} : {}
}

/** The external name is that of the managed resource, unless a user set another. */
export function named(managed: KubernetesObject): KubernetesObject {
  const {annotations = {}, name} = managed.metadata
  if (annotations[EXTERNAL_NAME] !== undefined) return managed
  return {...managed, metadata: {...managed.metadata, annotations: {...annotations, [EXTERNAL_NAME]: name}}}
}
