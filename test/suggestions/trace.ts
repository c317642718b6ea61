import {createServer} from 'node:http'
import {join} from 'node:path'
import {listener} from '../listening.js'
import {folderOf} from './available-packages.js'
import type {Argv, SuggestionCase} from './suggestion-case.js'

const listen = listener()
const verbs = ['get', 'list']
const resources = [{name: 'buckets', kind: 'Bucket', singularName: 'bucket', namespaced: true, verbs}]

/** The documents of discovery by path: two groups that serve buckets, and none that has one. */
const DOCUMENTS: Readonly<Record<string, object>> = {
  '/api': {kind: 'APIVersions', versions: []},
  '/apis': {
    kind: 'APIGroupList',
    groups: ['a.example.org', 'b.example.org'].map(name => {
      const version = {groupVersion: `${name}/v1`, version: 'v1'}
      return {name, versions: [version], preferredVersion: version}
    }),
  },
  '/apis/a.example.org/v1': {kind: 'APIResourceList', resources},
  '/apis/b.example.org/v1': {kind: 'APIResourceList', resources},
}

/** A command line that traces an object of a cluster. */
const traceIn =
  (...words: Argv) =>
  async (): Promise<Argv> => {
    const server = createServer(({url = ''}, response) => {
      const document = DOCUMENTS[new URL(url, 'http://x').pathname]
      const missing = {kind: 'Status', apiVersion: 'v1', code: 404, reason: 'NotFound', message: 'not found'}
      response.writeHead(document === undefined ? 404 : 200, {'content-type': 'application/json'})
      response.end(JSON.stringify(document ?? missing))
    })
    const address = `http://127.0.0.1:${await listen(server)}`
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'a',
      contexts: [{name: 'a', context: {cluster: 'a', user: 'a'}}],
      clusters: [{name: 'a', cluster: {server: address}}],
      users: [{name: 'a', user: {}}],
    }
    return ['trace', ...words, '--kubeconfig', join(folderOf({config: JSON.stringify(config)}), 'config')]
  }

/** Types and objects that trace does not find. */
export const CASES: readonly SuggestionCase[] = [
  {name: 'a type of two groups', in: traceIn('bucket', 'photos')},
  {name: 'a type with a typing error', in: traceIn('bukets', 'photos of anna')},
  {name: 'a type that resembles no other', in: traceIn('x', 'photos')},
  {name: 'an object that does not exist', in: traceIn('bucket.a.example.org', 'photos', '-n', 'team-a')},
]
