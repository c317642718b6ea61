import {expect, it} from '@jest/globals'
import {asObject, type KubernetesObject, nameOf, type ObjectName} from 'kubectl-crossplane/plugin'
import {reconcileClaim} from '../src/claims/reconcile-claim.js'
import {CLAIM_FINALIZER} from '../src/model/names.js'
import {MemoryStore} from './managed/memory-store.js'

const API = 'disk.example.org/v1alpha1'
const DELETED = '2026-01-01T00:00:00Z'

/** A store in which a pass over the managed resource writes its status between the first read and the write that follows. */
class BusyStore extends MemoryStore {
  #isBusy = true

  override async read(name: ObjectName): Promise<KubernetesObject | undefined> {
    const object = await super.read(name)
    if (object === undefined || !this.#isBusy) return object
    this.#isBusy = false
    this.put({...object, status: {...asObject(object.status), observed: true}})
    return object
  }
}

it('a deleted claim goes when its managed resource no longer names it, whatever writes meanwhile', async () => {
  const claimRef = {apiVersion: 'claims.example.org/v1', kind: 'DiskClaim', namespace: 'team-a', name: 'db'}
  const managed = {
    apiVersion: API,
    kind: 'Disk',
    metadata: {name: 'db-1', uid: 'disk', deletionTimestamp: DELETED, finalizers: ['external']},
    spec: {claimRef, reclaimPolicy: 'Delete'},
  }
  const {apiVersion, kind, ...place} = claimRef
  const claim = {
    apiVersion,
    kind,
    metadata: {...place, uid: 'claim', deletionTimestamp: DELETED, finalizers: [CLAIM_FINALIZER]},
    spec: {resourceRef: {apiVersion: API, kind: 'Disk', name: 'db-1'}},
  }
  const store = new BusyStore([managed, claim])
  const services = [{managed: {apiVersion: API, kind: 'Disk'}, claims: [claim]}]
  const pass = async () =>
    await reconcileClaim(store.stored(nameOf(claim)), {store, services, wait: 1000, random: () => 0})
  const finalizers = () => store.stored(nameOf(claim)).metadata.finalizers

  expect(await pass()).toMatchObject({result: 'requeue'})
  expect(finalizers()).toEqual([CLAIM_FINALIZER])
  expect(await pass()).toEqual({result: 'success'})
  expect(finalizers()).toEqual([])
  expect(store.stored(nameOf(managed)).spec).toEqual({reclaimPolicy: 'Delete'})
})
