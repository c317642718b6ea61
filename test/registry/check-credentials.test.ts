import {describe, expect, it} from '@jest/globals'
import {checkCredentials} from '../../src/registry/check-credentials.js'
import {scriptedHttp} from './scripted-http.js'
import {steadyClock} from './steady-clock.js'

describe('credentials that no token is sold for', () => {
  it('are refused in a whole sentence, though no scope was asked for', async () => {
    const http = scriptedHttp(({url}) =>
      url.host === 'auth.test'
        ? {status: 401}
        : {status: 401, headers: {'www-authenticate': 'Bearer realm="https://auth.test/token"'}},
    )
    const ports = {http, clock: steadyClock(), schemeOf: () => 'https:' as const}
    const password = {kind: 'password', username: 'anna', password: 'wrong'} as const
    await expect(checkCredentials(ports, 'registry.test', password)).rejects.toMatchObject({
      code: 'access-denied',
      message: 'Cannot get a token: auth.test wants other credentials, or some at all.',
    })
  })
})
