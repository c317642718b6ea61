import {beforeAll, describe, expect, it} from '@jest/globals'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {createServer} from 'node:https'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {pathToFileURL} from 'node:url'
import {listener} from '../listening.js'
import {LOOPBACK, privateAuthority} from '../private-authority.js'
import {runProgram} from '../run-program.js'
import {temporaryFolder} from '../temporary-folder.js'

const fileUrl = (path: string) => pathToFileURL(join(import.meta.dirname, path)).href
const TYPESCRIPT = fileUrl('../cluster/typescript.mjs')
const ADAPTER = fileUrl('../../src/adapters/kubernetes-client.ts')

/** A token that expired long ago. */
const EXPIRED = ['{}', '{"exp": 1}', 'x'].map(part => Buffer.from(part).toString('base64url')).join('.')

describe('tokens of OpenID Connect', () => {
  const temporary = temporaryFolder()
  const listening = listener()
  const asked: string[] = []
  const answer = {access_token: 'x', token_type: 'Bearer', refresh_token: 'after', id_token: ''}
  let issuer = ''
  let caFile = ''

  async function issue(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    outgoing.setHeader('content-type', 'application/json')
    const body = await text(incoming)
    if (body !== '') asked.push(body)
    const metadata = {issuer, token_endpoint: `${issuer}/token`}
    outgoing.end(JSON.stringify(incoming.url === '/token' ? answer : metadata))
  }

  beforeAll(async () => {
    const authority = privateAuthority(temporary)
    const {cert, key} = authority.issue('issuer', LOOPBACK)
    caFile = authority.certFile
    const server = createServer({cert, key}, (incoming, outgoing) => void issue(incoming, outgoing))
    issuer = `https://localhost:${await listening(server)}`
    const now = Math.floor(Date.now() / 1000)
    const claims = {iss: issuer, sub: 'me', aud: 'kubectl', iat: now, exp: now + 3600}
    const parts = [{alg: 'RS256'}, claims].map(part =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    answer.id_token = [...parts, 'c2lnbmF0dXJl'].join('.')
  })

  /** Renews tokens in a process that trusts the issuer: the library uses Node's fetch, which reads CAs at the start. */
  async function renewed(at: string) {
    const config = {
      'idp-issuer-url': at,
      'client-id': 'kubectl',
      'id-token': EXPIRED,
      'refresh-token': 'before',
    }
    const script = `import {oidcClient} from ${JSON.stringify(ADAPTER)}
      console.log(JSON.stringify(await oidcClient.renew(${JSON.stringify(config)})))`
    const args = ['--import', TYPESCRIPT, '--input-type=module', '-e', script]
    return await runProgram(process.execPath, args, {env: {NODE_EXTRA_CA_CERTS: caFile}})
  }

  it('are renewed at the issuer', async () => {
    const {stdout, stderr} = await renewed(issuer)
    expect({stderr, tokens: JSON.parse(stdout || 'null') as unknown}).toEqual({
      stderr: '',
      tokens: {idToken: answer.id_token, refreshToken: 'after'},
    })
    expect(asked.map(body => Object.fromEntries(new URLSearchParams(body)))).toEqual([
      {grant_type: 'refresh_token', refresh_token: 'before', client_id: 'kubectl'},
    ])
  })

  it('are not renewed at another host', async () => {
    expect(await renewed(issuer.replace('localhost', 'issuer.invalid'))).toMatchObject({
      status: 1,
      stdout: '',
    })
  })
})
