import {describe, expect, it} from '@jest/globals'
import {chmodSync} from 'node:fs'
import {delimiter, join} from 'node:path'
import {credentialHelpers} from '../../../src/adapters/credentials/credential-helpers.js'
import {credentialsFile} from '../../../src/adapters/credentials/credentials-file.js'
import {dockerKeychain} from '../../../src/registry/credentials/docker-keychain.js'
import type {Credentials} from '../../../src/registry/credentials/keychain.js'
import {canary, disguises} from '../../canary.js'
import {outcome} from '../../outcome.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

const folder = temporaryFolder()
const SECRET = canary('keychain')
const auth = (username: string, secret = SECRET) => Buffer.from(`${username}:${secret}`).toString('base64')
const password = (username: string): Credentials => ({kind: 'password', username, password: SECRET})

/** Helpers as executables; each writes down that it was asked. */
const HELPERS = {
  works: `read -r host; printf '{"ServerURL":"%s","Username":"of %s","Secret":"${SECRET}"}' "$host" "$host"`,
  token: `printf '{"ServerURL":"x","Username":"<token>","Secret":"${SECRET}"}'`,
  blank: 'printf \'{"ServerURL":"x","Username":"","Secret":""}\'',
  empty: 'echo "credentials not found in native keychain"; exit 1',
  crashes: `echo ${SECRET} >&2; echo ${SECRET}; exit 3`,
  killed: 'kill -9 $$',
  garbage: `echo '{"Secret": "${SECRET}"'`,
  list: 'echo "[]"',
  endless: 'while :; do echo 0123456789012345678901234567890123456789; done',
  hangs: 'sleep 60',
}
const bin = join(folder, 'bin')
for (const [name, body] of Object.entries(HELPERS)) {
  const path = `docker-credential-${name}`
  writeTree(bin, {[path]: `#!/bin/sh\necho "$@" >> '${folder}/${name}.asked'\n${body}\n`})
  chmodSync(join(bin, path), 0o755)
}
writeTree(bin, {'docker-credential-noexec': ''})

let configs = 0
/** What a config has for a registry, and the warnings on the way. */
async function look(config: unknown, registry: string, timeoutMs = 20_000) {
  const name = `config-${(configs += 1)}.json`
  const text = typeof config === 'string' ? config : JSON.stringify(config)
  writeTree(folder, config === undefined ? {} : {[name]: text})
  const warnings: string[] = []
  const env = {PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`}
  const keychain = dockerKeychain({
    files: [credentialsFile(join(folder, name))],
    helpers: credentialHelpers({env, timeoutMs}),
    warn: message => warnings.push(message),
  })
  const found = await outcome(() => keychain.credentialsFor(registry))
  const again = await outcome(() => keychain.credentialsFor(registry))
  expect(again).toEqual(found)
  for (const secret of disguises(SECRET)) expect(warnings.join()).not.toContain(secret)
  return {found, warnings: warnings.length}
}

describe('credentials in a file', () => {
  it.each([
    {name: 'no file', reason: 'no login', config: undefined, want: undefined},
    {name: 'an empty file', reason: 'as docker reads it', config: '', want: undefined},
    {
      name: 'auth',
      reason: 'as docker writes it',
      config: {auths: {'r.io': {auth: auth('anna')}}},
      want: password('anna'),
    },
    {
      name: 'a password with colons and NULs at its end',
      reason: 'docker cuts these off',
      config: {auths: {'r.io': {auth: auth('anna', 'a:b\0\0')}}},
      want: {kind: 'password', username: 'anna', password: 'a:b'},
    },
    {
      name: 'name and password',
      reason: 'as in pull secrets',
      config: {auths: {'r.io': {username: 'anna', password: SECRET}}},
      want: password('anna'),
    },
    {
      name: 'an identity token',
      reason: 'wins over a password',
      config: {auths: {'r.io': {auth: auth('anna'), identitytoken: SECRET}}},
      want: {kind: 'identity-token', token: SECRET},
    },
    ...['https://r.io', 'https://r.io/v2/', 'http://r.io', 'r.io/', 'r.io/v1/'].map(key => ({
      name: key,
      reason: 'the same host',
      config: {auths: {[key]: {auth: auth('anna')}}},
      want: password('anna'),
    })),
    ...['R.io.example.org', 'x.r.io', 'r.io:5000', 'r.io/team', 'https://r.io:5000', 'r.io.'].map(key => ({
      name: key,
      reason: 'another host, or only a part of it',
      config: {auths: {[key]: {auth: auth('anna')}}},
      want: undefined,
    })),
    {
      name: 'the exact key',
      reason: 'wins',
      config: {auths: {'https://r.io': {auth: auth('bert')}, 'r.io': {auth: auth('anna')}}},
      want: password('anna'),
    },
    {
      name: 'an entry without anything',
      reason: 'a helper has it',
      config: {auths: {'r.io': {}}},
      want: undefined,
    },
    {
      name: 'a broken entry of another',
      reason: 'not requested',
      config: {auths: {'q.io': {auth: '%'}}},
      want: undefined,
    },
    {
      name: 'no JSON',
      reason: 'would be forgotten silently',
      config: `{"auths": "${SECRET}`,
      want: 'credentials-failed',
    },
    {name: 'a list', reason: 'is not a config', config: [], want: 'credentials-failed'},
    {name: 'auths as a list', reason: 'is not a config', config: {auths: []}, want: 'credentials-failed'},
    {
      name: 'no base64',
      reason: 'is not an auth',
      config: {auths: {'r.io': {auth: '%'}}},
      want: 'credentials-failed',
    },
    {
      name: 'no colon',
      reason: 'is not an auth',
      config: {auths: {'r.io': {auth: 'YW5uYQ=='}}},
      want: 'credentials-failed',
    },
    {
      name: 'a number',
      reason: 'is not an auth',
      config: {auths: {'r.io': {auth: 1}}},
      want: 'credentials-failed',
    },
  ])('$name: $reason', async ({config, want}) => {
    expect(await look(config, 'r.io')).toEqual({found: want, warnings: 0})
  })

  it.each(['https://index.docker.io/v1/', 'docker.io', 'index.docker.io', 'registry-1.docker.io'])(
    'docker.io has the key of %s',
    async key => {
      const {found} = await look({auths: {[key]: {auth: auth('anna')}}}, 'docker.io')
      expect(found).toEqual(password('anna'))
    },
  )
})

describe('credentials of helpers', () => {
  const stored = {auths: {'r.io': {auth: auth('anna')}}}

  it.each([
    {
      name: 'credsStore',
      reason: 'for every registry',
      config: {credsStore: 'works'},
      want: password('of r.io'),
    },
    {
      name: 'credHelpers',
      reason: 'wins',
      config: {credsStore: 'crashes', credHelpers: {'r.io': 'works'}},
      want: password('of r.io'),
    },
    {
      name: 'credHelpers of another',
      reason: 'ignored',
      config: {credHelpers: {'q.io': 'works'}},
      want: undefined,
    },
    {
      name: 'a token',
      reason: 'as <token>',
      config: {credsStore: 'token'},
      want: {kind: 'identity-token', token: SECRET},
    },
    {
      name: 'the file',
      reason: 'where the helper has none',
      config: {...stored, credsStore: 'empty'},
      want: password('anna'),
    },
    {name: 'nothing', reason: 'in the usual way', config: {credsStore: 'empty'}, want: undefined},
    {name: 'nothing', reason: 'with empty strings', config: {credsStore: 'blank'}, want: undefined},
  ])('$name: $reason', async ({config, want}) => {
    expect(await look(config, 'r.io')).toEqual({found: want, warnings: 0})
  })

  it('docker.io has its old key', async () => {
    const {found} = await look({credsStore: 'works'}, 'docker.io')
    expect(found).toEqual(password('of https://index.docker.io/v1/'))
  })

  it.each(['crashes', 'killed', 'garbage', 'list', 'endless', 'missing', 'noexec', '../works', 'a b'])(
    'a failing one (%s) gives one warning and no error',
    async name => {
      expect(await look({credsStore: name}, 'r.io')).toEqual({found: undefined, warnings: 1})
      expect(await look({...stored, credsStore: name}, 'r.io')).toEqual({
        found: password('anna'),
        warnings: 1,
      })
    },
  )

  it('one that does not end is stopped', async () => {
    expect(await look({credsStore: 'hangs'}, 'r.io', 300)).toEqual({found: undefined, warnings: 1})
  })
})

describe('credentials in several files', () => {
  it('are those of the first file that has any', async () => {
    writeTree(folder, {
      'podman.json': JSON.stringify({auths: {'r.io': {auth: auth('podman')}}}),
      'docker.json': JSON.stringify({
        auths: {'r.io': {auth: auth('docker')}, 'q.io': {auth: auth('docker')}},
      }),
    })
    const keychain = dockerKeychain({
      files: ['podman.json', 'absent.json', 'docker.json'].map(name => credentialsFile(join(folder, name))),
      helpers: credentialHelpers({env: {}}),
      warn: () => undefined,
    })
    expect(await Promise.all(['r.io', 'q.io', 'p.io'].map(each => keychain.credentialsFor(each)))).toEqual([
      password('podman'),
      password('docker'),
      undefined,
    ])
  })
})
