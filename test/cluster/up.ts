// npm run cluster:up [-- --version 1.20] [-- --pods]: a cluster for people, until Ctrl-C.
import {once} from 'node:events'
import {parseArgs} from 'node:util'
import {startCluster} from './api-server.js'
import type {ClusterOptions} from './servers.js'

const {values} = parseArgs({
  options: {version: {type: 'string', default: 'current'}, pods: {type: 'boolean', default: false}},
})
const cluster = await startCluster(optionsOf(values))
const interrupted = Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map(signal => once(process, signal)))
process.stdout.write(`Kubernetes ${cluster.version} serves at ${cluster.url} until Ctrl-C\n`)
process.stdout.write(`export KUBECONFIG=${cluster.kubeconfig}\n`)
await interrupted
await cluster.stop()

function optionsOf({version, pods}: {readonly version: string; readonly pods: boolean}): ClusterOptions {
  if (version === 'current') return {version, pods}
  if (version === '1.20' && !pods) return {version}
  throw new Error('--version is `current` or `1.20`, and only the current one has --pods')
}
