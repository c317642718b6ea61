import {describe, expect, it} from '@jest/globals'
import type {Http, HttpRequest} from '../../src/http/http.js'
import type {Keychain} from '../../src/registry/credentials/keychain.js'
import {ociRegistry} from '../../src/registry/oci-registry.js'
import {bytesOf} from '../fetch/fake-sources.js'
import {digestOf} from '../fetch/image-parts.js'
import {outcome} from '../outcome.js'
import {scriptedHttp} from '../http/scripted-http.js'
import type {Scripted} from '../http/scripted-http.js'
import {steadyClock} from '../http/steady-clock.js'

/** Scripted HTTP that counts the answers neither read to the end nor released: each would keep its connection. */
function watchedHttp(answer: (request: HttpRequest, number: number) => Scripted): Http & {held(): number} {
  const inner = scriptedHttp(answer)
  let held = 0
  return {
    held: () => held,
    send: async request => {
      const response = await inner.send(request)
      held += 1
      return {...response, body: letGo(response.body, () => (held -= 1))}
    },
  }
}

async function* letGo(body: AsyncIterable<Uint8Array>, done: () => void): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body
  } finally {
    done()
  }
}

const password: Keychain = {
  credentialsFor: () => Promise.resolve({kind: 'password', username: 'anna', password: 'wrong'}),
}

const wanting = (challenge: string): Scripted => ({
  status: 401,
  headers: {'www-authenticate': challenge},
  body: '{"errors":[]}',
})
const bearer = wanting('Bearer realm="https://auth.test/token",service="s"')

function partsFrom(range: string | undefined): Scripted {
  if (range === undefined) return {body: cutOff()}
  return {status: 206, headers: {'content-range': 'bytes 0-9/10'}, body: '0123456789'}
}

async function* cutOff(): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.from('01234'))
}

describe('connections after a failure are closed', () => {
  it.each<{name: string; answer: (request: HttpRequest) => Scripted; want: string}>([
    {
      name: 'a token is not sold',
      answer: ({url}) => (url.host === 'auth.test' ? {status: 401, body: 'no'} : bearer),
      want: 'access-denied',
    },
    {
      name: 'what sells tokens answers nonsense',
      answer: ({url}) => (url.host === 'auth.test' ? {body: '<html>'} : bearer),
      want: 'registry-failed',
    },
    {
      name: 'tokens are where it is not safe to go',
      answer: () => wanting('Bearer realm="http://auth.test/token"'),
      want: 'registry-failed',
    },
    {name: 'the password is rejected', answer: () => wanting('Basic realm="x"'), want: 'access-denied'},
    {
      name: 'a web page is in front of the registry',
      answer: () => ({headers: {'content-type': 'text/html; charset=utf-8'}, body: '<html>'}),
      want: 'registry-failed',
    },
    {
      name: 'redirects have no end',
      answer: ({url}) => ({status: 302, headers: {location: `${url.href}/x`}, body: 'moved'}),
      want: 'registry-failed',
    },
  ])('when $name: $want', async ({answer, want}) => {
    const http = watchedHttp(answer)
    const client = ociRegistry({http, keychain: password, clock: steadyClock(), schemeOf: () => 'https:'})
    const store = client.image({registry: 'registry.test', path: 'team/package'}, {tag: 'v1'})
    expect(await outcome(() => store.root())).toBe(want)
    expect(http.held()).toBe(0)
  })

  it('when a blob continues with another part than requested: registry-failed', async () => {
    const http = watchedHttp(({headers}) => partsFrom(String(headers['range'])))
    const client = ociRegistry({http, keychain: password, clock: steadyClock(), schemeOf: () => 'https:'})
    const store = client.image({registry: 'registry.test', path: 'team/package'}, {tag: 'v1'})
    const layer = {
      mediaType: '',
      digest: digestOf(Buffer.from('0123456789')),
      size: 10,
      annotations: {},
    }
    expect(await outcome(() => bytesOf(store.blob(layer)))).toBe('registry-failed')
    expect(http.held()).toBe(0)
  })
})
