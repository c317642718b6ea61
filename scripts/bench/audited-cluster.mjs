// A cluster of its own for the bench, and when which of its clients sent requests, by the API server's audit log.
import {spawn, spawnSync} from 'node:child_process'
import {randomUUID} from 'node:crypto'
import {once} from 'node:events'
import {mkdirSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {createInterface} from 'node:readline'
import {setTimeout} from 'node:timers/promises'

const root = join(import.meta.dirname, '../..')

/**
 * `since` is a mark of `mark`. Milliseconds since the epoch. `isOfIdle`: of a watch or for a Lease, which a controller also sends
 * that has nothing to do.
 *
 * @typedef {{from: number, to: number, isOfIdle: boolean}} Request
 * @typedef {{kubeconfig: string, mark: () => Promise<number>, requests: (agent: string, since: number) => Promise<Request[]>}} AuditedCluster
 */

/**
 * Runs `work` in a cluster of its own, with `env` for programs that use it: `home` is their home folder.
 *
 * @template T
 * @param {string} home
 * @param {(cluster: AuditedCluster, env: Record<string, string>) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inAuditedCluster(home, work) {
  mkdirSync(home, {recursive: true})
  const cluster = await startAuditedCluster()
  try {
    return await work(cluster, {HOME: home, KUBECONFIG: cluster.kubeconfig})
  } finally {
    await cluster.stop()
  }
}

/**
 * Starts a cluster by the script of `npm run cluster:up`.
 *
 * @returns {Promise<AuditedCluster & {stop: () => Promise<void>}>}
 */
async function startAuditedCluster() {
  const child = spawn(process.execPath, ['--import', './test/cluster/typescript.mjs', 'test/cluster/up.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kubeconfig = await kubeconfigIn(child.stdout)
  const log = join(dirname(kubeconfig), 'audit.log')
  return {
    kubeconfig,
    mark: async () => (await settled(kubeconfig, log)).length,
    requests: async (agent, since) => requestsIn((await settled(kubeconfig, log)).slice(since), agent),
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** @param {import('node:stream').Readable} stdout */
async function kubeconfigIn(stdout) {
  for await (const line of createInterface({input: stdout})) {
    const found = /^export KUBECONFIG=(.+)$/.exec(line)?.[1]
    if (found !== undefined) return found
  }
  throw new Error('the cluster did not start: npm run cluster:setup')
}

/**
 * The log with every request before this call: the server writes a moment after it responds.
 *
 * @param {string} kubeconfig
 * @param {string} log
 */
async function settled(kubeconfig, log) {
  const marker = `/version?marker=${randomUUID()}`
  const {status, stderr} = spawnSync('kubectl', ['get', '--raw', marker], {
    env: {...process.env, KUBECONFIG: kubeconfig},
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`kubectl ended with ${status}: ${stderr.trim()}`)
  for (;;) {
    const text = readFileSync(log, 'utf8')
    if (text.slice(0, text.lastIndexOf('\n')).includes(marker)) return text
    await setTimeout(50)
  }
}

/**
 * @param {string} text
 * @param {string} agent the beginning of the user agent, up to `/`
 * @returns {Request[]}
 */
function requestsIn(text, agent) {
  const events = text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
  return events
    .filter(
      ({userAgent, requestURI}) => userAgent.split('/')[0] === agent && !requestURI.includes('?marker='),
    )
    .map(({verb, objectRef, requestReceivedTimestamp, stageTimestamp}) => ({
      isOfIdle: verb === 'watch' || objectRef?.resource === 'leases',
      from: milliseconds(requestReceivedTimestamp),
      to: milliseconds(stageTimestamp),
    }))
    .sort((a, b) => a.from - b.from)
}

/** `Date` cuts microseconds off. @param {string} time */
function milliseconds(time) {
  const [, micros = '0'] = /\.\d{3}(\d{3})/.exec(time) ?? []
  return Date.parse(time) + Number(micros) / 1000
}
