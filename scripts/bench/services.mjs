// What it costs to bind claims, beside crossplane-runtime: requests for each claim, memory, and the CPU time of a process with
// nothing to do. Both serve claims and managed resources, with an external system in memory.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {inAuditedCluster} from './audited-cluster.mjs'
import {missingForClusters} from './cluster.mjs'
import {environment, execute} from './execute.mjs'
import {send, throughProxy} from './kubectl-proxy.mjs'
import {metOrNot} from './table.mjs'
import {testServer} from './test-server.mjs'
import {idleShareOf, idleText, usageOf} from './usage.mjs'

const CLAIMS = Number(process.env.BENCH_CLAIMS ?? 1000)
/** The goal, in MB. */
const MAX_PEAK = 150
/** Milliseconds after the last change until a process counts as idle; managed resources are observed once a minute. */
const QUIET = 15_000
const CONCURRENCY = 8

const CLAIM = 'database.example.org/v1alpha1'
const MANAGED = 'fcp.example.org/v1alpha3'

/**
 * @typedef {{name: string, agent: string, command: readonly string[]}} Program
 * @typedef {{ms: number, requests: number, peak: number, idle: number}} Run
 */

/** @type {import('./parts.mjs').Part} */
export const SERVICES = {
  name: 'services',
  title: 'Managed services',
  about: `${CLAIMS} claims of one class, from the creation of the first until all are \`Ready\`, by a provider with the library and by crossplane-runtime v0.9.0, each in a cluster of its own. Requests are those of the API server's audit log; idle is the part of a core that a process needs in a minute after that.`,
  measure: async ({folder}) => {
    const missing = missingForClusters()
    if (missing.length > 0) return {rows: [], missing}
    mkdirSync(folder, {recursive: true})
    const ours = await runOf(folder, {
      name: 'kubectl-crossplane-services',
      agent: 'kubectl-crossplane',
      command: [process.execPath, join(import.meta.dirname, 'services-provider.mjs')],
    })
    const original = originalProgram()
    const theirs = original === undefined ? undefined : await runOf(folder, original)
    return {rows: [rowOf(ours, theirs)], missing: theirs === undefined ? ['crossplane-runtime'] : []}
  },
}

/**
 * @param {Run} ours
 * @param {Run | undefined} theirs
 * @returns {import('./table.mjs').Row}
 */
function rowOf(ours, theirs) {
  const row = {
    work: `${CLAIMS} claims until all are ready`,
    ms: ours.ms,
    peak: ours.peak,
    wantedPeak: MAX_PEAK,
  }
  const own = `${ours.requests.toFixed(1)} requests for each claim, ${idleText(ours.idle)}`
  if (theirs === undefined) return {...row, details: own}
  const factor = ours.requests / theirs.requests
  const other = `crossplane-runtime ${theirs.requests.toFixed(1)}, idle ${(theirs.idle * 100).toFixed(1)} %, ${theirs.peak.toFixed(0)} MB`
  const details = `${own}; ${other}; ${factor.toFixed(2)}x the requests (≤ 1x: ${metOrNot(factor <= 1)})`
  return {...row, peer: {name: 'crossplane-runtime', ms: theirs.ms}, details}
}

/** What `npm run cluster:setup` built. @returns {Program | undefined} */
function originalProgram() {
  const name = 'crossplane-runtime'
  const path = testServer(name)
  return path === undefined ? undefined : {name, agent: name, command: [path]}
}

/**
 * @param {string} folder
 * @param {Program} program
 * @returns {Promise<Run>}
 */
async function runOf(folder, {name, agent, command: [path = '', ...args]}) {
  return await inAuditedCluster(join(folder, name), async (cluster, env) => {
    await createKinds(folder, env)
    return await throughProxy(env, async server => {
      const child = spawn(path, args, {
        env: {...environment, ...env, CONTROL: '127.0.0.1:0'},
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      try {
        // Its lists of objects are part of no claim.
        await setTimeout(5000)
        const mark = await cluster.mark()
        const start = performance.now()
        await createClaims(server)
        await allReady(server)
        const ms = performance.now() - start
        await setTimeout(QUIET)
        const requests = (await cluster.requests(agent, mark)).length / CLAIMS
        const idle = await idleShareOf(child.pid)
        const [peak] = usageOf(child.pid)
        return {ms, requests, peak, idle}
      } finally {
        child.kill('SIGKILL')
        await ended
      }
    })
  })
}

/** @param {string} server */
async function createClaims(server) {
  let next = 0
  const worker = async () => {
    while (next < CLAIMS) {
      const name = `claim-${next++}`
      await send(`${server}/apis/${CLAIM}/namespaces/default/fancysqlinstances`, 'POST', {
        apiVersion: CLAIM,
        kind: 'FancySQLInstance',
        metadata: {name},
        spec: {classSelector: {matchLabels: {tier: 'a'}}, writeConnectionSecretToRef: {name}},
      })
    }
  }
  await Promise.all(Array.from({length: CONCURRENCY}, worker))
}

/** @param {string} server */
async function allReady(server) {
  for (;;) {
    const response = await globalThis.fetch(`${server}/apis/${CLAIM}/fancysqlinstances`)
    /** @type {{items: {status?: {conditions?: {type: string, status: string}[]}}[]}} */
    const {items} = JSON.parse(await response.text())
    const isReady = items.every(({status}) =>
      status?.conditions?.some(each => each.type === 'Ready' && each.status === 'True'),
    )
    if (isReady) return
    await setTimeout(500)
  }
}

/**
 * @param {string} folder
 * @param {Record<string, string>} env
 */
async function createKinds(folder, env) {
  const [crds, objects] = [join(folder, 'crds.json'), join(folder, 'objects.json')]
  writeFileSync(crds, list(CRDS))
  writeFileSync(objects, list(OBJECTS))
  await execute(['kubectl', 'apply', '-f', crds], {env})
  await execute(['kubectl', 'wait', '--for=condition=Established', '-f', crds], {env})
  await setTimeout(2000)
  await execute(['kubectl', 'apply', '-f', objects], {env})
}

/** @param {readonly object[]} items */
function list(items) {
  return JSON.stringify({apiVersion: 'v1', kind: 'List', items})
}

/**
 * @param {string} apiVersion
 * @param {string} kind
 * @param {string} plural
 * @param {{scope?: string, hasStatus?: boolean}} [options]
 */
function crd(apiVersion, kind, plural, {scope = 'Cluster', hasStatus = false} = {}) {
  const [group, name] = apiVersion.split('/')
  const openAPIV3Schema = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}
  const subresources = hasStatus ? {subresources: {status: {}}} : {}
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.${group}`},
    spec: {
      group,
      scope,
      names: {kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase()},
      versions: [{name, served: true, storage: true, schema: {openAPIV3Schema}, ...subresources}],
    },
  }
}

const CRDS = [
  crd(CLAIM, 'FancySQLInstance', 'fancysqlinstances', {scope: 'Namespaced', hasStatus: true}),
  crd(MANAGED, 'FavouriteDBInstance', 'favouritedbinstances', {hasStatus: true}),
  crd(MANAGED, 'FavouriteDBInstanceClass', 'favouritedbinstanceclasses'),
  crd(MANAGED, 'Provider', 'providers'),
]

const OBJECTS = [
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {name: 'fcp', namespace: 'default'},
    stringData: {key: 'credentials'},
  },
  {
    apiVersion: MANAGED,
    kind: 'Provider',
    metadata: {name: 'fcp'},
    spec: {credentialsSecretRef: {name: 'fcp', namespace: 'default', key: 'key'}},
  },
  {
    apiVersion: MANAGED,
    kind: 'FavouriteDBInstanceClass',
    metadata: {name: 'a', labels: {tier: 'a'}},
    specTemplate: {
      providerRef: {name: 'fcp'},
      writeConnectionSecretsToNamespace: 'default',
      forProvider: {fancinessLevel: 1},
      reclaimPolicy: 'Delete',
    },
  },
]
