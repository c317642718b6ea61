import {PassThrough, Readable} from 'node:stream'
import {describe, expect, it} from '@jest/globals'
import {credentialsPaths} from '../../../src/cli/shell/credentials-path.js'
import {httpOptions} from '../../../src/cli/registry/http-options.js'
import {readAccount} from '../../../src/cli/registry/read-account.js'
import {outcome} from '../../outcome.js'

const NONE = {'insecure-skip-tls-verify': false, 'plain-http': false}

describe('the transport from flags and variables', () => {
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

  it('CAs come from a flag and two variables', () => {
    const env = {SSL_CERT_FILE: 'b', NODE_EXTRA_CA_CERTS: 'c'}
    expect(httpOptions({...NONE, 'ca-file': 'a'}, env, []).authorities).toEqual([
      {path: 'a', source: '--ca-file'},
      {path: 'b', source: 'SSL_CERT_FILE'},
      {path: 'c', source: 'NODE_EXTRA_CA_CERTS', optional: true},
    ])
  })
})

describe('credentialsPaths', () => {
  const own = `${process.env.HOME ?? ''}/.config/containers/auth.json`
  const docker = `${process.env.HOME ?? ''}/.docker/config.json`
  it.each([
    {
      name: 'REGISTRY_AUTH_FILE',
      reason: 'the only file',
      env: {REGISTRY_AUTH_FILE: '/a', DOCKER_CONFIG: '/b', XDG_RUNTIME_DIR: '/run/user/1'},
      want: ['/a'],
    },
    {
      name: 'DOCKER_CONFIG',
      reason: 'a folder, after those of podman',
      env: {DOCKER_CONFIG: '/b', XDG_RUNTIME_DIR: '/run/user/1', XDG_CONFIG_HOME: '/c'},
      want: ['/run/user/1/containers/auth.json', '/c/containers/auth.json', '/b/config.json'],
    },
    {
      name: 'no variable',
      reason: 'the defaults of podman and docker',
      env: {},
      want: ['/run/containers/7/auth.json', own, docker],
    },
    {
      name: 'relative XDG folders',
      reason: 'ignored',
      env: {XDG_RUNTIME_DIR: 'a', XDG_CONFIG_HOME: 'b'},
      want: ['/run/containers/7/auth.json', own, docker],
    },
  ])('$name: $reason', ({env, want}) => {
    expect(credentialsPaths(env, 7)).toEqual(want)
  })
})

describe('readAccount', () => {
  const HOST = 'registry.example.org'
  const NO_PROMPT = {write: () => expect('no prompt').toBe('shown')}
  const piped = (text: string) => Object.assign(Readable.from([Buffer.from(text)]), {isTTY: false})

  it.each([
    {name: 'as it is', reason: 'blanks count', in: ' a\nb ', want: ' a\nb '},
    {name: 'one line break', reason: 'echo adds it', in: 'a\n\n', want: 'a\n'},
  ])('reads a password from standard input: $name, $reason', async ({in: text, want}) => {
    const flags = {username: 'anna', 'password-stdin': true}
    expect(await readAccount(flags, HOST, piped(text), NO_PROMPT)).toEqual({username: 'anna', password: want})
  })

  it.each([
    {name: 'an empty password', flags: {username: 'anna', 'password-stdin': true}, in: '\n', isTTY: false},
    {name: 'no user name', flags: {'password-stdin': true}, in: 'secret', isTTY: false},
    {name: 'a terminal', flags: {username: 'anna', 'password-stdin': true}, in: 'secret', isTTY: true},
    {name: 'no terminal', flags: {username: 'anna', 'password-stdin': false}, in: 'secret', isTTY: false},
    {
      name: 'a password as a flag',
      flags: {username: 'anna', password: 'secret', 'password-stdin': false},
      in: '',
      isTTY: true,
    },
  ])('rejects $name', async ({flags, in: text, isTTY}) => {
    const input = Object.assign(piped(text), {isTTY})
    await expect(readAccount(flags, HOST, input, NO_PROMPT)).rejects.toMatchObject({
      code: 'usage',
      message: expect.not.stringContaining('secret') as unknown,
      suggestions: expect.arrayContaining([
        expect.stringContaining(`registry login ${HOST} --username ${flags.username ?? 'NAME'} `),
      ]) as unknown,
    })
  })

  /** A terminal on which keys are pressed when it is read. */
  function terminal(...keys: readonly string[]) {
    const raw: boolean[] = []
    const stream = new PassThrough()
    const input = Object.assign(stream, {isTTY: true, setRawMode: (isRaw: boolean) => raw.push(isRaw)})
    for (const key of keys) stream.write(key)
    const shown: string[] = []
    return {input, raw, shown, output: {write: (text: string) => shown.push(text)}}
  }

  it('prompts on a terminal, and shows the user name but not the password', async () => {
    const {input, raw, shown, output} = terminal('anmn\x7f\x7fn', 'a\r')
    const answer = readAccount({'password-stdin': false}, HOST, input, output)
    await new Promise(setImmediate)
    input.write('old\x15se\b')
    input.write('ecret\r')
    expect(await answer).toEqual({username: 'anna', password: 'secret'})
    expect(raw).toEqual([true, false, true, false])
    expect(shown.join('')).toBe('Username: anmn\b \b\b \bna\nPassword: \n')
  })

  it('rejects a prompt that is closed', async () => {
    const {input, output} = terminal('\x04')
    expect(
      await outcome(() => readAccount({username: 'a', 'password-stdin': false}, HOST, input, output)),
    ).toBe('usage')
  })
})
