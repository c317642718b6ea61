// What installing a package costs beside `kubectl apply --server-side` of the same objects: each in clusters of its own,
// in turns, first where nothing of it exists, then where nothing changes. Times and requests are those of the API
// server's audit log.
import {spawnSync} from 'node:child_process'
import {cpSync, existsSync, mkdirSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {inAuditedCluster} from './audited-cluster.mjs'
import {execute} from './execute.mjs'
import {generatePackage} from './generate-package.mjs'
import {median} from './table.mjs'

const SITUATIONS = [
  {name: 'new', wanted: 0.7},
  {name: 'unchanged', wanted: 0.5},
]

const RUNS = Number(process.env.BENCH_CLUSTER_RUNS ?? 1)

/** Milliseconds in which the API server completes what new CRDs cause, such as its OpenAPI document. */
const QUIET = 10_000

const CRDS = 300

/**
 * Milliseconds; `peak` is in MB. `start` is the time before the first request, `idle` the longest time between two, in
 * which the program renders, and `sending` what is left of the time to the end of the last one.
 *
 * @typedef {{start: number, idle: number, sending: number, requests: number, peak: number}} Run
 * @typedef {{name: string, build?: string, agent: string, command: readonly string[], statuses?: readonly number[]}} Tool
 * @typedef {import('./audited-cluster.mjs').AuditedCluster} AuditedCluster
 */

/** The tool without which clusters cannot be measured, if it is missing. */
export function missingForClusters() {
  const {error} = spawnSync('kubectl', ['version', '--client'], {stdio: 'ignore'})
  return error === undefined ? [] : ['kubectl']
}

/** @type {import('./parts.mjs').Part} */
export const CLUSTER = {
  name: 'cluster',
  title: 'Install',
  about: `\`package install\` of ${CRDS} CRDs, compared with \`kubectl apply --server-side\` of the same objects, each in separate clusters: the time of the requests, without rendering, by the API server's audit log. One run, or medians of BENCH_CLUSTER_RUNS.`,
  measure: async ({folder, best}) => {
    const missing = missingForClusters()
    if (missing.length > 0) return {rows: [], missing}
    return {rows: await installRows(join(folder, 'cluster'), best), missing}
  },
}

/**
 * A row of kubectl and one of the program for each situation.
 *
 * @param {string} folder
 * @param {import('./builds.mjs').Build} build
 */
async function installRows(folder, build) {
  mkdirSync(folder)
  generatePackage(join(folder, 'package'), CRDS)
  const {base, own} = await writeObjects(build.command, folder)
  const install = ['package', 'install', ...identity(folder), '--no-wait', '--yes']
  /** @type {[Tool, Tool]} */
  const tools = [
    {name: 'kubectl apply', agent: 'kubectl', command: kubectlApply(own)},
    {
      name: 'package install',
      build: build.name,
      agent: 'kubectl-crossplane',
      command: [...build.command, ...install],
    },
  ]
  const results = SITUATIONS.map(() => tools.map(() => /** @type {Run[]} */ ([])))
  for (let run = 0; run < RUNS; run++) {
    for (const i of run % 2 === 0 ? [0, 1] : [1, 0]) {
      const measured = await measureIn(tools[i] ?? tools[0], base, join(folder, `home-${run}-${i}`))
      measured.forEach((each, situation) => results[situation]?.[i]?.push(each))
    }
  }
  return SITUATIONS.flatMap(({name, wanted}, situation) => {
    const peer = {
      name: `kubectl apply, ${name}`,
      ms: median((results[situation]?.[0] ?? []).map(({sending}) => sending)),
    }
    return tools.map((tool, i) => {
      const row = runsRow(`${tool.name}, ${name}`, tool.build, results[situation]?.[i] ?? [])
      return i === 0 ? row : {...row, peer, wanted}
    })
  })
}

/**
 * @param {string} work
 * @param {string | undefined} build
 * @param {readonly Run[]} runs
 * @returns {import('./table.mjs').Row}
 */
export function runsRow(work, build, runs) {
  const middle = (/** @type {(run: Run) => number} */ of) => median(runs.map(of))
  return {
    work,
    build,
    ms: middle(run => run.sending),
    peak: middle(run => run.peak),
    details: `${middle(run => run.requests)} requests; ${middle(run => run.start).toFixed(0)} ms before, ${middle(run => run.idle).toFixed(0)} ms between them`,
  }
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
 * @param {readonly string[]} program
 * @param {string} folder
 */
async function writeObjects(program, folder) {
  const own = join(folder, 'own')
  const base = join(folder, 'base')
  const rendered = join(folder, 'rendered')
  const withBase = join(folder, 'with-base')
  const render = [...program, 'package', 'render', ...identity(folder)]
  await execute([...render, '--output-dir', rendered])
  await execute([...render, '--output-dir', withBase, '--with-package-api', '--create-namespace'])
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
 * @returns {Promise<Run[]>}
 */
async function measureIn(tool, base, home) {
  return await inAuditedCluster(home, async (cluster, env) => {
    await execute(kubectlApply(base), {env})
    const runs = []
    while (runs.length < SITUATIONS.length) {
      await established(env)
      await setTimeout(QUIET)
      runs.push(await measureRun(tool, cluster, env))
    }
    return runs
  })
}

/**
 * Waits for all CRDs. `kubectl wait` fails for one whose conditions the server did not write yet.
 *
 * @param {Record<string, string>} env
 */
export async function established(env) {
  for (;;) {
    const get = ['kubectl', 'get', 'customresourcedefinitions', '--output', 'json']
    const {stdout} = await execute(get, {env, keepsOutput: true})
    /** @type {{status?: {conditions?: {type: string, status: string}[] | null}}[]} */
    const crds = JSON.parse(stdout).items
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
 * @param {Pick<Tool, 'agent' | 'command' | 'statuses'>} tool
 * @param {AuditedCluster} cluster
 * @param {Record<string, string>} env
 * @returns {Promise<Run>}
 */
export async function measureRun({agent, command, statuses = [0]}, cluster, env) {
  const mark = await cluster.mark()
  const start = Date.now()
  const {peak} = await execute(command, {env, statuses, isWatched: true})
  const requests = await cluster.requests(agent, mark)
  const first = requests[0]?.from ?? Number.NaN
  let [end, idle] = [first, 0]
  for (const {from, to} of requests) {
    idle = Math.max(idle, from - end)
    end = Math.max(end, to)
  }
  return {start: first - start, idle, sending: end - first - idle, requests: requests.length, peak}
}
