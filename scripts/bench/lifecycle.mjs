// What an install of many CRDs with many instances costs to list, to judge, and to guard from an uninstall: time, requests
// and memory. Half of the instances are of one CRD, so that their pages count; the others are spread.
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {inAuditedCluster} from './audited-cluster.mjs'
import {established, identity, measureRun, missingForClusters, runsRow} from './cluster.mjs'
import {execute} from './execute.mjs'
import {generatePackage} from './generate-package.mjs'
import {send, throughProxy} from './kubectl-proxy.mjs'

const NAMESPACE = 'crossplane-system'
const INSTALL = `${NAMESPACE}/bench`

/** What is measured; an uninstall that its guard rejects ends with 5, and nothing here runs Pods. */
const COMMANDS = [
  {name: 'list', args: ['list', '--all-namespaces'], statuses: [0]},
  {name: 'tree --installed', args: ['tree', '--installed'], statuses: [0]},
  {name: 'status', args: ['status', INSTALL], statuses: [0, 1]},
  {name: 'guard of uninstall', args: ['uninstall', INSTALL, '--dry-run=client'], statuses: [5]},
]

/** The goal for memory, in MB. */
const MAX_PEAK = 300
const PAGE = 500
const CONCURRENCY = 16

const [CRDS, INSTANCES] = [300, 10_000]

/** @type {import('./parts.mjs').Part} */
export const LIFECYCLE = {
  name: 'lifecycle',
  title: 'Installs with many custom resources',
  about: `An install of ${CRDS} CRDs, with ${INSTANCES / 10} and with ${INSTANCES} custom resources: one run each, the time from the first request to the end of the last. The target for memory is ${MAX_PEAK} MB. The requests may grow with the pages of custom resources.`,
  measure: async ({folder, best}) => {
    const missing = missingForClusters()
    if (missing.length > 0) return {rows: [], missing}
    return {rows: await lifecycleRows(join(folder, 'lifecycle'), best), missing}
  },
}

/**
 * Returns a row for each command and number of instances.
 *
 * @param {string} folder
 * @param {import('./builds.mjs').Build} build
 */
async function lifecycleRows(folder, build) {
  mkdirSync(folder)
  generatePackage(join(folder, 'package'), CRDS)
  return await inAuditedCluster(folder, async (cluster, env) => {
    const [folderOf = '', ...flags] = identity(folder)
    const install = [
      'package',
      'install',
      folderOf,
      'bench',
      ...flags,
      '--with-package-api',
      '--create-namespace',
    ]
    await execute([...build.command, ...install, '--no-wait', '--yes'], {env})
    await established(env)
    const rows = []
    let created = 0
    for (const size of [INSTANCES / 10, INSTANCES]) {
      await createInstances(env, {crds: CRDS, from: created, to: size})
      created = size
      for (const {name, args, statuses} of COMMANDS) {
        const command = [...build.command, 'package', ...args]
        const run = await measureRun({agent: 'kubectl-crossplane', command, statuses}, cluster, env)
        const row = runsRow(`${name}, ${size} custom resources`, build.name, [run])
        const pages = `${pagesOf(CRDS, size)} pages`
        const details = `${run.requests} requests; ${pages}`
        rows.push({...row, ms: run.idle + run.sending, wantedPeak: MAX_PEAK, details})
      }
    }
    return rows
  })
}

/**
 * The pages of all instances, by which requests may grow.
 *
 * @param {number} crds
 * @param {number} size
 */
function pagesOf(crds, size) {
  const counts = Array.from({length: crds}, () => 0)
  for (let i = 0; i < size; i++) counts[crdOf(i, crds)] = (counts[crdOf(i, crds)] ?? 0) + 1
  return counts.reduce((pages, count) => pages + Math.max(1, Math.ceil(count / PAGE)), 0)
}

/**
 * @param {number} i
 * @param {number} crds
 */
function crdOf(i, crds) {
  return i % 2 === 0 ? 0 : ((i - 1) / 2) % crds
}

/**
 * @param {Record<string, string>} env
 * @param {{crds: number, from: number, to: number}} range
 */
async function createInstances(env, {crds, from, to}) {
  await throughProxy(env, async server => {
    let next = from
    const work = async () => {
      while (next < to) await createInstance(server, next, crdOf(next++, crds))
    }
    await Promise.all(Array.from({length: CONCURRENCY}, work))
  })
}

/**
 * @param {string} server
 * @param {number} i
 * @param {number} crd
 */
async function createInstance(server, i, crd) {
  const group = `group${Math.floor(crd / 10)}.bench.example.org`
  const body = {
    apiVersion: `${group}/v1beta1`,
    kind: `Thing${crd}`,
    metadata: {name: `thing-${i}`},
    spec: {forProvider: {block0: {enabled: true, replicas: 3}}, providerRef: {name: 'bench'}},
  }
  await send(`${server}/apis/${group}/v1beta1/thing${crd}s`, 'POST', body)
}
