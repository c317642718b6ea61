import {describe, expect, it} from '@jest/globals'
import {openClusterApi} from '../../../src/cluster/api/open-cluster-api.js'
import type {JsonValue} from '../../../src/yaml/json-value.js'
import {scriptedHttp} from '../../http/scripted-http.js'
import type {Scripted} from '../../http/scripted-http.js'
import {steadyClock} from '../../http/steady-clock.js'
import {errorOf, json, statusOf} from './scripted-api.js'

const pods = {
  resource: 'pods',
  responseKind: {kind: 'Pod'},
  scope: 'Namespaced',
  verbs: ['get', 'list'],
  shortNames: ['po'],
  subresources: [{subresource: 'log'}, {subresource: 'status'}],
}
const pod = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  namespaced: true,
  verbs: ['get', 'list'],
  shortNames: ['po'],
  hasStatus: true,
}
const widgets = {name: 'widgets', kind: 'Widget', namespaced: false, verbs: ['get']}
const status = {name: 'widgets/status', kind: 'Widget', namespaced: false, verbs: ['get']}
const widget = {
  group: 'example.org',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: false,
  verbs: ['get'],
  shortNames: [],
  hasStatus: false,
}

const aggregated = (...items: readonly JsonValue[]) => json({kind: 'APIGroupDiscoveryList', items})
const group = (name: string, ...versions: readonly JsonValue[]) => ({metadata: {name}, versions})

/** A client of a server with these paths, and how often each was requested. */
function serverOf(paths: Readonly<Record<string, Scripted>>) {
  const http = scriptedHttp(({url}) => paths[url.pathname] ?? statusOf(404, 'NotFound', 'not found'))
  const headers = () => Promise.resolve({})
  const server = new URL('https://cluster.example.org')
  const connection = {context: 'test', server, namespace: 'default', http, headers}
  const asked = () => http.asked.map(({url}) => url.pathname)
  return {api: openClusterApi(connection, {clock: steadyClock(), userAgent: 'suite'}), asked}
}

describe('discovery', () => {
  it('takes two requests where the server aggregates it', async () => {
    const {api, asked} = serverOf({
      '/api': aggregated(group('', {version: 'v1', resources: [pods], freshness: 'Current'})),
      '/apis': aggregated(
        group('example.org', {version: 'v2', resources: []}, {version: 'v1', resources: []}),
        group('metrics.example.org', {version: 'v1', freshness: 'Stale', resources: [pods]}),
      ),
    })
    const found = await api.discover()
    expect([found.find('v1', 'Pod'), found.versions('example.org'), found.unavailable]).toEqual([
      pod,
      ['v2', 'v1'],
      ['metrics.example.org/v1'],
    ])
    await api.discover()
    expect(asked()).toEqual(['/api', '/apis'])
    await api.discover(true)
    expect(asked()).toHaveLength(4)
  })

  it('reads each group of an old server, without those that are down', async () => {
    const versions = ['v1', 'v2'].map(version => ({version}))
    const groups = [
      {name: 'example.org', versions, preferredVersion: {version: 'v2'}},
      {name: 'metrics.example.org', versions: [{version: 'v1'}], preferredVersion: {version: 'v1'}},
    ]
    const {api} = serverOf({
      '/api': json({kind: 'APIVersions', versions: ['v1']}),
      '/api/v1': json({resources: []}),
      '/apis': json({kind: 'APIGroupList', groups}),
      '/apis/example.org/v1': json({resources: [widgets, status]}),
      '/apis/example.org/v2': json({resources: []}),
      '/apis/metrics.example.org/v1': statusOf(503, 'ServiceUnavailable', 'the server is currently unable'),
    })
    const found = await api.discover()
    expect([found.resources, found.versions('example.org'), found.unavailable]).toEqual([
      [{...widget, hasStatus: true}],
      ['v2', 'v1'],
      ['metrics.example.org/v1'],
    ])
  })

  it('requests the group of an unknown kind again, once it is served', async () => {
    const paths: Record<string, Scripted> = {'/api': aggregated(), '/apis': aggregated()}
    const {api, asked} = serverOf(paths)
    const kind = {apiVersion: 'example.org/v1', kind: 'Widget'}
    expect(await api.resource(kind)).toBeUndefined()
    paths['/apis/example.org/v1'] = json({resources: [widgets]})
    expect([await api.resource(kind), await api.resource(kind)]).toEqual([widget, widget])
    expect(asked()).toEqual(['/api', '/apis', '/apis/example.org/v1', '/apis/example.org/v1'])
  })

  it('is not remembered if it fails', async () => {
    const paths: Record<string, Scripted> = {'/api': aggregated(), '/apis': statusOf(403, 'Forbidden', '')}
    const {api} = serverOf(paths)
    expect((await errorOf(api.discover())).code).toBe('cluster-denied')
    paths['/apis'] = aggregated()
    expect((await api.discover()).resources).toEqual([])
  })
})
