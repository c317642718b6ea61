import {expect, it} from '@jest/globals'
import {asObject, type JsonObject, type KubernetesObject} from 'kubectl-crossplane/plugin'
import {claimPass} from '../src/claims/claim-ports.js'
import {createManaged} from '../src/claims/create-managed.js'
import {MemoryStore} from './managed/memory-store.js'

const API = 'disk.example.org/v1alpha1'
const THEIRS = {'crossplane.io/external-name': 'disk-of-team-b'}
const ALLOWED = {'kubectl-crossplane.dev/allow-external-name': 'true'}

/** Creates the managed resource of a claim of team-a. */
async function created({
  claim = {},
  cls = {},
  spec = {},
  template = {forProvider: {size: 1}},
}: {
  readonly claim?: Readonly<Record<string, string>>
  readonly cls?: Readonly<Record<string, string>>
  readonly spec?: JsonObject
  readonly template?: JsonObject
}) {
  const owned: KubernetesObject = {
    apiVersion: 'claims.example.org/v1',
    kind: 'DiskClaim',
    metadata: {name: 'db', namespace: 'team-a', uid: 'claim', annotations: claim},
    spec: {...spec, classRef: {name: 'fast'}},
  }
  const kind = {apiVersion: API, kind: 'DiskClass'}
  const store = new MemoryStore([
    owned,
    {...kind, metadata: {name: 'fast', annotations: cls}, specTemplate: template},
  ])
  const service = {managed: {apiVersion: API, kind: 'Disk'}, class: kind, claims: [owned]}
  const ports = {store, services: [service], wait: 1000, random: () => 0}
  const stored = await store.get({...owned, ...owned.metadata})
  const {managed} = await createManaged(claimPass(stored ?? owned, service, ports))
  return {managed, events: store.events.filter(text => text.startsWith('Ignored'))}
}

it('a claim does not name its external resource, and is told so', async () => {
  const {managed, events} = await created({claim: {...THEIRS, ...ALLOWED}})
  expect(managed.metadata.annotations).toBeUndefined()
  expect(events).toEqual([
    'IgnoredExternalName: the annotation crossplane.io/external-name of the claim has no effect: DiskClass.disk.example.org "fast" does not allow it by the annotation kubectl-crossplane.dev/allow-external-name',
  ])
})

it('a claim names its external resource if its class allows that', async () => {
  const {managed, events} = await created({claim: THEIRS, cls: ALLOWED})
  expect({annotations: managed.metadata.annotations, events}).toEqual({annotations: THEIRS, events: []})
})

it('a claim passes on no other annotation or label', async () => {
  const {managed} = await created({claim: {'templatestacks.crossplane.io/adopt': 'true'}})
  const {name: _name, uid: _uid, resourceVersion: _version, ...others} = managed.metadata
  expect(others).toEqual({})
})

it.each(['providerRef', 'deletionPolicy', 'reclaimPolicy', 'claimRef'])(
  'a claim does not set %s of a managed resource without forProvider',
  async field => {
    const make = created({spec: {[field]: {name: 'of-team-b'}}, template: {size: 1}})
    await expect(make).rejects.toMatchObject({verdict: {event: {reason: 'CannotConfigureManagedResource'}}})
  },
)

it('a claim sets parameters that its class leaves open', async () => {
  const {managed} = await created({spec: {size: 2}, template: {}})
  expect(asObject(managed.spec).size).toBe(2)
})
