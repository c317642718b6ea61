import {describe, expect, it} from '@jest/globals'
import {createServer} from 'node:http'
import type {RequestListener, ServerResponse} from 'node:http'
import {apiServerHttp} from '../../../src/adapters/http/api-server-http.js'
import type {ClusterApi} from '../../../src/cluster/api/cluster-api.js'
import {openClusterApi} from '../../../src/cluster/api/open-cluster-api.js'
import {listener} from '../../listening.js'
import {steadyClock} from '../../http/steady-clock.js'
import {until} from '../kube.js'
import {errorOf} from './scripted-api.js'

const listen = listener()

/** A client of a server on loopback, without waits between attempts. */
async function clientOf(handler: RequestListener, clock = steadyClock()): Promise<ClusterApi> {
  const port = await listen(createServer(handler))
  const server = new URL(`http://127.0.0.1:${port}`)
  const headers = () => Promise.resolve({authorization: 'Bearer secret-token'})
  const connection = {context: 'test', server, namespace: 'default', http: apiServerHttp({}), headers}
  return openClusterApi(connection, {clock, userAgent: 'suite'})
}

const RESOURCES = JSON.stringify({
  kind: 'APIResourceList',
  groupVersion: 'v1',
  resources: [
    {name: 'configmaps', kind: 'ConfigMap', namespaced: true, verbs: ['list', 'watch']},
    {name: 'pods', kind: 'Pod', namespaced: true, verbs: ['get']},
    {name: 'pods/log', kind: 'Pod', namespaced: true, verbs: ['get']},
  ],
})

/** Sends a byte at a time, without an end; returns the number of bytes so far. */
function trickle(response: ServerResponse, status = 200): () => number {
  let bytes = 0
  response.writeHead(status)
  const timer = setInterval(() => response.write(bytes++ === 0 ? '{' : ' '), 5)
  response.on('close', () => clearInterval(timer))
  return () => bytes
}

describe('a hostile API server', () => {
  it('is disconnected if its body does not end', async () => {
    let closed = false
    const api = await clientOf((_, response) => {
      response.on('close', () => (closed = true))
      const more = () => {
        while (response.write(Buffer.alloc(1024 * 1024, 0x20)));
      }
      response.on('drain', more)
      more()
    })
    expect((await errorOf(api.version())).code).toBe('limit-exceeded')
    await until(
      () => Promise.resolve(closed),
      each => each,
    )
  })

  it('is named where it answers with a login page', async () => {
    const api = await clientOf((_, response) => {
      response.writeHead(200, {'content-type': 'text/html; charset=utf-8'})
      response.end('<html></html>')
    })
    expect(await errorOf(api.version())).toMatchObject({
      code: 'cluster-failed',
      suggestions: [expect.stringContaining('kubectl config view --minify')],
    })
  })

  it('is disconnected if the body of its error does not end', async () => {
    const api = await clientOf((_, response) => {
      response.writeHead(422)
      const more = () => {
        while (response.write(Buffer.alloc(1024 * 1024, 0x20)));
      }
      response.on('drain', more)
      more()
    })
    expect((await errorOf(api.version())).code).toBe('cluster-rejected')
  })

  it.each([200, 403])(
    'that sends a byte of a response with status %i at a time is disconnected',
    async status => {
      let sent = () => 0
      const api = await clientOf((_, response) => (sent = trickle(response, status)), steadyClock(1000))
      expect((await errorOf(api.version())).code).toBe(status === 200 ? 'timeout' : 'cluster-denied')
      expect(sent()).toBeLessThan(200)
    },
  )

  const POD = {apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'controller'}
  it.each([
    {
      name: 'the second page of a list',
      read: async (api: ClusterApi) => {
        const names: string[] = []
        for await (const {metadata} of api.list({apiVersion: 'v1', kind: 'ConfigMap'}))
          names.push(metadata.name)
        return names
      },
    },
    {
      name: 'the log of a container',
      read: (api: ClusterApi) => api.log(POD, {container: 'controller', previous: false, lines: 20}),
    },
  ])('that sends a byte of $name at a time is disconnected', async ({read}) => {
    let sent = () => 0
    const api = await clientOf(({url = ''}, response) => {
      if (url.endsWith('/v1')) return response.end(RESOURCES)
      if (url.includes('/configmaps') && !url.includes('continue=')) {
        const items = [{metadata: {name: 'first', namespace: 'default'}}]
        return response.end(JSON.stringify({metadata: {continue: 'more'}, items}))
      }
      return (sent = trickle(response))
    }, steadyClock(1000))
    expect((await errorOf(read(api))).code).toBe('timeout')
    expect(sent()).toBeGreaterThan(10)
    expect(sent()).toBeLessThan(200)
  })

  it('can be quiet in a watch', async () => {
    const api = await clientOf(({url = ''}, response) => {
      if (url.endsWith('/v1')) return response.end(RESOURCES)
      if (!url.includes('watch=')) return response.end('{"metadata":{"resourceVersion":"1"},"items":[]}')
      const name = () =>
        `{"type":"ADDED","object":{"metadata":{"name":"a${sent++}","resourceVersion":"2"}}}\n`
      let sent = 0
      const timer = setInterval(() => response.write(name()), 5)
      return response.on('close', () => clearInterval(timer))
    }, steadyClock(10_000))
    const stop = new AbortController()
    const names: string[] = []
    for await (const {object} of api.watch({apiVersion: 'v1', kind: 'ConfigMap'}, {signal: stop.signal})) {
      if (names.push(object.metadata.name) === 30) stop.abort()
    }
    expect(names).toHaveLength(30)
  })

  it('that closes connections is retried', async () => {
    let requests = 0
    const api = await clientOf((request, response) => {
      requests++
      if (requests === 1) request.socket.destroy()
      else if (requests === 2) {
        response.writeHead(200, {'content-length': '100'})
        response.write('{"gitVersion"')
        setImmediate(() => request.socket.destroy())
      } else response.end('{"gitVersion":"v1.36.0","major":"1","minor":"36"}')
    })
    expect(await api.version()).toMatchObject({minor: 36})
    expect(requests).toBe(3)
  })

  it('does not receive credentials through a redirect', async () => {
    let elsewhere = 0
    const port = await listen(createServer(() => elsewhere++))
    const api = await clientOf((_, response) => {
      response.writeHead(302, {location: `http://127.0.0.1:${port}/`}).end()
    })
    expect((await errorOf(api.version())).code).toBe('cluster-failed')
    expect(elsewhere).toBe(0)
  })
})
