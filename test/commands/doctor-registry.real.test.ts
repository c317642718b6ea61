import {beforeAll, expect, it} from '@jest/globals'
import {mkdtempSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {canary, disguises} from '../canary.js'
import {missingTool} from '../missing-tool.js'
import {LOOPBACK, privateAuthority, type PrivateAuthority} from '../private-authority.js'
import {describeReal} from '../real-parts.js'
import {DOCKER_REGISTRY_TOOLS, dockerRegistries} from '../registry/docker-registry.js'
import {temporaryFolder} from '../temporary-folder.js'
import {ABSENT, doctor} from './run-doctor.js'

const folder = temporaryFolder()

interface Case {
  readonly name: string
  readonly at: 'open' | 'locked' | 'tls'
  readonly password?: string
  readonly args: () => readonly string[]
  readonly want: readonly [status: number, state: string, message: string]
}

describeReal('doctor and docker-registry', missingTool('openssl', ...DOCKER_REGISTRY_TOOLS), () => {
  const start = dockerRegistries()
  const account = {username: 'anna', password: canary('doctor')}
  const hosts = {open: '', locked: '', tls: ''}
  let authority: PrivateAuthority
  beforeAll(async () => {
    authority = privateAuthority(folder)
    hosts.open = (await start()).host
    hosts.locked = (await start({account})).host
    hosts.tls = (await start({account, tls: authority.issue('registry', LOOPBACK)})).host
  })

  /** A file of credentials for a registry. */
  function credentials(host: string, password: string): string {
    const auth = Buffer.from(`anna:${password}`).toString('base64')
    const file = join(mkdtempSync(join(folder, 'auth-')), 'auth.json')
    writeFileSync(file, JSON.stringify({auths: {[host]: {auth}}}))
    return file
  }

  const trusting = () => ['--ca-file', authority.certFile]
  const none = () => []
  it.each([
    {name: 'an open one', at: 'open', args: none, want: [0, 'OK', 'accepts requests without credentials']},
    {
      name: 'one with an account, without credentials',
      at: 'locked',
      args: none,
      want: [0, 'Warning', 'requires authentication, and no credentials are stored'],
    },
    {
      name: 'one with an account, with a wrong password',
      at: 'locked',
      password: 'wrong',
      args: none,
      want: [1, 'Broken', 'authentication failed'],
    },
    {
      name: 'one with an account, with its password',
      at: 'locked',
      password: account.password,
      args: none,
      want: [0, 'OK', 'accepts requests with your credentials'],
    },
    {
      name: 'one with TLS that is not trusted',
      at: 'tls',
      password: account.password,
      args: none,
      want: [1, 'Broken', 'TLS certificate'],
    },
    {
      name: 'one with TLS',
      at: 'tls',
      password: account.password,
      args: trusting,
      want: [0, 'OK', 'accepts requests with your credentials'],
    },
  ] satisfies readonly Case[])(
    'checks $name',
    async ({at, args, want: [status, state, message], ...given}: Case) => {
      const host = hosts[at]
      const REGISTRY_AUTH_FILE = given.password === undefined ? ABSENT : credentials(host, given.password)
      const found = await doctor({REGISTRY_AUTH_FILE}, '--default-source', `${host}/team`, ...args())
      expect({status: found.status, registry: found.of('registry')}).toEqual({
        status,
        registry: [expect.objectContaining({state, message: expect.stringContaining(message)})],
      })
      const shown = JSON.stringify([found.of('registry'), found.stderr])
      for (const secret of disguises(account.password, account.username)) expect(shown).not.toContain(secret)
    },
  )
})
