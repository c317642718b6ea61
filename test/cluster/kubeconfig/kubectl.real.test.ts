import {beforeAll, beforeEach, expect, it} from '@jest/globals'
import {chmodSync, existsSync, readFileSync, rmSync} from 'node:fs'
import {createServer as createPlainServer} from 'node:http'
import {createServer} from 'node:https'
import {join} from 'node:path'
import {connectionFiles} from '../../../src/adapters/connection-files.js'
import {type ClusterFlags, clusterConnection} from '../../../src/cli/cluster/cluster-connection.js'
import {CrossplaneError} from '../../../src/errors.js'
import {proxyServer} from '../../fakes/proxy-server.js'
import {socksServer} from '../../fakes/socks-server.js'
import {listener} from '../../listening.js'
import {missingTool} from '../../missing-tool.js'
import {LOOPBACK, privateAuthority} from '../../private-authority.js'
import {describeReal} from '../../real-parts.js'
import {runProgram, smallEnvironment} from '../../run-program.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../../src/yaml/json-value.js'
import {connecting} from './connecting.js'
import {type Case, CASES, DEFAULT_CONFIG, type World} from './kubectl-cases.js'
import {type Recorded, recorder} from './recording-server.js'
import {REJECTED} from './rejected-cases.js'

/** A case as files, flags and variables; all paths are absolute. */
interface Prepared {
  readonly home: string
  readonly flags: ClusterFlags
  readonly env: Readonly<Record<string, string>>
}

describeReal('kubeconfigs, compared with kubectl', missingTool('kubectl', 'openssl'), () => {
  const temporary = temporaryFolder()
  const listening = listener()
  const recorded: Recorded[] = []
  const proxied: string[] = []
  const socks = socksServer()
  let world: World
  beforeAll(async () => {
    const authority = privateAuthority(temporary)
    const {cert, key} = authority.issue('server', [...LOOPBACK, 'IP:192.0.2.1', 'DNS:api.example.org'])
    const tls = {cert, key, requestCert: true, rejectUnauthorized: false}
    const proxy = proxyServer()
    proxy.server.on('connect', ({url = ''}) => proxied.push(url))
    world = {
      port: await listening(createServer(tls, recorder(recorded))),
      plainPort: await listening(createPlainServer(recorder(recorded))),
      proxyPort: await listening(proxy.server),
      socksPort: await listening(socks.server),
      ca: authority.cert,
      client: authority.issue('jane', ['DNS:client']),
    }
  })

  // Some versions of kubectl request the version whatever the command.
  beforeEach(() => void recorded.splice(0))

  let homes = 0
  function prepare({files, flags = {}, KUBECONFIG, env}: Case): Prepared {
    const home = join(temporary, `home-${(homes += 1)}`)
    const contents = Object.entries(files(world)).map(([path, content]): [string, string] => [
      path,
      typeof content === 'string' ? content : JSON.stringify(content),
    ])
    writeTree(home, {'.keep': '', ...Object.fromEntries(contents)})
    for (const [path, content] of contents) if (content.startsWith('#!')) chmodSync(join(home, path), 0o755)
    const list = KUBECONFIG?.split(':').map(path => (path === '' ? '' : join(home, path)))
    const {kubeconfig} = flags
    return {
      home,
      flags: kubeconfig === undefined ? flags : {...flags, kubeconfig: join(home, kubeconfig)},
      env: {...smallEnvironment(), HOME: home, ...(list && {KUBECONFIG: list.join(':')}), ...env?.(world)},
    }
  }

  async function kubectl({env, flags}: Prepared, ...args: readonly string[]) {
    const options = Object.entries(flags).flatMap(([name, value]) =>
      [value].flat().map(each => `--${name}=${each}`),
    )
    return await runProgram('kubectl', [...options, ...args], {env})
  }

  /** Requests the version, as `kubectl version` does: the status of the response. */
  async function requestVersion({env, flags}: Prepared): Promise<number> {
    const connection = await clusterConnection(flags, env)
    const {server, http} = connection
    const url = new URL(`${server.pathname.replace(/[/]$/, '')}/version`, server)
    const {status, body} = await http.send({method: 'GET', url, headers: await connection.headers(false)})
    for await (const chunk of body) expect(chunk.length).toBeGreaterThan(0)
    return status
  }

  /** What servers, the proxy and an exec plugin saw since the last time. */
  function seen({home}: Prepared) {
    const info = join(home, '.kube/info')
    const passed = existsSync(info) ? readFileSync(info, 'utf8') : undefined
    rmSync(info, {force: true})
    const request = recorded.splice(0).at(-1)
    const through = [...proxied.splice(0), ...socks.asked.splice(0)]
    return {request, proxied: [...new Set(through)], passed: passed?.trim()}
  }

  it.each(CASES.filter(({isAnonymous}) => isAnonymous !== true))(
    '$name: an API server receives the same requests',
    async given => {
      const prepared = prepare(given)
      expect(await kubectl(prepared, 'version')).toMatchObject({status: 0})
      const theirs = seen(prepared)
      expect(theirs.request).toBeDefined()
      expect(await requestVersion(prepared)).toBe(200)
      expect(seen(prepared)).toEqual(theirs)
    },
  )

  it.each(CASES)('$name: resolved as by kubectl config view', async given => {
    const {home, flags, env} = prepare(given)
    const view = ['config', 'view', '--minify', '--flatten', '--raw', '-o', 'json']
    const {stdout} = await kubectl({home, flags, env}, ...view)
    const query = {
      explicit: flags.kubeconfig ?? '',
      listed: env.KUBECONFIG?.split(':') ?? [join(home, DEFAULT_CONFIG)],
      context: flags.context ?? '',
    }
    const token = {
      kind: 'ExecCredential',
      status: {token: 'x'},
      apiVersion: /"apiVersion": "(c.*)"/.exec(stdout)?.[1],
    }
    const output = Buffer.from(JSON.stringify(token))
    const plugins = {
      isTerminal: () => false,
      run: () => Promise.resolve({kind: 'exited', status: 0, output} as const),
    }
    const connected = await connecting({}, query, {files: connectionFiles, plugins})
    expect(connected).toMatchObject({context: expect.anything() as unknown})
    if (!('transport' in connected)) return
    const {context, server, namespace, transport, shown} = connected
    expect({
      context,
      namespace,
      server,
      ca: transport.ca,
      name: transport.tlsServerName,
      insecure: transport.insecure,
      proxy: transport.proxy?.href.replace(/[/]$/, ''),
      shown,
    }).toEqual(viewed(JSON.parse(stdout) as JsonObject))
  })

  it.each(REJECTED)('$name: rejected by both', async given => {
    const prepared = prepare(given)
    expect(await kubectl(prepared, 'version')).toMatchObject({status: 1})
    expect(seen(prepared).request).toBeUndefined()
    await expect(requestVersion(prepared)).rejects.toBeInstanceOf(CrossplaneError)
    expect(seen(prepared).request).toBeUndefined()
  })
})

/** What a connection must be by `kubectl config view -o json`. */
function viewed({contexts, clusters, users}: JsonObject) {
  const [context, cluster, user] = [asObjects(contexts)[0], asObjects(clusters)[0], asObjects(users)[0]]
  const fields = asObject(cluster?.cluster)
  const {namespace} = asObject(context?.context)
  const url = new URL(asText(fields.server).replace(/^(?!\w+:[/])/, 'http://'))
  return {
    context: context?.name,
    namespace: namespace ?? 'default',
    server: `${url.origin}${url.pathname.replace(/(.)[/]$/, '$1')}`,
    ca: decoded(fields['certificate-authority-data']),
    name: fields['tls-server-name'],
    insecure: fields['insecure-skip-tls-verify'] === true,
    proxy: fields['proxy-url'],
    shown: shownBy(asObject(user?.user)),
  }
}

function shownBy({'client-certificate-data': cert, 'client-key-data': key}: JsonObject) {
  return cert === undefined ? undefined : {cert: decoded(cert), key: decoded(key)}
}

function decoded(field: JsonValue | undefined): string | undefined {
  return field === undefined ? undefined : Buffer.from(asText(field), 'base64').toString()
}
