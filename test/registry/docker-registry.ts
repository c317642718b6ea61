import {spawn} from 'node:child_process'
import type {ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {execFileSync} from 'node:child_process'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {connect} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {freePort} from '../cluster/free-port.js'

/** How the registry is to be started: open by default. `tls` names files of a certificate and its key. */
export interface DockerRegistryOptions {
  readonly htpasswd?: {readonly username: string; readonly password: string}
  readonly tls?: {readonly certificate: string; readonly key: string}
}

/** Debian's docker-registry, running on loopback with an empty folder. */
export interface DockerRegistry {
  readonly host: string
  stop(): Promise<void>
}

/** Starts one; it is ready when its port answers. */
export async function startDockerRegistry(options: DockerRegistryOptions = {}): Promise<DockerRegistry> {
  const folder = await mkdtemp(join(tmpdir(), 'docker-registry-'))
  const host = `127.0.0.1:${await freePort()}`
  const config = join(folder, 'config.yml')
  await writeFile(config, JSON.stringify(await configuration(folder, host, options)))
  const server = spawn('docker-registry', ['serve', config], {stdio: ['ignore', 'ignore', 'pipe']})
  const log: Buffer[] = []
  server.stderr.on('data', (chunk: Buffer) => log.push(chunk))
  await answering(host, server, log)
  return {
    host,
    stop: async () => {
      const ended = once(server, 'exit')
      server.kill()
      await ended
      await rm(folder, {recursive: true, force: true})
    },
  }
}

async function configuration(
  folder: string,
  addr: string,
  {htpasswd, tls}: DockerRegistryOptions,
): Promise<object> {
  const path = join(folder, 'htpasswd')
  if (htpasswd !== undefined) {
    const {username, password} = htpasswd
    await writeFile(path, execFileSync('htpasswd', ['-Bbn', username, password]))
  }
  return {
    version: 0.1,
    log: {level: 'warn'},
    storage: {filesystem: {rootdirectory: join(folder, 'data')}},
    http: {addr, ...(tls !== undefined && {tls})},
    ...(htpasswd !== undefined && {auth: {htpasswd: {realm: 'registry', path}}}),
  }
}

async function answering(host: string, server: ChildProcess, log: readonly Buffer[]): Promise<void> {
  const {hostname, port} = new URL(`http://${host}`)
  while (!(await isListening(hostname, Number(port)))) {
    if (server.exitCode !== null) throw new Error(`docker-registry ended:\n${Buffer.concat(log).toString()}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

async function isListening(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
