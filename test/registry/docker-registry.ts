import {afterAll} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {connect} from 'node:net'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {freePort} from '../cluster/free-port.js'
import {startServer} from '../cluster/server-process.js'
import type {ServerProcess} from '../cluster/server-process.js'
import {makeTempFolder} from '../cluster/temp-folder.js'
import type {TempFolder} from '../cluster/temp-folder.js'
import type {Certificate} from '../private-authority.js'

/** What a registry is to be like; open and in plain HTTP if nothing is said. */
export interface DockerRegistryOptions {
  /** The one account that it knows. */
  readonly account?: {readonly username: string; readonly password: string}
  readonly tls?: Certificate
  /** PEM file of the authority whose client certificates it wants. */
  readonly clientAuthority?: string
}

/** Debian's docker-registry, running; `host` is `127.0.0.1:PORT`. */
export interface DockerRegistry {
  readonly host: string
  readonly folder: string
}

/** What it takes, for `missingTool`. */
export const DOCKER_REGISTRY_TOOLS = ['docker-registry', 'htpasswd', 'setpriv']

/** Starts registries on loopback, each empty, that end with the tests of the file or describe, or with jest. */
export function dockerRegistries(): (options?: DockerRegistryOptions) => Promise<DockerRegistry> {
  const running: {server: ServerProcess; folder: TempFolder}[] = []
  afterAll(async () => {
    await Promise.all(running.map(({server}) => server.kill()))
    await Promise.all(running.map(({folder}) => folder.remove()))
  })
  return async (options = {}) => {
    const folder = await makeTempFolder('registry-of-kubectl-crossplane-')
    const port = await freePort()
    const config = join(folder.path, 'config.yml')
    writeFileSync(config, JSON.stringify(configOf(folder.path, port, options)))
    const server = await startServer('docker-registry', 'docker-registry', ['serve', config], folder.path)
    running.push({server, folder})
    await ready(server, port)
    return {host: `127.0.0.1:${port}`, folder: folder.path}
  }
}

/** JSON is YAML too. https://distribution.github.io/distribution/about/configuration/ */
function configOf(
  folder: string,
  port: number,
  {account, tls, clientAuthority}: DockerRegistryOptions,
): unknown {
  const clients = clientAuthority === undefined ? {} : {clientcas: [clientAuthority]}
  const certificate =
    tls === undefined ? {} : {tls: {certificate: tls.certFile, key: tls.keyFile, ...clients}}
  const htpasswd = {realm: 'test', path: join(folder, 'htpasswd')}
  if (account !== undefined) {
    // bcrypt, the one kind it takes, and cheap: it is computed anew at every request.
    const args = ['-niBC', '4', account.username]
    writeFileSync(htpasswd.path, execFileSync('htpasswd', args, {input: account.password}))
  }
  return {
    version: '0.1',
    log: {level: 'warn'},
    storage: {filesystem: {rootdirectory: join(folder, 'data')}, delete: {enabled: true}},
    http: {addr: `127.0.0.1:${port}`, ...certificate},
    ...(account === undefined ? {} : {auth: {htpasswd}}),
  }
}

/** Resolves when a server accepts connections; throws if it ends before. */
export async function ready(server: ServerProcess, port: number): Promise<void> {
  while (!(await accepts(port))) {
    if (server.ended()) throw new Error(`${server.name} ended:\n${server.lastLines(20)}`)
    await sleep(20)
  }
}

async function accepts(port: number): Promise<boolean> {
  return await new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
