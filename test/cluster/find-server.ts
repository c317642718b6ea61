import {spawnSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {homedir} from 'node:os'
import {join} from 'node:path'
import {cacheEntry, serversOf} from './servers.js'
import type {ClusterOptions, Server} from './servers.js'

/**
 * Where builds are kept: `CROSSPLANE_TEST_SERVERS`, or a folder of the user's cache, outside of every clone so that
 * the next one finds them.
 */
export function cacheFolder(): string {
  const {CROSSPLANE_TEST_SERVERS: own, XDG_CACHE_HOME: cache} = process.env
  return own || join(cache || join(homedir(), '.cache'), 'kubectl-crossplane/test-servers')
}

/** The path of a program that says it is of the asked version; undefined when there is none. */
export function findServer(server: Server): string | undefined {
  const {KUBEBUILDER_ASSETS: assets} = process.env
  const folders = [
    ...(server.inAssets === true && assets ? [assets] : []),
    join(cacheFolder(), cacheEntry(server)),
  ]
  return folders.map(folder => join(folder, server.name)).find(program => isProgramOf(program, server))
}

/** Whether a program is there and says that it is of the right version. */
export function isProgramOf(program: string, {version, isSilent = false}: Server): boolean {
  if (isSilent || !existsSync(program)) return existsSync(program)
  const {status, stdout} = spawnSync(program, ['--version'], {encoding: 'utf8', timeout: 30_000})
  return status === 0 && stdout.split(/\s+/).some(word => word === version || word === `v${version}`)
}

/** For `describeReal`: what keeps such a cluster from starting here; undefined when nothing does. */
export function missingServers(options: ClusterOptions): string | undefined {
  if (process.platform !== 'linux') return 'API servers for tests need Linux'
  return missingPrograms(serversOf(options))
}

/** The same for programs. */
export function missingPrograms(servers: readonly Server[]): string | undefined {
  const missing = servers.filter(server => findServer(server) === undefined)
  if (missing.length === 0) return undefined
  return `no ${missing.map(({name, version}) => `${name} ${version}`).join(', ')} (npm run cluster:setup)`
}
