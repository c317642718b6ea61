import {createServer, type Server} from 'node:http'

/** A Composition of a cluster, with a step for each function. */
export const liveComposition = (...functions: readonly string[]) => ({
  metadata: {name: 'live', uid: 'u', resourceVersion: '1'},
  spec: {
    compositeTypeRef: {apiVersion: 'app.example.org/v1', kind: 'Live'},
    mode: 'Pipeline',
    pipeline: functions.map(name => ({
      step: name,
      functionRef: {name},
      input: {
        ...{apiVersion: name === 'function-own' ? 'own.example.org/v1' : 'pt.fn.crossplane.io/v1beta1'},
        ...{kind: 'Resources', resources: [{name: 'topic', base: {apiVersion: CLOUD, kind: 'Topic'}}]},
      },
    })),
  },
})

const CLOUD = 'cloud.example.org/v1'

const compositions = {
  ...{resource: 'compositions', responseKind: {kind: 'Composition'}, scope: 'Cluster'},
  ...{shortNames: [], verbs: ['get', 'list']},
}
const revisions = {
  ...compositions,
  resource: 'compositionrevisions',
  responseKind: {kind: 'CompositionRevision'},
}
const DISCOVERY = [
  {
    metadata: {name: 'apiextensions.crossplane.io'},
    versions: [{version: 'v1', resources: [compositions, revisions]}],
  },
]
const PATH = '/apis/apiextensions.crossplane.io/v1/'

/** Answers as an API server that has these Compositions and revisions, and no other objects; undefined forbids to list Compositions. */
export function composingServer(
  items: readonly ReturnType<typeof liveComposition>[] | undefined,
  earlier: readonly object[] = [],
): Server {
  const answers = new Map<string, object>([
    ['/api', {kind: 'APIGroupDiscoveryList', items: []}],
    ['/apis', {kind: 'APIGroupDiscoveryList', items: DISCOVERY}],
    ['/version', {major: '1', minor: '34', gitVersion: 'v1.34.0'}],
    [`${PATH}compositionrevisions`, {kind: 'List', metadata: {}, items: earlier}],
  ])
  if (items !== undefined) answers.set(`${PATH}compositions`, {kind: 'List', metadata: {}, items})
  return createServer(({url = ''}, response) => {
    const {pathname} = new URL(url, 'http://cluster')
    const isForbidden = pathname === `${PATH}compositions` && items === undefined
    const status = answers.has(pathname) ? 200 : isForbidden ? 403 : 404
    const reason = status === 403 ? 'Forbidden' : 'NotFound'
    const body = answers.get(pathname) ?? {apiVersion: 'v1', kind: 'Status', code: status, reason}
    response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body))
  })
}
