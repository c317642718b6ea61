import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {chmodSync, writeFileSync} from 'node:fs'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {join, resolve} from 'node:path'
import {programCommand} from '../built-program.js'
import {proxyServer} from '../fakes/proxy-server.js'
import type {Demand} from '../fakes/registry-doorkeeper.js'
import {closed, listening, originOf, startRegistry} from '../fakes/registry-server.js'
import type {RegistryOptions, RegistryServer} from '../fakes/registry-server.js'
import {listener} from '../listening.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {DOCKER_REGISTRY_TOOLS, dockerRegistries} from '../registry/docker-registry.js'
import {SecretWatch, type WatchedRun} from './secret-watch.js'

const COUNTER = resolve('test/testdata/packages/image-counter')
const BUG = join(import.meta.dirname, 'bug-in-http.cjs')

beforeAll(() => {
  programCommand()
})

const encoded = (password: string) => Buffer.from(`anna:${password}`).toString('base64')
const configFor = (host: string, password: string) => ({auths: {[host]: {auth: encoded(password)}}})

/** Everything that goes on with a registry that wants `credentials`, an entry of docker's config, and what goes wrong. */
async function everything(
  watch: SecretWatch,
  host: string,
  credentials: object,
  flags: readonly string[] = [],
) {
  const reference = `${host}/team/counter:0.3.0`
  const right = {config: {auths: {[host]: credentials}}}
  const wrong = {config: configFor(host, watch.secret('wrong'))}
  const package_ = async (args: readonly string[], options: WatchedRun) =>
    (await watch.run(['package', ...args, ...flags], options)).status
  return {
    push: await package_(['push', reference, COUNTER], right),
    pull: await package_(['pull', reference], right),
    render: await package_(['render', reference, '--namespace', 'a', '--no-cache'], right),
    inspect: await package_(['inspect', reference], right),
    absent: await package_(['pull', `${host}/team/absent:v1`], right),
    wrong: await package_(['pull', reference, '--no-cache'], wrong),
    wrongPush: await package_(['push', reference, COUNTER], wrong),
    nobody: await package_(['pull', reference, '--no-cache'], {}),
    bug: await package_(['pull', reference, '--no-cache'], {...right, preloaded: BUG}),
  }
}

const AS_WANTED = {
  ...{push: 0, pull: 0, render: 0, inspect: 0, absent: 1},
  ...{wrong: 1, wrongPush: 1, nobody: 1, bug: 1},
}

async function logins(watch: SecretWatch, host: string, password: string, flags: readonly string[] = []) {
  const login = async (input: string) => {
    const args = ['registry', 'login', host, '--username', 'anna', '--password-stdin', ...flags]
    return (await watch.run(args, {input})).status
  }
  const config = configFor(host, password)
  return {
    right: await login(`${password}\n`),
    wrong: await login(watch.secret('wrong-login')),
    asArgument: (
      await watch.run(['registry', 'login', host, '--username', 'anna'], {input: password, config})
    ).status,
    logout: (await watch.run(['registry', 'logout', host], {config})).status,
  }
}

const LOGINS_AS_WANTED = {right: 0, wrong: 1, asArgument: 2, logout: 0}

describe('the watch for secrets', () => {
  it('finds one that is printed, stored or used as a file name', async () => {
    const watch = new SecretWatch()
    const [printed, kept, named] = ['printed', 'kept', 'named'].map(name => watch.secret(name))
    expect(watch.leaks()).toEqual([])
    await watch.run(['package', 'pull', `./${Buffer.from(`x${printed ?? ''}`).toString('base64')}`])
    writeFileSync(join(watch.place('tmp'), 'bug.log'), `Bearer ${kept ?? ''}`)
    writeFileSync(join(watch.place('cache'), named ?? ''), '')
    expect(watch.leaks().map(leak => leak.split(' ')[0])).toEqual([printed, kept, named])
  })
})

describeReal('secrets of docker-registry', missingTool(...DOCKER_REGISTRY_TOOLS), () => {
  const start = dockerRegistries()

  it('with htpasswd are not printed or stored', async () => {
    const watch = new SecretWatch()
    const password = watch.secret('htpasswd')
    const {host} = await start({account: {username: 'anna', password}})
    expect(await everything(watch, host, {auth: encoded(password)})).toEqual(AS_WANTED)
    expect(await logins(watch, host, password)).toEqual(LOGINS_AS_WANTED)
    expect(watch.leaks()).toEqual([])
    expect(watch.files.filter(path => path.endsWith('bug.log'))).toHaveLength(1)
    expect(watch.bytesPrinted).toBeGreaterThan(10_000)
  })
})

describe('secrets of a registry', () => {
  const watch = new SecretWatch()
  const password = watch.secret('password')
  const identityToken = watch.secret('identity')
  watch.add('canary-of-a-signature')
  watch.add('canary%2Fof+a+state')
  const account = {username: 'anna', password}
  const servers: RegistryServer[] = []
  afterAll(() => Promise.all(servers.map(server => server.close())))
  async function start(options: RegistryOptions) {
    const server = await startRegistry(options)
    servers.push(server)
    return server
  }

  const auth = encoded(password)
  it.each<{name: string; demand: Demand; in: object}>([
    {name: 'with Basic', demand: {kind: 'basic', ...account}, in: {auth}},
    {name: 'with tokens for a password', demand: {kind: 'bearer', ...account}, in: {auth}},
    {
      name: 'with tokens for an identity token',
      demand: {kind: 'bearer', ...account, identityToken},
      in: {identitytoken: identityToken},
    },
    {name: 'with tokens that are soon used up', demand: {kind: 'bearer', ...account, uses: 2}, in: {auth}},
  ])('$name are not printed, and not sent to another host', async ({demand, in: credentials}) => {
    const server = await start({demand, redirectsBlobs: true})
    expect(await everything(watch, server.host, credentials)).toEqual(AS_WANTED)
    expect(await logins(watch, server.host, password)).toEqual(LOGINS_AS_WANTED)
    for (const token of server.tokens()) watch.add(token)
    expect(server.tokens().length > 0).toBe(demand.kind === 'bearer')
    expect(server.seenByStorage.length).toBeGreaterThan(0)
    expect(server.seenByStorage.filter(({authorization}) => authorization !== undefined)).toEqual([])
    expect(watch.leaks()).toEqual([])
  })

  it('are not in a bug report', () => {
    expect(watch.files.filter(path => path.endsWith('bug.log'))).toHaveLength(4)
    expect(watch.leaks()).toEqual([])
  })
})

describe('secrets of a proxy', () => {
  const listen = listener()
  it('are not printed or stored, whether the proxy accepts them or not', async () => {
    const watch = new SecretWatch()
    const [password, proxyPassword] = [watch.secret('behind'), watch.secret('proxy')]
    const registry = await startRegistry({demand: {kind: 'basic', username: 'anna', password}})
    const {server, asked} = proxyServer({account: `anna:${proxyPassword}`})
    const port = await listen(server)
    const host = `registry.test:${new URL(`http://${registry.host}`).port}`
    const through = (secret: string) => {
      const url = `http://anna:${secret}@127.0.0.1:${port}`
      return {HTTP_PROXY: url, HTTPS_PROXY: url}
    }
    const config = configFor(host, password)
    const reference = `${host}/team/counter:0.3.0`
    const run = async (args: readonly string[], secret: string) =>
      (await watch.run(args, {config, env: through(secret)})).status
    const plain = ['--plain-http']
    // Past the proxy of the tests, which leaves queries out.
    const push = ['package', 'push', `${registry.host}/team/counter:0.3.0`, COUNTER]
    expect((await watch.run(push, {config: configFor(registry.host, password)})).status).toBe(0)
    expect(await run(['package', 'pull', reference, ...plain], proxyPassword)).toBe(0)
    expect(
      await run(['package', 'pull', reference, '--no-cache', ...plain], watch.secret('wrong-proxy')),
    ).toBe(1)
    expect(await run(['package', 'pull', reference, '--no-cache'], watch.secret('wrong-tunnel'))).toBe(1)
    expect(await run(['package', 'pull', reference, '--no-cache'], '%zz')).toBe(2)
    expect(asked.length).toBeGreaterThan(5)
    expect(watch.leaks()).toEqual([])
    await registry.close()
  })
})

describe('secrets of credential helpers', () => {
  it('are not printed or stored, whatever the helper does', async () => {
    const watch = new SecretWatch()
    const password = watch.secret('helper')
    const server = await startRegistry({demand: {kind: 'bearer', username: 'anna', password}})
    const folder = watch.newFolder()
    const helper = (name: string, script: string) => {
      const path = join(folder, `docker-credential-${name}`)
      writeFileSync(path, `#!/bin/sh\n${script}\n`)
      chmodSync(path, 0o755)
    }
    const document = JSON.stringify({Username: 'anna', Secret: password})
    helper('good', `cat > /dev/null; [ "$1" != get ] || echo '${document}'`)
    helper('failing', `cat >&2; echo 'no ${password}' >&2; echo '${password} is wrong'; exit 1`)
    helper('garbled', `cat > /dev/null; echo '${document.slice(0, -1)}'`)
    const run = async (args: readonly string[], credsStore: string, input = '') => {
      const env = {PATH: `${folder}:${process.env.PATH ?? ''}`}
      return (await watch.run(args, {config: {credsStore}, env, input})).status
    }
    const reference = `${server.host}/team/counter:0.3.0`
    const login = ['registry', 'login', server.host, '--username', 'anna', '--password-stdin']
    expect(await run(['package', 'push', reference, COUNTER], 'good')).toBe(0)
    expect(await run(login, 'good', password)).toBe(0)
    expect(await run(['registry', 'logout', server.host], 'good')).toBe(0)
    for (const name of ['failing', 'garbled']) {
      expect(await run(['package', 'pull', reference, '--no-cache'], name)).toBe(1)
      await run(['registry', 'logout', server.host], name)
    }
    expect(await run(login, 'failing', password)).toBe(1)
    for (const token of server.tokens()) watch.add(token)
    expect(watch.leaks()).toEqual([])
    await server.close()
  })
})

/** How a server could tell what it was shown, by the first segment of a repository. */
const ECHOES: Readonly<Record<string, (shown: string, response: ServerResponse, origin: string) => void>> = {
  reason: (shown, response) =>
    response.writeHead(403).end(JSON.stringify({errors: [{code: 'DENIED', message: `you sent ${shown}`}]})),
  code: (shown, response) => response.writeHead(400).end(JSON.stringify({errors: [{code: shown}]})),
  page: (shown, response) => response.writeHead(200, {'content-type': 'text/html'}).end(shown),
  realm: (shown, response) =>
    response.writeHead(401, {'www-authenticate': `Bearer realm="ftp://example.org/${shown}"`}).end(),
  scheme: (shown, response) => response.writeHead(401, {'www-authenticate': `${shown} a="b"`}).end(),
  token: (shown, response, origin) =>
    response.writeHead(401, {'www-authenticate': `Bearer realm="${origin}/token/${shown}"`}).end(),
  place: (shown, response) => response.writeHead(307, {location: `/v2/${shown}/`}).end(),
  elsewhere: (shown, response) => response.writeHead(307, {location: `ftp://example.org/${shown}`}).end(),
  patience: (shown, response) => response.writeHead(403, {'retry-after': shown}).end(),
  type: (shown, response) =>
    response
      .writeHead(200, {'content-type': `application/${shown}`, 'docker-content-digest': ZEROS})
      .end('{}'),
  digest: (shown, response) =>
    response.writeHead(200, {'docker-content-digest': `sha256:${shown}`}).end('{}'),
}

const ZEROS = `sha256:${'0'.repeat(64)}`

describe('secrets that a server repeats', () => {
  it.each(Object.keys(ECHOES).flatMap(echo => ['password', 'header'].map(what => ({echo, what}))))(
    'as a $echo ($what) are not printed or stored',
    async ({echo, what}) => {
      const watch = new SecretWatch()
      const password = watch.secret('repeated')
      const shown = what === 'password' ? password : encoded(password)
      let repeated = 0
      const server = await listening((request: IncomingMessage, response) => {
        if (request.headers.authorization === undefined) {
          response.writeHead(401, {'www-authenticate': 'Basic realm="tests"'}).end()
        } else {
          repeated += 1
          ECHOES[echo]?.(shown, response, originOf(server))
        }
        return Promise.resolve()
      })
      const {host} = new URL(originOf(server))
      const config = configFor(host, password)
      const pulled = await watch.run(['package', 'pull', `${host}/${echo}/package:v1`], {config})
      const newest = await watch.run(['package', 'pull', `${host}/${echo}/package`], {config})
      const login = ['registry', 'login', host, '--username', 'anna', '--password-stdin']
      await watch.run(login, {input: password})
      expect(pulled.status).toBeGreaterThan(0)
      expect(newest.status).toBeGreaterThan(0)
      expect(repeated).toBeGreaterThan(1)
      await closed(server)
      expect(watch.leaks()).toEqual([])
    },
  )
})
