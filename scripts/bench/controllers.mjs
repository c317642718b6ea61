// What `template run` costs with many custom resources: its memory, and the time from a changed custom resource to its
// applied objects, as a client sees both.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {createInterface} from 'node:readline'
import {Readable} from 'node:stream'
import {setTimeout} from 'node:timers/promises'
import {inAuditedCluster} from './audited-cluster.mjs'
import {established, missingForClusters} from './cluster.mjs'
import {environment, execute} from './execute.mjs'
import {send, throughProxy} from './kubectl-proxy.mjs'
import {median} from './table.mjs'
import {idleOf, usageOf} from './usage.mjs'

const RESOURCES = 500
/** Objects of each custom resource. */
const OBJECTS = 3
/** The goals, in MB and milliseconds. */
const MAX_PEAK = 300
const MAX_P99 = 1000
/** Custom resources that are created, or changed, at a time. */
const CONCURRENCY = 4

const AGENT = 'kubectl-crossplane'
const NAMESPACE = 'crossplane-system'
const API = 'apis/bench.example.org/v1'

/** @type {import('./parts.mjs').Part} */
export const CONTROLLERS = {
  name: 'controllers',
  title: 'Controllers',
  about: `\`template run\` of a chart with ${OBJECTS} objects for each of ${RESOURCES} custom resources: from its start until all are \`Synced\`, and from the response to a changed custom resource until the last of its objects has changed, for each of them, ${CONCURRENCY} at a time. A pass over each comes every minute, while nothing changes, too.`,
  measure: async ({folder, best}) => {
    const missing = missingForClusters()
    if (missing.length > 0) return {rows: [], missing}
    return {rows: await controllerRows(join(folder, 'controllers'), best), missing}
  },
}

/**
 * @param {string} folder
 * @param {import('./builds.mjs').Build} build
 * @returns {Promise<import('./table.mjs').Row[]>}
 */
async function controllerRows(folder, build) {
  writePackage(join(folder, 'package'))
  return await inAuditedCluster(folder, async (cluster, env) => {
    await execute([...build.command, ...installOf(join(folder, 'package'))], {env})
    await established(env)
    return await throughProxy(env, async server => {
      await forAll(async i => {
        const body = {apiVersion: 'bench.example.org/v1', kind: 'Bench', metadata: {name: nameOf(i)}}
        await send(`${server}/${API}/namespaces/default/benches`, 'POST', {...body, spec: {size: '0'}})
      })
      return await runRows(server, build, env, cluster)
    })
  })
}

/**
 * @param {string} server
 * @param {import('./builds.mjs').Build} build
 * @param {Record<string, string>} env
 * @param {import('./audited-cluster.mjs').AuditedCluster} cluster
 * @returns {Promise<import('./table.mjs').Row[]>}
 */
async function runRows(server, build, env, cluster) {
  const [program = '', ...args] = [...build.command, 'template', 'run', '--stack', `${NAMESPACE}/bench`]
  const start = performance.now()
  const child = spawn(program, args, {env: {...environment, ...env}, stdio: 'ignore'})
  const ended = once(child, 'exit')
  try {
    await allSynced(server)
    const ms = performance.now() - start
    const changes = await changeAll(server)
    const [, cpu] = usageOf(child.pid)
    const {peak, share, requests} = await idleOf(child.pid, cluster, AGENT)
    const idle = `${(share * 100).toFixed(1)} % of a core and ${requests} requests besides those of watches while nothing changes`
    return [
      {
        work: `template run, ${RESOURCES} custom resources`,
        build: build.name,
        ms,
        peak,
        wantedPeak: MAX_PEAK,
        details: `${RESOURCES * OBJECTS} objects; ${cpu.toFixed(0)} s of CPU with all changes; ${idle}`,
      },
      {
        work: 'changed custom resource, p99',
        build: build.name,
        ms: changes[Math.ceil(changes.length * 0.99) - 1] ?? Number.NaN,
        min: changes[0] ?? Number.NaN,
        wanted: MAX_P99,
        details: `${changes.length} changes; median ${median(changes).toFixed(0)} ms`,
      },
    ]
  } finally {
    child.kill()
    await ended
  }
}

/** @param {string} server */
async function allSynced(server) {
  for (;;) {
    const response = await globalThis.fetch(`${server}/${API}/benches`)
    /** @type {{items: {status?: {conditions?: {type: string, status: string}[]}}[]}} */
    const {items} = JSON.parse(await response.text())
    const isSynced = items.every(({status}) =>
      status?.conditions?.some(each => each.type === 'Synced' && each.status === 'True'),
    )
    if (isSynced) return
    await setTimeout(200)
  }
}

/**
 * Changes each custom resource once; returns the milliseconds until its last object had changed, sorted.
 *
 * @param {string} server
 */
async function changeAll(server) {
  /** @type {Map<string, (time: number) => void>} */
  const waiting = new Map()
  const stop = new globalThis.AbortController()
  const watched = watchObjects(server, stop.signal, (name, size) => {
    waiting.get(`${name} ${size}`)?.(performance.now())
  })
  /** @type {number[]} */
  const times = []
  await forAll(async i => {
    const size = `changed-${i}`
    const seen = Array.from({length: OBJECTS}, (_, k) => {
      /** @type {Promise<number>} */
      const promise = new Promise(resolve => waiting.set(`${nameOf(i)}-${k} ${size}`, resolve))
      return promise
    })
    await send(`${server}/${API}/namespaces/default/benches/${nameOf(i)}`, 'PATCH', {spec: {size}})
    const changed = performance.now()
    times.push(Math.max(0, ...(await Promise.all(seen)).map(time => time - changed)))
  })
  stop.abort()
  await watched
  return times.sort((a, b) => a - b)
}

/**
 * @param {string} server
 * @param {AbortSignal} signal
 * @param {(name: string, size: string) => void} seen
 */
async function watchObjects(server, signal, seen) {
  try {
    const response = await globalThis.fetch(`${server}/api/v1/namespaces/default/configmaps?watch=1`, {
      signal,
    })
    if (response.body === null) throw new Error('the watch has no body')
    for await (const line of createInterface({input: Readable.fromWeb(response.body)})) {
      /** @type {{object: {metadata: {name: string}, data?: {size?: string}}}} */
      const {object} = JSON.parse(line)
      seen(object.metadata.name, object.data?.size ?? '')
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** @param {(i: number) => Promise<void>} work */
async function forAll(work) {
  let next = 0
  const worker = async () => {
    while (next < RESOURCES) await work(next++)
  }
  await Promise.all(Array.from({length: CONCURRENCY}, worker))
}

/** @param {number} i */
function nameOf(i) {
  return `bench-${i}`
}

/** @param {string} folder */
function installOf(folder) {
  const reference = [
    'bench',
    '--as-package',
    'example/bench:v1.0.0',
    '--namespace',
    NAMESPACE,
    '--no-dependencies',
  ]
  const templates = ['--templates-from', 'inline', '--controller-image', 'example.org/run:v1']
  const changes = ['--with-package-api', '--create-namespace', '--no-wait', '--yes']
  return ['package', 'install', folder, ...reference, ...templates, ...changes]
}

/** @param {string} folder */
function writePackage(folder) {
  const files = {
    '.registry/app.yaml': 'title: Bench\nversion: v1.0.0\npermissionScope: Cluster\npackageType: Stack\n',
    '.registry/behavior.yaml':
      'crd: {apiVersion: bench.example.org/v1, kind: Bench}\nengine: {type: helm3}\nsource: {path: chart}\n',
    '.registry/resources/bench.crd.yaml': CRD,
    'chart/Chart.yaml': 'apiVersion: v1\nname: bench\nversion: 0.1.0\n',
    'chart/templates/maps.yaml': TEMPLATE,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), {recursive: true})
    writeFileSync(join(folder, path), text)
  }
}

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: benches.bench.example.org}
spec:
  group: bench.example.org
  names: {kind: Bench, listKind: BenchList, plural: benches, singular: bench}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

const TEMPLATE = `{{- range $k := until ${OBJECTS} }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ $.Release.Name }}-{{ $k }}}
data:
  size: {{ $.Values.size | quote }}
  text: {{ repeat 1000 "x" | quote }}
{{- end }}
`
