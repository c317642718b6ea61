import {beforeAll, expect, it} from '@jest/globals'
import {readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {programCommand} from '../built-program.js'
import {canary, disguises} from '../canary.js'
import {missingTool} from '../missing-tool.js'
import {LOOPBACK, privateAuthority} from '../private-authority.js'
import type {Certificate, PrivateAuthority} from '../private-authority.js'
import {describeReal} from '../real-parts.js'
import {DOCKER_REGISTRY_TOOLS, dockerRegistries} from '../registry/docker-registry.js'
import {runProgram} from '../run-program.js'
import {temporaryFolder} from '../temporary-folder.js'

const folder = temporaryFolder()

/** Each exchange with the door of a registry, the first of which finds out whether it speaks TLS. */
const TRACED = /^(?:GET|HEAD) https?:\/\/127\.0\.0\.1:\d+\/v2\/ (?:200|401|tls-refused) \d+ ms$/

describeReal('login to docker-registry', missingTool('openssl', ...DOCKER_REGISTRY_TOOLS), () => {
  const start = dockerRegistries()
  const account = {username: 'anna', password: canary('login')}
  const hosts = {open: '', locked: '', tls: '', mutual: ''}
  let authority: PrivateAuthority
  let client: Certificate
  beforeAll(async () => {
    programCommand()
    authority = privateAuthority(folder)
    client = authority.issue('client', ['DNS:client.example.org'])
    const tls = authority.issue('registry', LOOPBACK)
    hosts.open = (await start()).host
    hosts.locked = (await start({account})).host
    hosts.tls = (await start({account, tls})).host
    hosts.mutual = (await start({account, tls, clientAuthority: authority.certFile})).host
  })

  let runs = 0
  async function registry(
    verb: string,
    args: readonly string[],
    input = account.password,
    authFile?: string,
  ) {
    const path = authFile ?? join(folder, `docker-${(runs += 1)}`, 'config.json')
    const env = {REGISTRY_AUTH_FILE: path}
    const command = programCommand('registry', verb, ...args, '--debug')
    const {status, stdout, stderr} = await runProgram(...command, {env, input})
    for (const secret of disguises(account.password, account.username)) {
      expect(stdout + stderr).not.toContain(secret)
    }
    return {status, stdout, stderr, path}
  }
  const asAnna = ['--username', 'anna', '--password-stdin']
  const trusting = () => ['--ca-file', authority.certFile]
  const showing = () => ['--client-cert', client.certFile, '--client-key', client.keyFile]

  it.each([
    {name: 'without an account', reason: 'accepts all users', at: 'open', args: () => []},
    {name: 'with an account', reason: 'plain HTTP is found on loopback', at: 'locked', args: () => []},
    {name: 'in plain HTTP', reason: 'requested', at: 'locked', args: () => ['--plain-http']},
    {name: 'in TLS', reason: 'its authority is trusted', at: 'tls', args: trusting},
    {
      name: 'in TLS',
      reason: 'every certificate is accepted',
      at: 'tls',
      args: () => ['--insecure-skip-tls-verify'],
    },
    {
      name: 'that requires a client certificate',
      reason: 'it gets one',
      at: 'mutual',
      args: () => [...trusting(), ...showing()],
    },
  ] as const)('$name: $reason', async ({at, args}) => {
    const {status, stdout, stderr, path} = await registry(
      'login',
      [hosts[at], ...asAnna, ...args()],
      `${account.password}\n`,
    )
    const isTraced = stderr
      .split('\n')
      .slice(0, -1)
      .every(line => TRACED.test(line))
    expect({status, isTraced, stderr}).toEqual({
      status: 0,
      isTraced: true,
      stderr: expect.not.stringMatching(/^$/),
    })
    expect(stdout).toContain(path)
    const auth = Buffer.from(`anna:${account.password}`).toString('base64')
    expect(readFileSync(path, 'utf8')).toBe(JSON.stringify({auths: {[hosts[at]]: {auth}}}, null, '\t'))
    expect([statSync(path).mode & 0o777, statSync(join(path, '..')).mode & 0o777]).toEqual([0o600, 0o700])
    const out = await registry('logout', [hosts[at], '--output', 'json'], '', path)
    expect(JSON.parse(out.stdout)).toMatchObject({
      kind: 'RegistryLogout',
      registry: hosts[at],
      wasKnown: true,
    })
    expect(readFileSync(path, 'utf8')).toBe('{\n\t"auths": {}\n}')
  })

  it.each([
    {
      name: 'a wrong password',
      reason: 'is not kept',
      at: 'locked',
      args: () => asAnna,
      input: 'wrong',
      code: 'access-denied',
    },
    {
      name: 'an unknown authority',
      reason: 'is not trusted',
      at: 'tls',
      args: () => asAnna,
      code: 'tls-refused',
    },
    {
      name: 'no client certificate',
      reason: 'it is required',
      at: 'mutual',
      args: () => [...asAnna, ...trusting()],
      code: 'access-denied',
    },
    {
      name: 'plain HTTP',
      reason: 'it uses TLS',
      at: 'tls',
      args: () => [...asAnna, '--plain-http'],
      code: 'registry-failed',
    },
    {
      name: 'half a client certificate',
      reason: 'is none',
      at: 'mutual',
      args: () => [...asAnna, '--client-key', client.keyFile],
      code: 'usage',
    },
    {
      name: 'no --password-stdin',
      reason: 'never as a flag',
      at: 'locked',
      args: () => ['--username', 'anna'],
      code: 'usage',
    },
    {
      name: 'an empty password',
      reason: 'is none',
      at: 'locked',
      args: () => asAnna,
      input: '\n',
      code: 'usage',
    },
    {
      name: 'a password without end',
      reason: 'is none',
      at: 'locked',
      args: () => asAnna,
      input: 'x'.repeat(70_000),
      code: 'usage',
    },
    {
      name: 'a user with a colon',
      reason: 'HTTP has none',
      at: 'locked',
      args: () => ['--username', 'a:b', '--password-stdin'],
      code: 'usage',
    },
  ] as const)('rejected: $name ($reason)', async ({at, args, code, ...rest}) => {
    const input = 'input' in rest ? rest.input : account.password
    const {status, stderr, path} = await registry('login', [hosts[at], ...args(), '--output', 'json'], input)
    const [told = ''] = stderr.split(/^(?=CrossplaneError)/m)
    expect(JSON.parse(told.slice(told.indexOf('{')))).toMatchObject({kind: 'Error', code})
    expect(status).toBe({usage: 2, 'tls-refused': 4}[code as string] ?? 1)
    expect(() => statSync(path)).toThrow('ENOENT')
  })

  it.each(['https://r.example.org', 'r.example.org/team', 'single', ''])(
    'rejects the registry %s',
    async host => {
      const {status} = await registry('login', [host, ...asAnna])
      expect(status).toBe(2)
    },
  )
})
