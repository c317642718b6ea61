import {afterEach, describe, expect, it} from '@jest/globals'
import {nodeHttp} from '../../../src/adapters/http/node-http.js'
import {checkCredentials} from '../../../src/registry/credentials/check-credentials.js'
import type {Credentials} from '../../../src/registry/credentials/keychain.js'
import {tracedHttp} from '../../../src/http/trace.js'
import {canary} from '../../canary.js'
import type {Demand} from '../../fakes/registry-doorkeeper.js'
import {closed, listening, originOf, startRegistry} from '../../fakes/registry-server.js'
import {CrossplaneError} from '../../../src/errors.js'
import {steadyClock} from '../../http/steady-clock.js'

const user = {username: 'anna', password: canary('check')}
const anna: Credentials = {kind: 'password', ...user}
const wrong: Credentials = {kind: 'password', username: 'anna', password: canary('wrong')}
const identityToken = canary('identity')

/** How the check of credentials ends, and what was exchanged for it. */
async function checked(host: string, credentials: Credentials) {
  const clock = steadyClock()
  const lines: string[] = []
  const http = tracedHttp(nodeHttp(), clock, line => lines.push(line.replaceAll(host, 'HOST')))
  try {
    await checkCredentials({http, clock, schemeOf: () => 'http:'}, host, credentials)
    return {end: 'taken', said: '', lines}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return {end: error.code, said: error.message.replaceAll(host, 'HOST'), lines}
  }
}

describe('a check of credentials', () => {
  const door = (status: number) => `GET http://HOST/v2/ ${status} 0 ms`
  const token = (status: number, method = 'GET') => `${method} http://HOST/token ${status} 0 ms`
  const cases: readonly {
    name: string
    reason: string
    demand: Demand
    in: Credentials
    want: string
    lines: readonly string[]
  }[] = [
    {
      name: 'an open registry',
      reason: 'accepts all users',
      demand: {kind: 'open'},
      in: wrong,
      want: 'taken',
      lines: [door(200)],
    },
    {
      name: 'Basic',
      reason: 'the right password',
      demand: {kind: 'basic', ...user},
      in: anna,
      want: 'taken',
      lines: [door(401), door(200)],
    },
    {
      name: 'Basic',
      reason: 'a wrong one',
      demand: {kind: 'basic', ...user},
      in: wrong,
      want: 'access-denied',
      lines: [door(401), door(401)],
    },
    {
      name: 'Basic',
      reason: 'it does not support identity tokens',
      demand: {kind: 'basic', ...user},
      in: {kind: 'identity-token', token: identityToken},
      want: 'access-denied',
      lines: [door(401)],
    },
    {
      name: 'tokens',
      reason: 'sold for the right password',
      demand: {kind: 'bearer', ...user},
      in: anna,
      want: 'taken',
      lines: [door(401), token(200), door(200)],
    },
    {
      name: 'tokens',
      reason: 'not sold for a wrong one',
      demand: {kind: 'bearer', ...user},
      in: wrong,
      want: 'access-denied',
      lines: [door(401), token(401)],
    },
    {
      name: 'tokens',
      reason: 'sold for an identity token',
      demand: {kind: 'bearer', ...user, identityToken},
      in: {kind: 'identity-token', token: identityToken},
      want: 'taken',
      lines: [door(401), token(200, 'POST'), door(200)],
    },
    {
      name: 'tokens',
      reason: 'used up when they arrive',
      demand: {kind: 'bearer', ...user, uses: 0},
      in: anna,
      want: 'access-denied',
      lines: [door(401), token(200), door(401)],
    },
  ]
  it.each(cases)('$name: $reason', async ({demand, in: credentials, want, lines}) => {
    const server = await startRegistry({demand})
    try {
      const found = await checked(server.host, credentials)
      expect({end: found.end, lines: found.lines}).toEqual({end: want, lines})
      if (want !== 'taken')
        expect(found.said).toMatch(
          /^cannot (?:log in to HOST|get a token): authentication (?:failed|required) \(HOST\)$/,
        )
    } finally {
      await server.close()
    }
  })

  describe('of a host that is not a registry', () => {
    let stop = () => Promise.resolve()
    afterEach(() => stop())
    async function hostThat(status: number, type: string): Promise<string> {
      const server = await listening((_request, response) => {
        response.writeHead(status, {'content-type': type}).end('<html>')
        return Promise.resolve()
      })
      stop = () => closed(server)
      return new URL(originOf(server)).host
    }

    it.each([
      {name: 'a web server without one', in: {status: 404, type: 'text/html'}, want: 'not-found'},
      {name: 'a web page for everything', in: {status: 200, type: 'text/html'}, want: 'registry-failed'},
      {name: 'a login page', in: {status: 403, type: 'text/html'}, want: 'access-denied'},
    ])('$name: $want, and no password is sent', async ({in: {status, type}, want}) => {
      const host = await hostThat(status, type)
      expect(await checked(host, anna)).toMatchObject({end: want, lines: [door(status)]})
    })

    it('reports a closed port', async () => {
      const host = await hostThat(200, 'text/html')
      await stop()
      stop = () => Promise.resolve()
      expect(await checked(host, anna)).toMatchObject({end: 'registry-unreachable'})
    })
  })
})
