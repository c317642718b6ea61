import {describe, expect, it} from '@jest/globals'
import {credentialsPath} from '../../../../src/cli/options/registry/credentials-path.js'
import {httpOptions} from '../../../../src/cli/options/registry/http-options.js'
import {readPassword} from '../../../../src/cli/options/registry/read-password.js'
import {outcome} from '../../../outcome.js'

const NONE = {'insecure-skip-tls-verify': false, 'plain-http': false}

describe('the transport that flags and variables ask for', () => {
  it.each([
    {
      name: 'upper case',
      reason: 'wins',
      env: {HTTPS_PROXY: 'http://a', https_proxy: 'http://b'},
      want: 'http://a/',
    },
    {name: 'lower case', reason: 'as curl has it', env: {https_proxy: 'http://b'}, want: 'http://b/'},
    {name: 'empty', reason: 'is not set', env: {HTTPS_PROXY: '', https_proxy: 'http://b'}, want: 'http://b/'},
    {name: 'no_proxy', reason: 'excepts', env: {HTTPS_PROXY: 'http://a', no_proxy: 'r.io'}, want: undefined},
    {name: 'none', reason: 'nothing is set', env: {NO_PROXY: '*'}, want: undefined},
  ])('proxy, $name: $reason', ({env, want}) => {
    expect(httpOptions(NONE, env, []).proxyFor?.(new URL('https://r.io/'))?.href).toBe(want)
  })

  it('authorities come from a flag and two variables', () => {
    const env = {SSL_CERT_FILE: 'b', NODE_EXTRA_CA_CERTS: 'c'}
    expect(httpOptions({...NONE, 'ca-file': 'a'}, env, []).authorities).toEqual([
      {path: 'a', given: '--ca-file'},
      {path: 'b', given: 'SSL_CERT_FILE'},
      {path: 'c', given: 'NODE_EXTRA_CA_CERTS', optional: true},
    ])
  })
})

describe('where credentials are', () => {
  it.each([
    {
      name: "podman's variable",
      reason: 'wins',
      env: {REGISTRY_AUTH_FILE: '/a', DOCKER_CONFIG: '/b'},
      want: /^\/a$/,
    },
    {name: "docker's variable", reason: 'a folder', env: {DOCKER_CONFIG: '/b'}, want: /^\/b\/config\.json$/},
    {name: 'neither', reason: "docker's place", env: {}, want: /\/\.docker\/config\.json$/},
  ])('$name: $reason', ({env, want}) => {
    expect(credentialsPath(env)).toMatch(want)
  })
})

describe('a password', () => {
  const input = (text: string, isTTY = false) => Object.assign(bytesOf(text), {isTTY})
  async function* bytesOf(text: string) {
    yield await Promise.resolve(Buffer.from(text))
  }

  it.each([
    {name: 'as it is', reason: 'blanks count', in: input(' a\nb '), want: ' a\nb '},
    {name: 'one line break', reason: 'echo adds it', in: input('a\n\n'), want: 'a\n'},
    {name: 'a terminal', reason: 'it would show the password', in: input('a', true), want: 'usage'},
  ])('$name: $reason', async ({in: from, want}) => {
    expect(await outcome(() => readPassword(true, from))).toBe(want)
  })
})
