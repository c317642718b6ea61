import {expect, it} from '@jest/globals'
import {asObject, type KubernetesObject, nameOf} from 'kubectl-crossplane/plugin'
import {claimPass} from '../src/claims/claim-ports.js'
import {propagate} from '../src/claims/propagate.js'
import {controllerReference} from '../src/model/owned-secret.js'
import {MemoryStore} from './managed/memory-store.js'

it('names the keys that it removes from the secret of a claim', async () => {
  const managed: KubernetesObject = {
    ...{apiVersion: 'disk.example.org/v1alpha1', kind: 'Disk', metadata: {name: 'db-1', uid: 'disk'}},
    spec: {writeConnectionSecretToRef: {namespace: 'system', name: 'disk'}},
  }
  const claim: KubernetesObject = {
    ...{apiVersion: 'claims.example.org/v1', kind: 'DiskClaim'},
    metadata: {namespace: 'team-a', name: 'db', uid: 'claim'},
    spec: {writeConnectionSecretToRef: {name: 'conn'}},
  }
  const secret = (namespace: string, name: string, owner: KubernetesObject): KubernetesObject => ({
    ...{apiVersion: 'v1', kind: 'Secret', type: 'connection.crossplane.io/v1alpha1'},
    metadata: {namespace, name, uid: name, ownerReferences: [controllerReference(owner)]},
    data: {password: 'cGFzcw=='},
  })
  const of = secret('team-a', 'conn', claim)
  const store = new MemoryStore([secret('system', 'disk', managed), of])
  const pass = claimPass(
    claim,
    {managed, claims: [claim]},
    {store, services: [], wait: 1000, random: () => 0},
  )
  await propagate(pass, managed)
  expect(store.events.join()).not.toContain('KeysRemoved')

  store.put({...store.stored(nameOf(of)), data: {password: 'cGFzcw==', 'my-key': 'bWluZQ=='}})
  await propagate(pass, managed)
  expect(asObject(store.stored(nameOf(of)).data)).toEqual({password: 'cGFzcw=='})
  expect(store.events).toContain(
    'KeysRemoved: removed "my-key": the secret of the managed resource has no such keys',
  )
})
