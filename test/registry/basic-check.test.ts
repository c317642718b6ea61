import {beforeAll, describe, expect, it} from '@jest/globals'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {credentialHelpers} from '../../src/adapters/credentials/credential-helpers.js'
import {credentialsFile} from '../../src/adapters/credentials/credentials-file.js'
import {nodeHttp} from '../../src/adapters/http/node-http.js'
import {login, logout, parseRegistry} from '../../src/pipeline/login.js'
import {checkBasic} from '../../src/registry/basic-check.js'
import {canary} from '../canary.js'
import {listener} from '../listening.js'
import {outcome} from '../outcome.js'
import {temporaryFolder} from '../temporary-folder.js'

const folder = temporaryFolder()
const listening = listener()
const password = canary('basic')
const right = `Basic ${Buffer.from(`anna:${password}`).toString('base64')}`

describe('asking a registry whether it takes a password', () => {
  const asked: (string | undefined)[] = []
  let port = 0
  let answer: {status: number; challenge?: string} = {status: 200}
  beforeAll(async () => {
    const server = createServer(({headers, url}, response) => {
      asked.push(url, headers.authorization)
      const {status, challenge} = headers.authorization === right ? answer : {status: 401}
      response.writeHead(status, challenge === undefined ? {} : {'www-authenticate': challenge}).end('text')
    })
    port = await listening(server)
  })

  it.each([
    {name: 'yes', reason: '200', answers: {status: 200}, want: true},
    {name: 'no', reason: '401', answers: {status: 401, challenge: 'Basic realm="x"'}, want: 'access-denied'},
    {name: 'no', reason: '403', answers: {status: 403}, want: 'access-denied'},
    {
      name: 'tokens',
      reason: 'a challenge',
      answers: {status: 401, challenge: 'Bearer realm="x"'},
      want: 'unsupported',
    },
    {name: 'no registry', reason: '404', answers: {status: 404}, want: 'registry-failed'},
    {name: 'elsewhere', reason: 'is not followed', answers: {status: 307}, want: 'registry-failed'},
  ])('$name: $reason', async ({answers, want}) => {
    answer = answers
    asked.length = 0
    const registry = parseRegistry(`127.0.0.1:${port}`)
    const accounts = {
      file: credentialsFile(join(folder, 'config.json')),
      helpers: credentialHelpers({env: {}}),
    }
    const check = {
      check: (host: string, credentials: Parameters<typeof checkBasic>[2]) =>
        checkBasic(nodeHttp(), host, credentials, false),
    }
    const done = await outcome(() => login({registry, username: 'anna', password}, accounts, check))
    expect(asked).toEqual(['/v2/', right])
    expect(typeof done === 'string' ? done : done.registry === registry).toBe(want)
    expect(await logout(registry, accounts)).toEqual({registry, wasKnown: want === true})
  })

  it('an identity token is no password', async () => {
    const token = {kind: 'identity-token', token: password} as const
    expect(await outcome(() => checkBasic(nodeHttp(), `127.0.0.1:${port}`, token, true))).toBe('unsupported')
  })
})
