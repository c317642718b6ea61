// What `manager run` costs beside `package install` of the same declaration: the time until every request is `Ready`, the
// requests of the API server's audit log, and memory. Each in a cluster of its own.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {inAuditedCluster} from './audited-cluster.mjs'
import {established, missingForClusters} from './cluster.mjs'
import {environment, execute} from './execute.mjs'
import {send, throughProxy} from './kubectl-proxy.mjs'
import {metOrNot} from './table.mjs'
import {idleOf, idleText} from './usage.mjs'

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 500)
/** Each is requested in several namespaces. */
const PACKAGES = Math.min(50, REQUESTS)
const KINDS = ['one', 'two', 'three']
/** The goals: beside `package install`, and MB. */
const MAX_RATIO = 1.5
const MAX_PEAK = 200
/** Milliseconds after which requests that are not `Ready` count as a failure. */
const PATIENCE = 900_000

const AGENT = 'kubectl-crossplane'
const SYSTEM = 'crossplane-system'
const API = 'packages.crossplane.io/v1alpha1'
const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\n'

/**
 * @typedef {import('./builds.mjs').Build} Build
 * @typedef {{ms: number, peak: number, requests: number}} Run
 * @typedef {Run & {idle: {share: number, requests: number}}} ManagerRun
 */

/** @type {import('./parts.mjs').Part} */
export const MANAGER = {
  name: 'manager',
  title: 'Package manager',
  about: `${REQUESTS} requests of ${PACKAGES} packages with ${KINDS.length} kinds each and no controller: \`manager run\` from its start until all are \`Ready\`, compared with \`package install\` of a declaration with the same packages, each in a cluster of its own. Requests are those of the API server's audit log; idle is the part of a core that the manager needs in a minute after it has looked at all of them again, and the peak memory is that of all its life.`,
  measure: async ({folder, best}) => {
    const missing = missingForClusters()
    if (missing.length > 0) return {rows: [], missing}
    const packages = join(folder, 'packages')
    for (let i = 0; i < PACKAGES; i++) writePackage(packages, i)
    const installed = await installRun(join(folder, 'install'), packages, best)
    const managed = await managerRun(join(folder, 'manager'), packages, best)
    return {rows: rowsOf(installed, managed, best), missing}
  },
}

/**
 * @param {Run} installed
 * @param {ManagerRun} managed
 * @param {Build} build
 * @returns {readonly import('./table.mjs').Row[]}
 */
function rowsOf(installed, managed, {name: build}) {
  const factor = managed.requests / installed.requests
  const peer = {name: 'package install', ms: installed.ms}
  const {ms, peak, requests, idle} = managed
  const sent = `${requests} requests, ${factor.toFixed(2)}x (≤ ${MAX_RATIO}x: ${metOrNot(factor <= MAX_RATIO)})`
  const details = `${sent}; ${idleText(idle.share)}, ${idle.requests} requests besides those of watches`
  return [
    {work: peer.name, build, ms: peer.ms, peak: installed.peak, details: `${installed.requests} requests`},
    {work: 'manager run', build, ms, peer, wanted: MAX_RATIO, peak, wantedPeak: MAX_PEAK, details},
  ]
}

/** @param {string} folder @param {string} packages @param {Build} build @returns {Promise<Run>} */
async function installRun(folder, packages, build) {
  return await inPreparedCluster(folder, build, async (cluster, env) => {
    const declaration = join(folder, 'packages.yaml')
    const entries = requested().map(
      ({name, image, namespace}) => `- {package: "${image}", name: ${name}, namespace: ${namespace}}\n`,
    )
    writeFileSync(declaration, `${HEAD}kind: PackageDeclaration\npackages:\n${entries.join('')}`)
    const words = ['package', 'install', '--declaration', declaration, '--packages', packages]
    const mark = await cluster.mark()
    const command = [...build.command, ...words, '--no-wait', '--yes']
    const {milliseconds, peak} = await execute(command, {env, isWatched: true})
    return {ms: milliseconds, peak, requests: (await cluster.requests(AGENT, mark)).length}
  })
}

/** @param {string} folder @param {string} packages @param {Build} build @returns {Promise<ManagerRun>} */
async function managerRun(folder, packages, build) {
  return await inPreparedCluster(folder, build, async (cluster, env, server) => {
    const namespaces = [...new Set(requested().map(({namespace}) => namespace))].join(', ')
    const policy = `${HEAD}kind: Policy\nmanager: {clusterNamespaces: [${namespaces}]}\n`
    await create(server, `api/v1/namespaces/${SYSTEM}/configmaps`, {
      ...{apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'kubectl-crossplane-policy'}},
      data: {'policy.yaml': policy},
    })
    for (const {name, image, namespace} of requested())
      await create(server, `apis/${API}/namespaces/${namespace}/packageinstalls`, {
        ...{apiVersion: API, kind: 'PackageInstall', metadata: {name}, spec: {package: image}},
      })
    const mark = await cluster.mark()
    const start = performance.now()
    const [program = '', ...args] = [...build.command, 'manager', 'run', '--packages', packages]
    const child = spawn(program, args, {env: {...environment, ...env}, stdio: 'ignore'})
    const ended = once(child, 'exit')
    try {
      await allReady(server)
      const ms = performance.now() - start
      const requests = (await cluster.requests(AGENT, mark)).length
      const {peak, ...idle} = await idleOf(child.pid, cluster, AGENT)
      return {ms, peak, requests, idle}
    } finally {
      child.kill()
      await ended
    }
  })
}

/**
 * Runs work in a cluster with the package API and the namespaces of the requests.
 *
 * @template T
 * @param {string} folder
 * @param {Build} build
 * @param {(cluster: import('./audited-cluster.mjs').AuditedCluster, env: Record<string, string>, server: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function inPreparedCluster(folder, build, work) {
  return await inAuditedCluster(folder, async (cluster, env) => {
    writePackage(folder, PACKAGES)
    const identity = ['--as-package', 'example/base:v1.0.0', '--namespace', SYSTEM]
    const changes = ['--with-package-api', '--create-namespace', '--no-wait', '--yes']
    await execute(
      [...build.command, 'package', 'install', folderOf(folder, PACKAGES), ...identity, ...changes],
      {
        env,
      },
    )
    await established(env)
    return await throughProxy(env, async server => {
      for (const name of new Set(requested().map(({namespace}) => namespace)))
        await create(server, 'api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name}})
      return await work(cluster, env, server)
    })
  })
}

/** @param {string} server @param {string} path @param {object} object */
async function create(server, path, object) {
  await send(`${server}/${path}`, 'POST', object)
}

/** @param {string} server */
async function allReady(server) {
  const end = performance.now() + PATIENCE
  for (;;) {
    const response = await globalThis.fetch(`${server}/apis/${API}/packageinstalls`)
    /** @type {{items: {status?: {conditionedStatus?: {conditions?: {type: string, status: string}[]}}}[]}} */
    const {items} = JSON.parse(await response.text())
    const ready = items.filter(({status}) =>
      status?.conditionedStatus?.conditions?.some(({type, status}) => type === 'Ready' && status === 'True'),
    )
    if (ready.length === items.length) return
    if (performance.now() > end) throw new Error(`${ready.length} of ${items.length} requests were Ready`)
    await setTimeout(500)
  }
}

function requested() {
  return Array.from({length: REQUESTS}, (_, i) => {
    const name = `bench${i % PACKAGES}`
    return {name, image: `example/${name}:v1.0.0`, namespace: `team-${Math.floor(i / PACKAGES)}`}
  })
}

/** @param {string} packages @param {number} number */
function folderOf(packages, number) {
  return join(packages, `example/bench${number}@v1.0.0`)
}

/** @param {string} packages @param {number} number */
function writePackage(packages, number) {
  const files = {
    'app.yaml': `title: Bench ${number}\nversion: v1.0.0\npermissionScope: Namespaced\n`,
    ...Object.fromEntries(KINDS.map(kind => [`resources/${kind}.crd.yaml`, crd(kind, number)])),
  }
  for (const [path, text] of Object.entries(files)) {
    const file = join(folderOf(packages, number), '.registry', path)
    mkdirSync(dirname(file), {recursive: true})
    writeFileSync(file, text)
  }
}

/** @param {string} name @param {number} number */
function crd(name, number) {
  const group = `bench${number}.example.org`
  const openAPIV3Schema = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${name}s.${group}`},
    spec: {
      ...{group, scope: 'Namespaced'},
      names: {kind: `${name[0]?.toUpperCase()}${name.slice(1)}`, plural: `${name}s`, singular: name},
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema}}],
    },
  })
}
