import {describe, expect, it} from '@jest/globals'
import {migrateVersions} from '../../src/apply/migrate-versions.js'
import {contentHash} from '../../src/plan/cluster/state/live-object.js'
import type {Operation} from '../../src/plan/plan.js'
import {json, scriptedApi, statusOf} from '../cluster/api/scripted-api.js'
import {outcome} from '../outcome.js'

const [apiVersion, kind, name] = ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'things.example.org']
const crd = (storedVersions: string[], group = 'example.org') => ({
  apiVersion,
  kind,
  metadata: {name, uid: 'u', resourceVersion: '7'},
  spec: {group, names: {kind: 'Thing', plural: 'things'}},
  status: {storedVersions},
})
const MIGRATION: Operation = {
  action: 'migrate',
  target: 'cluster',
  object: {apiVersion, kind, name},
  reason: '',
  precondition: {uid: 'u', sha256: contentHash(crd([]))},
  content: JSON.stringify({
    from: ['v1alpha1'],
    to: 'v1',
    kind: {apiVersion: 'example.org/v1', kind: 'Thing'},
    total: 2,
  }),
}
const CRDS = {name: 'customresourcedefinitions', kind, namespaced: false, verbs: ['get', 'patch']}
const THINGS = {name: 'things', kind: 'Thing', namespaced: true, verbs: ['list', 'patch']}
const THING = {apiVersion: 'example.org/v1', kind: 'Thing', metadata: {name: 'a', namespace: 'team'}}
const things = ['a', 'b'].map(thing => ({metadata: {name: thing, namespace: 'team'}}))

/** A server with two custom resources, of which one is deleted during the migration. */
function server({stored = ['v1alpha1', 'v1'], conflicts = 0, group = 'example.org'}) {
  let left = conflicts
  return scriptedApi(({method, url}) => {
    if (url.pathname === '/apis/apiextensions.k8s.io/v1') return json({resources: [CRDS]})
    if (url.pathname === '/apis/example.org/v1') return json({resources: [THINGS]})
    if (url.pathname.endsWith('/things')) return json({items: things, metadata: {}})
    if (url.pathname.endsWith('/things/b')) return statusOf(404, 'NotFound', 'it was deleted')
    if (url.pathname.endsWith('/status') && left-- > 0) return statusOf(409, 'Conflict', 'it was changed')
    if (url.pathname.endsWith('/things/a')) return json(THING)
    return json(crd(method === 'GET' ? stored : ['v1'], group))
  })
}

async function migrated(of: Parameters<typeof server>[0], signal = new AbortController().signal) {
  const {api, asked} = server(of)
  const result = await outcome(() => migrateVersions(MIGRATION, {api, signal}))
  const patched = asked().filter(line => line.startsWith('PATCH'))
  return {result, objects: patched.filter(line => line.includes('/things/')).length, writes: patched.length}
}

describe('migrateVersions', () => {
  it.each([
    {name: 'writes each object and then the status; a deleted object needs no migration', in: {}, status: 1},
    {name: 'repeats the status after a conflict', in: {conflicts: 2}, status: 3},
    {name: 'leaves a status that another run completed', in: {stored: ['v1']}, status: 0},
  ])('$name', async ({in: of, status}) => {
    expect(await migrated(of)).toEqual({objects: 2, writes: 2 + status})
  })

  it('gives up after conflicts without end', async () => {
    expect(await migrated({conflicts: 100})).toEqual({result: 'cluster-rejected', objects: 2, writes: 7})
  })

  it('writes nothing if the CRD is not as planned', async () => {
    expect(await migrated({group: 'other.example.org'})).toEqual({
      result: 'cluster-refused',
      objects: 0,
      writes: 0,
    })
  })

  it('writes nothing after an interruption', async () => {
    await expect(
      migrateVersions(MIGRATION, {api: server({}).api, signal: AbortSignal.abort(new Error('stop'))}),
    ).rejects.toThrow('stop')
  })
})
