// What installing a package costs beside `kubectl apply --server-side` of the same objects: each in clusters of its own,
// in turns, first where nothing of it exists, then where nothing changes. Times and requests are those of the API
// server's audit log.
import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {cpSync, existsSync, mkdirSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {setTimeout} from 'node:timers/promises'
import {startAuditedCluster} from './audited-cluster.mjs'
import {generatePackage} from './generate-package.mjs'
import {environment, PEAK_FLAGS, peakIn} from './measure.mjs'

const SITUATIONS = [
  {name: 'new', wanted: 0.7},
  {name: 'unchanged', wanted: 0.5},
]

/** Milliseconds in which the API server completes what new CRDs cause, such as its OpenAPI document. */
const QUIET = 10_000

/**
 * Milliseconds; `peak` is in MB. `start` is the time before the first request, `idle` the longest time between two, in
 * which the program renders, and `sending` what is left of the time to the end of the last one.
 *
 * @typedef {{start: number, idle: number, sending: number, requests: number, peak: number}} Run
 * @typedef {{name: string, agent: string, command: string[]}} Tool
 * @typedef {{name: string, wanted?: number, runs: Run[]}} ClusterResult
 * @typedef {import('./audited-cluster.mjs').AuditedCluster} AuditedCluster
 */

/** Why it cannot be measured here; undefined if it can. */
export function missingForClusters() {
  const {error} = spawnSync('kubectl', ['version', '--client'], {stdio: 'ignore'})
  return error === undefined ? undefined : 'kubectl not on PATH'
}

/**
 * Returns a result of kubectl and one of the program for each situation.
 *
 * @param {string} program
 * @param {string} folder
 * @param {{runs: number, crds: number}} size
 * @returns {Promise<ClusterResult[][]>}
 */
export async function measureInstalls(program, folder, {runs, crds}) {
  generatePackage(join(folder, 'package'), crds)
  const {base, own} = await writeObjects(program, folder)
  const install = ['package', 'install', ...identity(folder), '--no-wait', '--yes']
  /** @type {Tool[]} */
  const tools = [
    {name: 'kubectl apply', agent: 'kubectl', command: kubectlApply(own)},
    {
      name: 'package install',
      agent: 'kubectl-crossplane',
      command: [process.execPath, ...PEAK_FLAGS, program, ...install],
    },
  ]
  const results = SITUATIONS.map(({name, wanted}) =>
    tools.map((tool, i) => ({
      name: `${tool.name}, ${crds} CRDs ${name}`,
      ...(i === 0 ? {} : {wanted}),
      runs: /** @type {Run[]} */ ([]),
    })),
  )
  for (let run = 0; run < runs; run++) {
    for (const i of run % 2 === 0 ? [0, 1] : [1, 0]) {
      const tool = /** @type {Tool} */ (tools[i])
      const measured = await measureIn(tool, base, join(folder, `home-${run}-${i}`))
      measured.forEach((each, situation) => results[situation]?.[i]?.runs.push(each))
    }
  }
  return results
}

/**
 * The package of a folder and what it is installed as.
 *
 * @param {string} folder
 */
export function identity(folder) {
  const reference = ['--as-package', 'example/bench:v1.0.0', '--namespace', 'crossplane-system']
  return [join(folder, 'package'), ...reference, '--no-dependencies']
}

/** @param {string} files */
function kubectlApply(files) {
  return ['kubectl', 'apply', '--server-side', '--recursive', '--filename', files]
}

/**
 * Renders the objects of the package, and apart from them the package API and the namespace, which have to be there first.
 *
 * @param {string} program
 * @param {string} folder
 */
async function writeObjects(program, folder) {
  const own = join(folder, 'own')
  const base = join(folder, 'base')
  const rendered = join(folder, 'rendered')
  const withBase = join(folder, 'with-base')
  const render = [process.execPath, program, 'package', 'render', ...identity(folder)]
  await execute([...render, '--output-dir', rendered], {})
  await execute([...render, '--output-dir', withBase, '--base', '--create-namespace'], {})
  copyObjects(rendered, own, () => true)
  copyObjects(withBase, base, path => !existsSync(join(rendered, path)))
  return {base, own}
}

/**
 * Without what is for Kustomize.
 *
 * @param {string} from
 * @param {string} to
 * @param {(path: string) => boolean} isRequested
 */
function copyObjects(from, to, isRequested) {
  const paths = readdirSync(from, {recursive: true, encoding: 'utf8'})
  mkdirSync(to)
  paths
    .filter(path => path.endsWith('.yaml') && !path.endsWith('kustomization.yaml') && isRequested(path))
    .forEach((path, i) => cpSync(join(from, path), join(to, `${String(i).padStart(5, '0')}.yaml`)))
}

/**
 * One run in each situation, in a cluster of its own.
 *
 * @param {Tool} tool
 * @param {string} base
 * @param {string} home
 */
async function measureIn(tool, base, home) {
  mkdirSync(home)
  const cluster = await startAuditedCluster()
  const env = {HOME: home, KUBECONFIG: cluster.kubeconfig}
  try {
    await execute(kubectlApply(base), env)
    const runs = []
    while (runs.length < SITUATIONS.length) {
      await established(env)
      await setTimeout(QUIET)
      runs.push(await measureRun(tool, cluster, env))
    }
    return runs
  } finally {
    await cluster.stop()
  }
}

/**
 * Waits for all CRDs. `kubectl wait` fails for one whose conditions the server did not write yet.
 *
 * @param {Record<string, string>} env
 */
export async function established(env) {
  for (;;) {
    const list = await execute(['kubectl', 'get', 'customresourcedefinitions', '--output', 'json'], env)
    /** @type {{status?: {conditions?: {type: string, status: string}[] | null}}[]} */
    const crds = JSON.parse(list).items
    const isReady = crds.every(({status}) =>
      status?.conditions?.some(each => each.type === 'Established' && each.status === 'True'),
    )
    if (isReady) return
    await setTimeout(1000)
  }
}

/**
 * Runs a tool once. It ends with one of `statuses`.
 *
 * @param {Pick<Tool, 'agent' | 'command'> & {statuses?: number[]}} tool
 * @param {AuditedCluster} cluster
 * @param {Record<string, string>} env
 * @returns {Promise<Run>}
 */
export async function measureRun({agent, command, statuses}, cluster, env) {
  const mark = await cluster.mark()
  const peak = join(env.HOME ?? '', 'peak')
  const start = Date.now()
  await execute(command, {...env, BENCH_PEAK: peak}, statuses)
  const requests = await cluster.requests(agent, mark)
  const first = requests[0]?.from ?? Number.NaN
  let [end, idle] = [first, 0]
  for (const {from, to} of requests) {
    idle = Math.max(idle, from - end)
    end = Math.max(end, to)
  }
  return {
    start: first - start,
    idle,
    sending: end - first - idle,
    requests: requests.length,
    peak: existsSync(peak) ? peakIn(peak) : Number.NaN,
  }
}

/**
 * Runs a command and returns its standard output.
 *
 * @param {string[]} command
 * @param {Record<string, string>} env
 * @param {number[]} statuses
 */
export async function execute([command = '', ...args], env, statuses = [0]) {
  const child = spawn(command, args, {env: {...environment, ...env}, stdio: ['ignore', 'pipe', 'pipe']})
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  if (!statuses.includes(status))
    throw new Error(`${command} ended with ${status}: ${stderr.trim().slice(-2000)}`)
  return stdout
}
