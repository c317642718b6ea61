import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import type {Clock} from '../../src/http/clock.js'
import type {Http} from '../../src/http/http.js'
import type {Keychain} from '../../src/registry/credentials/keychain.js'
import {ociRegistry} from '../../src/registry/oci-registry.js'
import {tracedHttp} from '../../src/http/trace.js'
import {bytesOf, chunked} from '../fetch/fake-sources.js'
import {OCI, digestOf} from '../fetch/image-parts.js'
import {outcome} from '../outcome.js'
import {scriptedHttp} from '../http/scripted-http.js'
import type {Scripted} from '../http/scripted-http.js'
import {steadyClock} from '../http/steady-clock.js'

const nobody: Keychain = {credentialsFor: () => Promise.resolve(undefined)}
const broken: Keychain = {
  credentialsFor: () => Promise.reject(new CrossplaneError('credentials-failed', 'the helper failed')),
}
const manifest: Scripted = {headers: {'content-type': OCI.manifest}, body: '{}'}

interface Options {
  readonly keychain?: Keychain
  readonly clock?: Clock
  readonly registry?: string
  readonly trace?: (line: string) => void
}

function imageAt(
  http: Http,
  {keychain = nobody, clock = steadyClock(), registry = 'registry.test', trace}: Options = {},
) {
  const traced = trace === undefined ? http : tracedHttp(http, clock, trace)
  const client = ociRegistry({http: traced, keychain, clock, schemeOf: () => 'https:'})
  return client.image({registry, path: 'team/package'}, {tag: 'v1'})
}

const rootOf = async (http: Http, options?: Options) =>
  outcome(async () => String(await bytesOf((await imageAt(http, options).root()).bytes)))

describe('credentials', () => {
  const bearer: Scripted = {
    status: 401,
    headers: {'www-authenticate': 'Bearer realm="https://auth.test/token",service="s"'},
  }
  const basic: Scripted = {status: 401, headers: {'www-authenticate': 'Basic realm="x"'}}
  const isToken = (url: URL) => url.host === 'auth.test'

  it('are not looked up for a public image, so a failing helper has no effect', async () => {
    expect(
      await rootOf(
        scriptedHttp(() => manifest),
        {keychain: broken},
      ),
    ).toBe('{}')
    const http = scriptedHttp(({url, headers}) => {
      if (isToken(url)) return {body: '{"token":"t"}'}
      return headers['authorization'] === undefined ? bearer : manifest
    })
    expect(await rootOf(http, {keychain: broken})).toBe('{}')
  })

  it.each([
    {name: 'a password is requested', answer: () => basic},
    {name: 'a token is not sold', answer: (url: URL) => (isToken(url) ? {status: 401} : bearer)},
    {
      name: 'an anonymous token is not enough',
      answer: (url: URL) => (isToken(url) ? {body: '{"token":"t"}'} : bearer),
    },
  ])('that cannot be looked up are reported if $name', async ({answer}) => {
    expect(
      await rootOf(
        scriptedHttp(({url}) => answer(url)),
        {keychain: broken},
      ),
    ).toBe('credentials-failed')
  })

  it('of another kind than requested are not sent', async () => {
    const keychain: Keychain = {
      credentialsFor: () => Promise.resolve({kind: 'identity-token', token: 'secret'}),
    }
    const http = scriptedHttp(() => basic)
    expect(await rootOf(http, {keychain})).toBe('access-denied')
    expect(http.asked.length).toBe(1)
  })

  it('never go to a realm of plain HTTP when the registry has HTTPS', async () => {
    const http = scriptedHttp(() => ({
      status: 401,
      headers: {'www-authenticate': 'Bearer realm="http://auth.test/"'},
    }))
    expect(await rootOf(http)).toBe('registry-failed')
    expect(http.asked.length).toBe(1)
  })

  it('are not sent to the storage of a blob, even if it requests them', async () => {
    const keychain: Keychain = {
      credentialsFor: () => Promise.resolve({kind: 'password', username: 'a', password: 'b'}),
    }
    const http = scriptedHttp(({url, headers}) => {
      if (url.host === 'cdn.test') return basic
      return headers['authorization'] === undefined
        ? basic
        : {status: 307, headers: {location: 'https://cdn.test/'}}
    })
    expect(await rootOf(http, {keychain})).toBe('access-denied')
    expect(http.asked.filter(({url}) => url.host === 'cdn.test').map(({headers}) => headers)).toEqual([
      expect.not.objectContaining({authorization: expect.anything() as unknown}),
    ])
  })

  it('are not printed, even if the answer of a registry repeats them', async () => {
    const keychain: Keychain = {
      credentialsFor: () => Promise.resolve({kind: 'password', username: 'a', password: 'b'.repeat(20)}),
    }
    const http = scriptedHttp(({url, headers}) => {
      const secret = String(headers['authorization'] ?? '').replace('Basic ', '')
      if (secret === '') return basic
      if (url.pathname.startsWith('/leak')) {
        const body = JSON.stringify({errors: [{code: 'DENIED', message: secret}]})
        return {status: 429, headers: {'retry-after': `9999 ${secret}`}, body}
      }
      return {status: 307, headers: {location: `/leak/${secret}`}}
    })
    const lines: string[] = []
    const store = imageAt(http, {keychain, trace: line => lines.push(line)})
    await expect(store.root()).rejects.toMatchObject({
      code: 'registry-failed',
      cause: {message: 'GET https://registry.test/leak/***: status 429'},
    })
    expect(lines.slice(0, 3)).toEqual([
      'GET https://registry.test/v2/team/package/manifests/v1 401 0 ms',
      'GET https://registry.test/v2/team/package/manifests/v1 307 0 ms',
      'GET https://registry.test/leak/*** 429 0 ms',
    ])
  })

  it('are replaced by those of a token response', async () => {
    const keychain: Keychain = {
      credentialsFor: () => Promise.resolve({kind: 'identity-token', token: 'first'}),
    }
    const forms: URLSearchParams[] = []
    const http: Http = {
      send: async ({url, body, headers}) => {
        if (!isToken(url)) {
          const isOld = headers['authorization'] !== 'Bearer t2'
          const {status, headers: answered} = isOld
            ? {status: 401, headers: bearer.headers!}
            : {status: 200, headers: manifest.headers!}
          return {status, headers: answered, body: chunked(Buffer.from('{}'))}
        }
        forms.push(new URLSearchParams(String(await bytesOf(body!.open()))))
        const answer = {access_token: `t${forms.length}`, refresh_token: 'second'}
        return {status: 200, headers: {}, body: chunked(Buffer.from(JSON.stringify(answer)))}
      },
    }
    const client = ociRegistry({http, keychain, clock: steadyClock(), schemeOf: () => 'https:'})
    const read = () => outcome(() => client.image({registry: 'registry.test', path: 'a'}, {tag: 'v1'}).root())
    expect(await read()).toBe('access-denied')
    expect(await read()).toMatchObject({tag: 'v1'})
    expect(forms.map(form => form.get('refresh_token'))).toEqual(['first', 'second'])
    expect(Object.fromEntries(forms[0]!)).toEqual({
      grant_type: 'refresh_token',
      service: 's',
      scope: 'repository:a:pull',
      client_id: 'kubectl-crossplane',
      refresh_token: 'first',
    })
  })

  it('are exchanged for one token for concurrent requests, and for another when it is about to expire', async () => {
    let sold = 0
    const http = scriptedHttp(({url, headers}) => {
      if (isToken(url)) return {body: `{"token":"t${++sold}","expires_in":100}`}
      return headers['authorization'] === undefined ? bearer : manifest
    })
    const clock = steadyClock()
    const client = ociRegistry({http, keychain: nobody, clock, schemeOf: () => 'https:'})
    const read = () => client.image({registry: 'registry.test', path: 'a'}, {tag: 'v1'}).root()
    await Promise.all([1, 2, 3, 4].map(read))
    expect(sold).toBe(1)
    await clock.sleep(89_000)
    await read()
    expect(sold).toBe(1)
    await clock.sleep(2000)
    await Promise.all([1, 2, 3].map(read))
    expect(sold).toBe(2)
  })
})

describe('a registry', () => {
  it('has another host name for docker.io', async () => {
    const http = scriptedHttp(() => manifest)
    await rootOf(http, {registry: 'docker.io'})
    expect(http.asked.map(({url}) => url.href)).toEqual([
      'https://registry-1.docker.io/v2/team/package/manifests/v1',
    ])
  })

  it.each<{name: string; failure: Error; want: string; requests: number}>([
    {
      name: 'is not reached',
      failure: new CrossplaneError('registry-unreachable', ''),
      want: 'registry-unreachable',
      requests: 5,
    },
    {
      name: 'has an untrusted TLS certificate',
      failure: new CrossplaneError('tls-refused', ''),
      want: 'tls-refused',
      requests: 1,
    },
    {name: 'is silent', failure: new CrossplaneError('timeout', ''), want: 'timeout', requests: 1},
  ])('that $name: $want', async ({failure, want, requests}) => {
    const http = scriptedHttp(() => failure)
    const lines: string[] = []
    expect(await rootOf(http, {trace: line => lines.push(line)})).toBe(want)
    expect(http.asked.length).toBe(requests)
    expect(lines[0]).toBe(`GET https://registry.test/v2/team/package/manifests/v1 ${want} 0 ms`)
  })

  it('resolves a tag once, however often its root is read', async () => {
    const http = scriptedHttp(() => manifest)
    const store = imageAt(http)
    await store.root()
    expect(await store.root()).toMatchObject({
      digest: digestOf(Buffer.from('{}')),
      tag: 'v1',
      mediaType: OCI.manifest,
    })
    expect(http.asked.length).toBe(1)
  })

  it('that sends bytes too slowly is disconnected, one that is slow is not', async () => {
    const body = async function* (bytes: number) {
      for (let sent = 0; sent < 100_000; sent += bytes) yield await Promise.resolve(Buffer.alloc(bytes, ' '))
    }
    const clock = () => steadyClock(2000)
    expect(
      await rootOf(
        scriptedHttp(() => ({...manifest, body: body(100)})),
        {clock: clock()},
      ),
    ).toBe('timeout')
    expect(
      await rootOf(
        scriptedHttp(() => ({...manifest, body: body(1000)})),
        {clock: clock()},
      ),
    ).toHaveLength(100_000)
  })

  it('that sends its error too slowly is not waited for', async () => {
    let taken = 0
    const reasons = async function* () {
      for (; ; taken++) yield await Promise.resolve(Buffer.from(' '))
    }
    const http = scriptedHttp(() => ({status: 403, body: reasons()}))
    expect(await rootOf(http, {clock: steadyClock(10_000)})).toBe('access-denied')
    expect(taken).toBeLessThan(10)
  })

  it('rejects an image without a tag or digest', async () => {
    const client = ociRegistry({
      http: scriptedHttp(() => manifest),
      keychain: nobody,
      clock: steadyClock(),
      schemeOf: () => 'https:',
    })
    expect(await outcome(() => client.image({registry: 'r.test', path: 'a'}, {}).root())).toBe(
      'reference-incomplete',
    )
  })
})
