import {asText, type JsonObject, type KubernetesObject, type Outcome} from 'kubectl-crossplane/plugin'
import {manualClock} from '../../../../test/reconcile/manual-clock.js'
import {sharedCredentials} from '../../src/managed/credentials.js'
import {callRunner} from '../../src/managed/external-call.js'
import {reconcileManaged} from '../../src/managed/reconcile-managed.js'
import {conditionOf} from '../../src/model/conditions.js'
import type {ExternalClient, ServiceProvider} from '../../src/services.js'
import {MemoryStore} from './memory-store.js'

const API = 'disk.example.org/v1alpha1'
const FINALIZER = 'finalizer.managedresource.crossplane.io'
const CREDENTIALS = {namespace: 'system', name: 'cloud'}

/** An external resource that is as it was requested, and every call that never fails. */
export const IDLE: ExternalClient = {
  observe: () => Promise.resolve({exists: true}),
  create: () => Promise.resolve({}),
  update: () => Promise.resolve({}),
  delete: () => Promise.resolve(),
}

/** A managed resource that this program has created before. */
export function disk(name: string, forProvider: JsonObject = {}, more: JsonObject = {}): KubernetesObject {
  const annotations = {'crossplane.io/external-name': name}
  const spec = {providerRef: {name: 'cloud'}, reclaimPolicy: 'Delete', forProvider}
  const metadata = {name, annotations, finalizers: [FINALIZER], ...more}
  return {apiVersion: API, kind: 'Disk', metadata, spec}
}

/** Managed resources in memory with their provider. */
export function managedWorld(
  client: Partial<ExternalClient>,
  {objects, ...more}: Partial<ServiceProvider> & {readonly objects: readonly KubernetesObject[]},
) {
  const provider = {
    apiVersion: API,
    kind: 'Provider',
    metadata: {name: 'cloud'},
    spec: {credentialsSecretRef: {...CREDENTIALS, key: 'key'}},
  }
  const data = {key: Buffer.from('credentials').toString('base64')}
  const secret = {apiVersion: 'v1', kind: 'Secret', metadata: CREDENTIALS, data}
  const [clock, stop, store] = [
    manualClock(),
    new AbortController(),
    new MemoryStore([provider, secret, ...objects]),
  ]
  const ports = {
    store,
    provider: {
      kind: {apiVersion: API, kind: 'Provider'},
      connect: () => Promise.resolve({...IDLE, ...client}),
      ...more,
    },
    waits: {short: 30_000, long: 60_000},
    call: callRunner({clock, signal: stop.signal, limit: 60_000}),
    credentials: sharedCredentials({read: place => store.read(place), clock}),
    random: () => 0.5,
    deleted: new Set<string>(),
    claimSecretOf: () => undefined,
  }
  const read = (name: string) => store.stored({apiVersion: API, kind: 'Disk', name})
  const condition = (name: string, type: string) => {
    const {status, message} = conditionOf(read(name), type) ?? {}
    return `${asText(status)} ${asText(message)}`.trim()
  }
  const pass = (name: string): Promise<Outcome> => reconcileManaged(read(name), ports)
  return {clock, stop, store, read, condition, pass}
}
