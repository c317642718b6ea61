import {describe, expect, it} from '@jest/globals'
import {failureOf} from '../../../src/cluster/api/cluster-failure.js'
import {CrossplaneError} from '../../../src/errors.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import type {Scripted} from '../../http/scripted-http.js'
import {errorOf, json, scriptedApi, statusOf} from './scripted-api.js'

const name = {apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'a'}
const object = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a', namespace: 'default'}}
const options = {manager: 'suite'}
const lost = () =>
  new CrossplaneError('cluster-unreachable', 'cannot connect to cluster.example.org: connection closed')

describe('a failed response', () => {
  it.each([
    {
      name: 'a permission that the user lacks',
      reason: 'the command to check it names verb and resource',
      in: statusOf(
        403,
        'Forbidden',
        'configmaps "a" is forbidden: User "eve" cannot patch resource "configmaps" in API group "" in the namespace "default"',
      ),
      want: [
        'cluster-denied',
        'cannot apply ConfigMap default/a: permission denied: user "eve" cannot patch configmaps in namespace "default"',
      ],
    },
    {
      name: 'a field of another type, which some servers report as a failure of theirs',
      reason: 'another attempt would fail as well',
      in: statusOf(
        500,
        '',
        'failed to create typed patch object (a; /v1, Kind=ConfigMap): .data.x: expected string',
      ),
      want: [
        'cluster-rejected',
        'cannot apply ConfigMap default/a: rejected by the API server: "failed to create typed patch object (a; /v1, Kind=ConfigMap): .data.x: expected string"',
      ],
    },
    {
      name: 'rights that the user lacks and grants',
      reason: 'it is RBAC that rejects them',
      in: statusOf(
        403,
        'Forbidden',
        'user "eve" (groups=["a"]) is attempting to grant RBAC permissions not currently held',
      ),
      want: [
        'cluster-denied',
        'cannot apply ConfigMap default/a: permission denied: "user \\"eve\\" (groups=[\\"a\\"]) is attempting to grant RBAC permissions not currently held"',
      ],
    },
    {
      name: 'a quota',
      reason: 'admission rejects with 403, too',
      in: statusOf(403, 'Forbidden', 'pods "a" is forbidden: exceeded quota'),
      want: [
        'cluster-rejected',
        'cannot apply ConfigMap default/a: rejected by the API server: "pods \\"a\\" is forbidden: exceeded quota"',
      ],
    },
    {
      name: 'a webhook that denies',
      reason: 'its name identifies the webhook',
      in: statusOf(400, 'BadRequest', 'admission webhook "policy.example.org" denied the request: no'),
      want: [
        'cluster-rejected',
        'cannot apply ConfigMap default/a: rejected by admission webhook "policy.example.org": "admission webhook \\"policy.example.org\\" denied the request: no"',
      ],
    },
    {
      name: 'a webhook that fails',
      reason: 'the API server itself works',
      in: statusOf(
        500,
        'InternalError',
        'Internal error occurred: failed calling webhook "policy.example.org": connection refused',
      ),
      want: [
        'cluster-rejected',
        'cannot apply ConfigMap default/a: admission webhook "policy.example.org" failed: "Internal error occurred: failed calling webhook \\"policy.example.org\\": connection refused"',
      ],
    },
    {
      name: 'fields of other managers',
      reason: 'both managers are named, with the flag to pass',
      in: statusOf(409, 'Conflict', 'Apply failed', [
        {reason: 'FieldManagerConflict', message: 'conflict with "kubectl" using v1', field: '.data.a'},
        {
          reason: 'FieldManagerConflict',
          message: 'conflict with "a \\"b\\"" using v1 at 2026-01-01T00:00:00Z',
          field: '.data.b',
        },
      ]),
      want: [
        'conflict-with-manager',
        'cannot apply ConfigMap default/a: a \\"b\\", kubectl manage ".data.a", ".data.b"',
      ],
    },
    {
      name: 'a page of a proxy',
      reason: 'it is not a Status, and its escape sequences are removed',
      in: {status: 418, body: '\u001b[31mteapot'},
      want: [
        'cluster-failed',
        'cannot apply ConfigMap default/a: unexpected status 418: "\\u001b[31mteapot"',
      ],
    },
    {
      name: 'a redirect',
      reason: 'API servers do not redirect, and credentials are not sent to another host',
      in: {status: 307, headers: {location: 'https://elsewhere.example.org/'}},
      want: ['cluster-failed', 'cannot apply ConfigMap default/a: unexpected status 307'],
    },
    {
      name: 'the token, repeated',
      reason: 'no message shows it',
      in: statusOf(400, 'BadRequest', 'invalid header: Bearer first-token'),
      want: [
        'cluster-rejected',
        'cannot apply ConfigMap default/a: rejected by the API server: "invalid header: Bearer ***"',
      ],
    },
  ] satisfies readonly {name: string; reason: string; in: Scripted; want: readonly string[]}[])(
    'reports $name: $reason',
    async ({in: answer, want}) => {
      const {api, requests} = scriptedApi(() => answer)
      const error = await errorOf(api.apply(object, options))
      expect([error.code, error.message]).toEqual(want)
      expect(new Set(requests().map(({url}) => url.host))).toEqual(new Set(['cluster.example.org']))
    },
  )

  it('is not tried again for an admission webhook that failed: the server has waited for it', async () => {
    const message = 'Internal error occurred: failed calling webhook "policy.example.org": EOF'
    const {api, asked, slept} = scriptedApi(() => statusOf(500, 'InternalError', message))
    await expect(api.apply(object, options)).rejects.toMatchObject({
      code: 'cluster-rejected',
      suggestions: [expect.stringContaining('validatingwebhookconfigurations')],
    })
    expect({requests: asked().length, slept}).toEqual({requests: 1, slept: []})
  })

  it('is limited, however long it is', async () => {
    const long = 'x'.repeat(100_000)
    const causes = Array.from({length: 1000}, () => ({field: long, message: long, reason: long}))
    const error = await errorOf(
      scriptedApi(() => statusOf(422, 'Invalid', long, causes.slice(0, 2))).api.get(name),
    )
    expect(error.message.length).toBeLessThan(400)
    expect((error.cause as Error).message.length).toBeLessThan(1500)
    expect(failureOf(error)?.causes[0]?.message.length).toBe(4000)
    const many = causes.map(() => ({field: 'a', message: 'b', reason: 'c'}))
    const other = await errorOf(scriptedApi(() => statusOf(422, 'Invalid', 'no', many)).api.get(name))
    expect(failureOf(other)?.causes.length).toBe(500)
  })
})

describe('a response of the wrong form', () => {
  it.each([
    {name: 'no JSON', body: '<html>'},
    {name: 'no object', body: '[]'},
    {name: 'no name', body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{}}'},
    {name: 'another kind', body: '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}}'},
    {
      name: 'labels of wrong types',
      body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"a":1}}}',
    },
    {name: 'no text', body: Buffer.from([0x7b, 0xff, 0x7d])},
  ])('is a failure: $name', async ({body}) => {
    const {api} = scriptedApi(() => ({body}))
    expect((await errorOf(api.get(name))).code).toBe('cluster-failed')
  })

  it.each<JsonObject>([{}, {items: 'none'}, {items: [1]}, {items: [{metadata: {}}]}])(
    'is a failure in a list: %j',
    async body => {
      const {api} = scriptedApi(() => json(body))
      expect((await errorOf(collected(api.list(name)))).code).toBe('cluster-failed')
    },
  )

  it('is a failure for the version', async () => {
    const {api} = scriptedApi(() => json({gitVersion: 'v1', major: 'one', minor: ''}))
    expect((await errorOf(api.version())).code).toBe('cluster-failed')
    expect(
      await scriptedApi(() => json({gitVersion: 'v1.20.4-eks', major: '1', minor: '20+'})).api.version(),
    ).toEqual({
      gitVersion: 'v1.20.4-eks',
      major: 1,
      minor: 20,
    })
  })

  it('is a failure if it does not end', async () => {
    let sent = 0
    const endless = async function* () {
      for (;;) {
        sent++
        yield await Promise.resolve(Buffer.alloc(1024 * 1024, 0x20))
      }
    }
    expect((await errorOf(scriptedApi(() => ({body: endless()})).api.get(name))).code).toBe('limit-exceeded')
    expect(sent).toBeLessThan(20)
  })

  it('is not used for resources whose names contain path separators', async () => {
    const discovery = await scriptedApi(() => json({})).api.discover()
    expect(discovery.find('v1', 'Traversal')).toBeUndefined()
  })
})

describe('a temporary failure', () => {
  it('is waited for as long as the server requires, up to a limit', async () => {
    const busy: Scripted = {...statusOf(429, 'TooManyRequests', 'busy'), headers: {'retry-after': '7'}}
    const {api, slept, asked} = scriptedApi((_, number) => (number < 3 ? busy : json(object)))
    expect(await api.get(name)).toEqual(object)
    expect([slept.length, slept.every(each => each >= 7000), asked().length]).toEqual([2, true, 3])
    const always = scriptedApi(() => busy)
    expect((await errorOf(always.api.get(name))).code).toBe('cluster-failed')
    expect(always.asked()).toHaveLength(5)
    const long = scriptedApi(() => ({...busy, headers: {'retry-after': '3600'}}))
    expect((await errorOf(long.api.get(name))).code).toBe('cluster-failed')
    expect([long.asked().length, long.slept]).toEqual([1, []])
  })

  it('is retried for writes, too, and reported', async () => {
    const {api} = scriptedApi((_, number) => (number === 1 ? lost() : json(object)))
    expect(await api.apply(object, options)).toMatchObject({created: false})
    const created = scriptedApi((_, number) =>
      number === 1 ? lost() : statusOf(409, 'AlreadyExists', 'exists'),
    )
    expect(await created.api.create(object, options)).toBe('exists')
    const deleted = scriptedApi((_, number) => (number === 1 ? lost() : statusOf(404, 'NotFound', 'gone')))
    expect(await deleted.api.delete(name, {uid: 'u'})).toBe('absent')
  })

  it.each([
    {name: 'a kind that is not served', in: {status: 404, body: '404 page not found'}},
    {
      name: 'a resource that is not served',
      in: statusOf(404, 'NotFound', 'the server could not find the requested resource'),
    },
  ])('is $name, soon after its CRD was applied', async ({in: answer}) => {
    const {api, slept} = scriptedApi((_, number) => (number < 3 ? answer : json(object, 201)))
    expect(await api.apply(object, options)).toMatchObject({created: true})
    expect(slept).toHaveLength(2)
    const other = scriptedApi(() => answer)
    expect([await other.api.get(name), other.slept]).toEqual([undefined, []])
  })

  it('is not a missing namespace', async () => {
    const {api, asked} = scriptedApi(() => statusOf(404, 'NotFound', 'namespaces "default" not found'))
    expect((await errorOf(api.apply(object, options))).code).toBe('not-found')
    expect(asked()).toHaveLength(1)
  })

  it('can occur in the middle of a body', async () => {
    const cut = async function* () {
      yield await Promise.resolve(Buffer.from('{"apiVersion":'))
      throw lost()
    }
    const {api} = scriptedApi((_, number) => (number === 1 ? {body: cut()} : json(object)))
    expect(await api.get(name)).toEqual(object)
    expect((await errorOf(scriptedApi(() => ({body: cut()})).api.get(name))).code).toBe('cluster-unreachable')
  })
})

describe('the time', () => {
  const answered = (date: string) => scriptedApi(() => ({...json(object), headers: {date}})).api

  it.each([
    {name: 'ahead of the local clock', date: 'Thu, 01 Jan 2026 02:00:00 GMT', want: '2026-01-01T02:00:00Z'},
    {name: 'behind the local clock', date: 'Wed, 31 Dec 2025 23:00:00 GMT', want: '2025-12-31T23:00:00Z'},
    {name: 'of the same second', date: 'Thu, 01 Jan 2026 00:00:01 GMT', want: '2026-01-01T00:00:00Z'},
    {name: 'that is invalid', date: 'yesterday', want: '2026-01-01T00:00:00Z'},
  ])('is that of the server, $name', async ({date, want}) => {
    const api = answered(date)
    expect(api.now()).toBe(Date.parse('2026-01-01T00:00:00Z'))
    await api.get(name)
    expect(api.now()).toBe(Date.parse(want))
  })
})

describe('credentials', () => {
  const expired = statusOf(401, 'Unauthorized', 'Unauthorized')

  it('are renewed once after a 401, for all requests that fail concurrently', async () => {
    const {api, renewals} = scriptedApi(({headers}) =>
      headers.authorization === 'Bearer renewed-token' ? json(object) : expired,
    )
    await api.discover()
    expect(await Promise.all([api.get(name), api.get(name), api.get(name)])).toEqual([object, object, object])
    expect(renewals.filter(renew => renew)).toHaveLength(1)
  })

  it('that are rejected again are not retried', async () => {
    const {api, asked} = scriptedApi(() => expired)
    const error = await errorOf(api.get(name))
    expect([error.code, error.suggestions.length, asked().length]).toEqual(['cluster-denied', 1, 2])
  })
})

it.each(['', '.', '..', 'a/b', 'a%2fb'])('an object of the name "%s" is not asked for', async odd => {
  const {api} = scriptedApi(() => lost())
  expect(await api.get({...name, name: odd})).toBeUndefined()
  expect(await api.get({...name, namespace: odd})).toBeUndefined()
})

it('the path of a proxy in front of the server is kept', async () => {
  const {api, asked} = scriptedApi(() => json(object), 'https://proxy.example.org/proxy/')
  await api.get(name)
  expect(asked().at(-1)).toBe('GET /proxy/api/v1/namespaces/default/configmaps/a')
})

async function collected<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
