import {describe, expect, it} from '@jest/globals'
import type {OidcClient} from '../../../src/cluster/kubeconfig/ports.js'
import {CONFIG, connecting, kubeconfig, memoryFiles} from './connecting.js'

const NOW = Date.parse('2030-01-01T00:00:00Z')
const clock = {now: () => NOW}
const OIDC = {'idp-issuer-url': 'https://issuer.example.org', 'client-id': 'kubectl'}

/** A token that is valid for so many seconds. */
function tokenFor(seconds: number): string {
  const claims = JSON.stringify({exp: NOW / 1000 + seconds})
  return ['{}', claims, 's3cr3t'].map(part => Buffer.from(part).toString('base64url')).join('.')
}

function user(config: object, name = 'oidc'): string {
  return kubeconfig({}, {'auth-provider': {name, config}})
}

describe('a user of OpenID Connect', () => {
  const valid = tokenFor(60)
  const expired = tokenFor(5)

  it('uses an ID token that is valid', async () => {
    const files = {[CONFIG]: user({...OIDC, 'id-token': valid, 'client-secret': 'x'})}
    expect(await connecting(files, {}, {clock})).toMatchObject({headers: {authorization: `Bearer ${valid}`}})
  })

  it('renews one that expires within ten seconds, and stores the new one', async () => {
    const stored: unknown[] = []
    const asked: unknown[] = []
    const config = {...OIDC, 'id-token': expired, 'refresh-token': 'before'}
    const files = memoryFiles({[CONFIG]: user(config)})
    const oidc: OidcClient = {
      renew: given => {
        asked.push(given)
        return Promise.resolve({idToken: valid, refreshToken: 'after'})
      },
    }
    const replaceTexts = (...change: readonly unknown[]) => Promise.resolve(void stored.push(change))
    const connected = await connecting({}, {}, {clock, oidc, files: {...files, replaceTexts}})
    expect(connected).toMatchObject({headers: {authorization: `Bearer ${valid}`}})
    expect({asked, stored}).toEqual({
      asked: [config],
      stored: [
        [
          CONFIG,
          [
            [expired, valid],
            ['before', 'after'],
          ],
        ],
      ],
    })
  })

  const renewable = {...OIDC, 'id-token': expired, 'refresh-token': 's3cr3t'}
  it.each([
    {name: 'another provider', in: user({}, 'gcp'), code: 'input-invalid', names: ['"gcp"', 'exec plugin']},
    {
      name: 'no issuer',
      in: user({'client-id': 'a'}),
      code: 'input-invalid',
      names: ['idp-issuer-url is not set'],
    },
    {name: 'no token', in: user({...renewable, 'id-token': ''}), names: ['id-token is not set']},
    {
      name: 'no refresh token',
      in: user({...renewable, 'refresh-token': ''}),
      names: ['refresh-token is not'],
    },
    {name: 'a client secret', in: user({...renewable, 'client-secret': 's3cr3t'}), names: ['client-secret']},
    {
      name: 'an issuer that fails',
      in: user(renewable),
      names: ['"me"', CONFIG, 'kubectl get --raw /version'],
    },
    {name: 'an invalid token', in: user({...renewable, 'id-token': 'a'}), names: ['the issuer']},
  ])('is rejected: $name', async ({in: config, code = 'credentials-failed', names}) => {
    const rejected = await connecting({[CONFIG]: config}, {}, {clock})
    expect(rejected).toMatchObject({code})
    const text = JSON.stringify(rejected)
    expect({missing: names.filter(name => !text.includes(JSON.stringify(name).slice(1, -1)))}).toEqual({
      missing: [],
    })
    expect(text).not.toContain('s3cr3t')
  })

  it('is rejected: an issuer that returns an expired token', async () => {
    const oidc = {renew: () => Promise.resolve({idToken: expired, refreshToken: 'x'})}
    expect(await connecting({[CONFIG]: user(renewable)}, {}, {clock, oidc})).toMatchObject({
      code: 'credentials-failed',
    })
  })
})
