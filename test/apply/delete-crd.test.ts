import {describe, expect, it} from '@jest/globals'
import {deleteCrd} from '../../src/apply/delete-crd.js'
import type {Operation} from '../../src/plan/plan.js'
import {json, scriptedApi, statusOf} from '../cluster/api/scripted-api.js'
import {outcome} from '../outcome.js'

const [apiVersion, kind, name] = ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'things.example.org']
const DELETION: Operation = {
  action: 'delete',
  target: 'cluster',
  object: {apiVersion, kind, name},
  reason: '',
  precondition: {uid: 'u', sha256: ''},
}
const crd = (established: string) => ({
  apiVersion,
  kind,
  metadata: {name, uid: 'u', resourceVersion: '7'},
  spec: {
    group: 'example.org',
    names: {kind: 'Thing', plural: 'things'},
    versions: [{name: 'v1', served: true, storage: true}],
  },
  status: {conditions: [{type: 'Established', status: established}]},
})
const CRDS = {name: 'customresourcedefinitions', kind, namespaced: false, verbs: ['get', 'delete']}
const NOT_FOUND = statusOf(404, 'NotFound', 'the server could not find the requested resource')

/** A server that has a CRD, and does not serve what it defines. */
const unserved = (established: string) =>
  scriptedApi(({method, url}) => {
    if (url.pathname === '/apis/apiextensions.k8s.io/v1') return json({resources: [CRDS]})
    if (!url.pathname.endsWith(`/customresourcedefinitions/${name}`)) return NOT_FOUND
    return json(method === 'GET' ? crd(established) : {})
  })

describe('deleteCrd', () => {
  it('keeps a CRD whose kind is not served: its instances are unknown', async () => {
    const {api, asked} = unserved('True')
    expect(await outcome(() => deleteCrd(DELETION, api))).toBe('cluster-refused')
    expect(asked().filter(each => each.startsWith('DELETE'))).toEqual([])
  })

  it('deletes a CRD that was never established', async () => {
    const {api, asked} = unserved('False')
    await deleteCrd(DELETION, api)
    expect(asked().filter(each => each.startsWith('DELETE'))).toHaveLength(1)
  })
})
