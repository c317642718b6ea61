import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {asObject, asText} from 'kubectl-crossplane/plugin'
import {join} from 'node:path'
import {redisService} from '../../../examples/services/redis/src/redis-service.js'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, until} from '../../../test/cluster/kube.js'
import {runIn} from '../../../test/commands/cluster/installing.js'
import {missingTool} from '../../../test/missing-tool.js'
import {describeReal} from '../../../test/real-parts.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'
import {runTrace} from '../../trace/test/traced-cluster.js'
import {RedisCluster} from './redis/redis-cluster.js'
import {kubeconfigWith, type ProviderProcess, startProvider} from './redis/provider-process.js'
import {type RedisServer, startRedis} from './redis/redis-server.js'
import {type RealRunner, startRunner} from './stories/real-runner.js'

jest.setTimeout(240_000)

/** More of them with another number: `REDIS_CLAIMS=100`. */
const CLAIMS = Number(process.env.REDIS_CLAIMS ?? 20)
const NAMES = Array.from({length: CLAIMS}, (_, at) => `login${at}`)
/** What `trace` prints of a claim that is served. */
const TRACE = `RedisLogin team/app: Ready (Bound)
├── spec.classRef: RedisUserClass shared: Ready
│   └── specTemplate.providerRef: Provider redis: Ready
│       └── spec.credentialsSecretRef: Secret crossplane-system/redis: Ready
├── spec.resourceRef: RedisUser USER: Ready (Bound)
│   ├── spec.claimRef: RedisLogin team/app (cycle)
│   ├── spec.classRef: RedisUserClass shared (as above)
│   ├── spec.providerRef: Provider redis (as above)
│   └── spec.writeConnectionSecretToRef: Secret crossplane-system/SECRET: Ready
├── spec.writeConnectionSecretToRef: Secret team/app: Ready
└── owned: Secret team/app (as above)
`
const PACKAGE = 'examples/services/redis/provider-redis'

const suite = (body: typeof describeBody) => {
  const missing = missingTool('redis-server')
  if (missing !== undefined) describeReal('the provider of Redis users', missing, () => undefined)
  else describeCluster({version: 'current', pods: true}, 'the provider of Redis users', body)
}

function describeBody(cluster: Parameters<Parameters<typeof describeCluster>[2]>[0]): void {
  const folder = temporaryFolder()
  let redis: RedisServer
  let started: RedisServer | undefined
  let runner: RealRunner | undefined
  let token = ''
  const objects = () => new RedisCluster(cluster().kube)
  const start = () => startRunner(cluster(), [redisService()], {token})

  beforeAll(async () => {
    redis = started = await startRedis()
    const image = `oci:${join(folder, 'image')}:v0.1.0`
    const name = ['--as-package', 'example/provider-redis:v0.1.0']
    for (const args of [
      ['package', 'build', image, PACKAGE],
      [
        'package',
        'install',
        image,
        ...name,
        '--with-package-api',
        '--create-namespace',
        '--yes',
        '--no-wait',
      ],
    ]) {
      const {status, stderr} = await runIn(cluster(), ...args)
      expect({args, status, stderr: status === 0 ? '' : stderr}).toEqual({args, status: 0, stderr: ''})
    }
    const path = '/api/v1/namespaces/crossplane-system/serviceaccounts/example-provider-redis/token'
    const request = {apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {}}
    token = asText(asObject(accepted(await cluster().kube.send('POST', path, request)).status).token)
    await objects().createProvider(redis.url)
    runner = start()
  })

  afterAll(async () => {
    // A failed beforeAll leaves some of them unset.
    await runner?.stop()
    await started?.stop()
  })

  const canLogIn = async ({username = '', password = ''}: Readonly<Record<string, string>>) => {
    const result = await redis.login(username, password).catch((error: unknown) => String(error))
    if (typeof result !== 'string') result.close()
    return typeof result === 'string' ? result : true
  }
  /** Waits until the server accepts the password in the secret of a claim. */
  const accepts = async (claim: string) =>
    await until(
      async () => await canLogIn(await objects().secret(claim)),
      result => result === true,
    )

  it('gives a claim a user with a generated password, for the keys of its namespace', async () => {
    await objects().claim('app')
    const {username = '', password = ''} = await objects().details('app')
    const connection = await redis.login(username, password)
    const signal = AbortSignal.timeout(20_000)
    expect(await connection.send(['SET', 'team:a', '1'], signal)).toBe('OK')
    for (const command of [['SET', 'other:a', '1'], ['SCAN', '0'], ['ACL', 'LIST'], ['FLUSHALL']]) {
      await expect(connection.send(command, signal)).rejects.toThrow('NOPERM')
    }
    connection.close()
  })

  it('lets trace show a claim, its user, class, provider and secrets', async () => {
    await objects().synced('app')
    const user = (await objects().userOf('app')) ?? {}
    const name = asText(asObject(user.metadata).name)
    const secret = asText(asObject(asObject(user.spec).writeConnectionSecretToRef).name)
    const {status, stdout, stderr} = await runTrace(cluster(), 'redislogin', 'app', '-n', 'team')
    const tree = stdout.replaceAll(name, 'USER').replaceAll(secret, 'SECRET')
    expect({status, tree, stderr}).toEqual({status: 0, tree: TRACE, stderr: ''})
  })

  it('writes nothing to a server whose users are as requested', async () => {
    await objects().synced('app')
    const writes = async () => {
      const stats = String(await redis.run('INFO', 'commandstats'))
      return /cmdstat_acl\|save:calls=(\d+)/.exec(stats)?.[1]
    }
    const observed = async () => {
      const stats = String(await redis.run('INFO', 'commandstats'))
      return Number(/cmdstat_acl\|getuser:calls=(\d+)/.exec(stats)?.[1])
    }
    const [before, observations] = [await writes(), await observed()]
    await until(observed, count => count > observations + 4)
    expect(await writes()).toBe(before)
  })

  it('rotates a password without a rejected login, and ends the old one', async () => {
    const before = await objects().details('app')
    const user = before.username ?? ''
    const rejected: unknown[] = []
    let logins = 0
    await objects().setParameters(user, {rotation: '2'})
    await until(
      async () => {
        const result = await canLogIn(await objects().secret('app'))
        if (result === true) logins++
        else rejected.push(result)
        return await canLogIn(before)
      },
      result => result !== true,
      60,
    )
    const after = await objects().secret('app')
    expect({rejected, isNew: after.password !== before.password}).toEqual({rejected: [], isNew: true})
    expect(logins).toBeGreaterThan(10)
    expect(await canLogIn(after)).toBe(true)
  })

  it.each([
    {name: 'rights added by hand', command: (user: string) => ['ACL', 'SETUSER', user, '+@all', '~*', '&*']},
    {name: 'a user that needs no password', command: (user: string) => ['ACL', 'SETUSER', user, 'nopass']},
    {name: 'a password added by hand', command: (user: string) => ['ACL', 'SETUSER', user, '>other']},
    {name: 'a disabled user', command: (user: string) => ['ACL', 'SETUSER', user, 'off']},
    {name: 'a reset user', command: (user: string) => ['ACL', 'SETUSER', user, 'reset']},
    {name: 'a deleted user', command: (user: string) => ['ACL', 'DELUSER', user]},
  ])('repairs $name', async ({command}) => {
    const {username = ''} = await objects().secret('app')
    const rules = async () => JSON.stringify(await redis.run('ACL', 'GETUSER', username))
    const before = await rules()
    await redis.run(...command(username))
    expect(await rules()).not.toBe(before)
    await until(rules, text => text === before)
  })

  it('writes a lost password again, as a new one', async () => {
    const before = await objects().secret('app')
    const secret = asText(
      asObject(asObject((await objects().userOf('app'))?.spec).writeConnectionSecretToRef).name,
    )
    await objects().deleteSecret(secret)
    await until(
      async () => await objects().secret('app'),
      ({password}) => password !== before.password,
    )
    await accepts('app')
    await until(
      async () => await canLogIn(before),
      result => result !== true,
    )
  })

  it('creates the users again, with their passwords, after a restart of the server', async () => {
    const before = await objects().secret('app')
    await redis.restart(async () => await objects().synced('app', 'failed: '))
    await accepts('app')
    expect((await objects().secret('app')).password).toBe(before.password)
  })

  it('reports wrong credentials without showing them, and continues with the right ones', async () => {
    const wrong = 'wrong-password-of-the-provider'
    await objects().setCredentials(redis.url.replace(redis.password, wrong))
    await objects().synced('app', 'connect failed: WRONGPASS')
    await objects().setCredentials('https://user:wrong-password-of-the-provider@example.org')
    await objects().synced('app', 'the credentials are not redis://USER:PASSWORD@HOST:PORT')
    await objects().setCredentials(redis.url)
    await objects().synced('app')
    expect(await canLogIn(await objects().secret('app'))).toBe(true)
  })

  it('waits for a server that accepts no more connections', async () => {
    const admin = await redis.login('default', redis.password)
    const send = async (...command: string[]) => await admin.send(command, AbortSignal.timeout(20_000))
    await send('CONFIG', 'SET', 'maxclients', '1')
    await send('CLIENT', 'KILL', 'TYPE', 'normal')
    await objects().synced('app', 'connect failed: ')
    await send('CONFIG', 'SET', 'maxclients', '1000')
    admin.close()
    await objects().synced('app')
  })

  it('creates users on a server without free memory', async () => {
    await redis.run('CONFIG', 'SET', 'maxmemory', '1')
    await objects().claim('full')
    const {username = '', password = ''} = await objects().details('full')
    const connection = await redis.login(username, password)
    await expect(connection.send(['SET', 'team:b', '1'], AbortSignal.timeout(20_000))).rejects.toThrow('OOM')
    connection.close()
    await redis.run('CONFIG', 'SET', 'maxmemory', '0')
    await objects().deleteClaim('full')
  })

  it('gives no claim the user of others', async () => {
    await objects().claim('greedy', {'crossplane.io/external-name': 'default'})
    expect((await objects().details('greedy')).username).not.toBe('default')
    expect(await canLogIn({username: 'default', password: redis.password})).toBe(true)
    await objects().deleteClaim('greedy')
    await until(
      async () => await objects().userOf('greedy'),
      user => user === undefined,
    )
  })

  it(`serves ${CLAIMS} claims with a user for each`, async () => {
    await Promise.all(NAMES.map(async name => await objects().claim(name)))
    const details = await Promise.all(NAMES.map(async name => await objects().details(name)))
    expect(await Promise.all(details.map(canLogIn))).toEqual(NAMES.map(() => true))
    expect(new Set(details.map(({password}) => password)).size).toBe(CLAIMS)
    const names = details.map(({username = ''}) => username)
    const expected = [...names, (await objects().secret('app')).username].sort()
    await until(
      async () => await redis.users(),
      users => JSON.stringify(users) === JSON.stringify(expected),
    )
  })

  it('writes no passwords into logs, Events and statuses', async () => {
    const secrets = await Promise.all(['app', ...NAMES].map(async name => await objects().secret(name)))
    const passwords = [redis.password, 'wrong-password', ...secrets.map(({password = '?'}) => password)]
    const texts = JSON.stringify([
      runner?.log,
      await objects().list('/api/v1/events'),
      await objects().managed(),
    ])
    expect(passwords.filter(password => texts.includes(password))).toEqual([])
  })

  it('leaves nothing when the claims are deleted', async () => {
    await Promise.all(['app', ...NAMES].map(async name => await objects().deleteClaim(name)))
    await until(
      async () => [await redis.users(), await objects().managed(), await objects().secrets()],
      lists => lists.every(({length}) => length === 0),
      60,
    )
  })

  it('runs as one of two processes with the rights of the package, and ends when it is stopped', async () => {
    await runner?.stop()
    runner = undefined
    const kubeconfig = kubeconfigWith(cluster(), token, join(folder, 'kubeconfig'))
    const logs = async (process: ProviderProcess, text: string) =>
      await until(
        () => Promise.resolve(process.log()),
        log => log.includes(text),
        60,
      )
    const provider = startProvider(kubeconfig)
    // The package has no rights on Leases.
    await logs(provider, 'the ConfigMap services.redisuser.redis.example.org is enough')
    const other = startProvider(kubeconfig)
    await logs(other, 'waiting for the ConfigMap of')
    await objects().claim('process')
    expect(await canLogIn(await objects().details('process'))).toBe(true)
    await objects().deleteClaim('process')
    await until(
      async () => await redis.users(),
      users => users.length === 0,
      60,
    )
    provider.kill('SIGTERM')
    // 128 and the number of the signal, as of all commands.
    expect(await provider.ended).toBe(143)
    await logs(other, 'holds the ConfigMap')
    other.kill('SIGTERM')
    expect(await other.ended).toBe(143)
  })
}

suite(describeBody)
