// npm run cluster:setup [-- VERSION…]: builds the API servers for tests that are not there yet.
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {inspect} from 'node:util'
import {withLock} from './build-lock.js'
import {buildServer, removeUnfinished} from './build-server.js'
import {cacheFolder, findServer} from './find-server.js'
import {
  argocdServers,
  cosign,
  crane,
  crossplane,
  crossplaneRuntime,
  fluxServers,
  krew,
  kubeconform,
  oras,
  originalTrace,
  referrersRegistry,
  serversOf,
  templateOracles,
  validator,
} from './servers.js'
import type {ClusterOptions, Server} from './servers.js'

const known: readonly ClusterOptions[] = [{version: 'current', pods: true}, {version: '1.20'}]

const asked = process.argv.slice(2)
const unknown = asked.filter(each => !known.some(({version}) => version === each))
if (unknown.length > 0) throw new Error(`no such version: ${unknown.join(' ')}; known: current 1.20`)

const requested = known
  .filter(({version}) => asked.length === 0 || asked.includes(version))
  .flatMap(serversOf)
const controllers =
  asked.length === 0 || asked.includes('current') ? [...fluxServers, ...argocdServers, crossplane] : []
// Both versions have the same etcd.
const tools = [
  originalTrace,
  ...templateOracles,
  crossplaneRuntime,
  krew,
  cosign,
  oras,
  crane,
  referrersRegistry,
  validator,
  kubeconform,
]
const servers = [...new Set([...requested, ...tools, ...controllers])]
const missing = servers.filter(server => !report(server))
if (missing.length > 0) {
  mkdirSync(cacheFolder(), {recursive: true})
  const waiting = () => say('waiting for another set-up')
  await withLock(join(cacheFolder(), 'lock'), waiting, () => {
    removeUnfinished()
    missing.forEach(provide)
  })
}

function report(server: Server): boolean {
  const program = findServer(server)
  if (program !== undefined) say(`${server.name} ${server.version}: ${program}`)
  return program !== undefined
}

function provide(server: Server): void {
  // Another set-up may have built it while this one waited.
  if (report(server)) return
  const start = performance.now()
  say(`${server.name} ${server.version}: building`)
  try {
    buildServer(server)
    say(`${server.name} ${server.version}: built in ${((performance.now() - start) / 1000).toFixed(0)} s`)
  } catch (error) {
    say(`${server.name} ${server.version}: not built: ${inspect(error)}`)
    process.exitCode = 1
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
