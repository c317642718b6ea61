// What it costs to look for updates of a home of many, and to compare many homes with their clusters.
import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {load} from 'js-yaml'
import {execute} from './execute.mjs'
import {startClusters, startCountingProxy} from './fleet-servers.mjs'
import {measure} from './measure.mjs'
import {startRegistry} from './pull.mjs'
import {measuredRow, peerOf} from './rows.mjs'
import {metOrNot} from './table.mjs'
import {run, writeProvider} from './xpkgs.mjs'

const HOMES = 50
const PACKAGES = 20
const CONTEXTS = 20
/** Of each request to a cluster, in milliseconds. */
const LATENCY = 30
/** In milliseconds. */
const WANTED = 2000
/** Of one context. */
const WANTED_RATIO = 3

const GIT = {
  ...{GIT_AUTHOR_NAME: 'Bench', GIT_AUTHOR_EMAIL: 'bench@example.org'},
  ...{GIT_COMMITTER_NAME: 'Bench', GIT_COMMITTER_EMAIL: 'bench@example.org'},
  ...{GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null'},
}

/** @type {import('./parts.mjs').Part} */
export const FLEET = {
  name: 'fleet',
  title: 'Updates and fleets',
  about: `A repository with ${HOMES} homes of ${PACKAGES} packages: \`package update\` of one without news, with its packages in the cache, and \`package fleet\` with one and with ${CONTEXTS} clusters, whose API servers answer after ${LATENCY} ms.`,
  measure: async ({folder, best}) => {
    const missing = ['docker-registry', 'git'].filter(
      tool => spawnSync('which', [tool], {stdio: 'ignore'}).status !== 0,
    )
    if (missing.length > 0) return {rows: [], missing}
    const registry = await startRegistry(folder)
    const proxy = await startCountingProxy(registry.host)
    try {
      const root = await writeHomes(best.command, folder, {pushed: registry.host, pulled: proxy.host})
      const updates = await updateRows(best, {root, folder, proxy})
      return {rows: [...updates, ...(await fleetRows(best, root, folder))], missing}
    } finally {
      await proxy.stop()
      await registry.stop()
    }
  },
}

/**
 * @typedef {import('./builds.mjs').Build} Build
 * @typedef {{root: string, folder: string, proxy: Awaited<ReturnType<typeof startCountingProxy>>}} World
 *
 * @param {Build} build
 * @param {World} world
 */
async function updateRows({name: build, command}, {root, folder, proxy}) {
  const args = [
    'package',
    'update',
    '--git',
    root,
    '--path',
    'homes/h0',
    '--cache-dir',
    join(folder, 'cache'),
  ]
  const job = {work: 'update without news', build, command: [...command, ...args], env: GIT}
  await execute(job.command, job)
  proxy.requests.splice(0)
  await execute(job.command, job)
  const [requests, repositories] = [proxy.requests.length, new Set(proxy.requests.map(repositoryOf)).size]
  const isMet = requests === PACKAGES && repositories === PACKAGES
  const details = `${requests} requests to ${repositories} repositories (one for each: ${metOrNot(isMet)})`
  const results = await measure([job])
  return results.map(each => measuredRow(each, {wanted: WANTED, details}))
}

/** @param {string} path */
function repositoryOf(path) {
  return path.replace(/^\/v2\/(.*)\/(?:tags|manifests|blobs|referrers)\/.*$/, '$1')
}

/**
 * @param {Build} build
 * @param {string} root
 * @param {string} folder
 */
async function fleetRows({name: build, command}, root, folder) {
  const clusters = await startClusters({
    number: CONTEXTS,
    latency: LATENCY,
    packages: lockedPackages(join(root, 'homes/h0/crossplane-packages.lock')),
  })
  try {
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, clusters.kubeconfig)
    const fleet = (/** @type {number} */ number) => {
      const names = Array.from({length: number}, (_, at) => at)
      const homes = names.map(at => join(root, `homes/h${at}`))
      const contexts = ['--contexts', names.map(at => `c${at}`).join(',')]
      const of = [...contexts, '--kubeconfig', kubeconfig]
      return {build, command: [...command, 'package', 'fleet', ...homes, ...of], env: GIT}
    }
    const [one, many] = ['fleet, 1 context', `fleet, ${CONTEXTS} contexts`]
    const results = await measure([
      {
        work: `fleet, ${HOMES} homes without clusters`,
        build,
        command: [...command, 'package', 'fleet', root],
      },
      {work: String(one), ...fleet(1)},
      {work: String(many), ...fleet(CONTEXTS)},
    ])
    const row = {peer: peerOf(results, String(one)), wanted: WANTED_RATIO}
    return results.map(each => measuredRow(each, each.job.work === many ? row : {}))
  } finally {
    await clusters.stop()
  }
}

/** @param {string} file */
function lockedPackages(file) {
  const {xpkgs} = /** @type {{xpkgs: Record<string, {tag: string, digest: string}>}} */ (
    load(readFileSync(file, 'utf8'))
  )
  return Object.entries(xpkgs).map(([repository, own]) => ({...own, repository}))
}

/**
 * Pushes the packages, and writes and commits a home with all of them, and its copies.
 *
 * @param {readonly string[]} command
 * @param {string} folder
 * @param {{pushed: string, pulled: string}} hosts
 */
async function writeHomes(command, folder, {pushed, pulled}) {
  const names = Array.from({length: PACKAGES}, (_, at) => `bench/provider-${at}`)
  for (const [at, name] of names.entries()) {
    const source = join(folder, name)
    writeProvider(source, name.replace('bench/', ''), {first: 10 * at, end: 10 * at + 10, blocks: 4})
    run(command, 'package', 'push', `${pushed}/${name}:v1.0.0`, source, '--no-lint')
  }
  const root = join(folder, 'repository')
  const home = join(root, 'homes/h0')
  mkdirSync(home, {recursive: true})
  const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n'
  const entries = names.map(name => `- package: ${pulled}/${name}:v1.0.0\n`)
  const declaration = join(home, 'crossplane-packages.yaml')
  writeFileSync(declaration, head + entries.join(''))
  const own = ['--declaration', declaration, '--cache-dir', join(folder, 'cache')]
  const render = ['package', 'render', ...own, '--output-dir', join(home, 'packages')]
  for (const args of [['package', 'lock', ...own], render]) await execute([...command, ...args])
  for (let at = 1; at < HOMES; at += 1) cpSync(home, join(root, `homes/h${at}`), {recursive: true})
  for (const args of [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '--all'],
    ['commit', '-qm', 'homes'],
  ])
    await execute(['git', '-C', root, ...args], {env: GIT})
  return root
}
