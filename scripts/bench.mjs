// What the program costs beside what Node itself costs. A report and never a test: machines differ, so only numbers of
// one run are compared. Jobs are interleaved so that a slow minute is shared by all. Options by environment:
// BENCH_RUNS (15), BENCH_SERIES_RUNS (5), BENCH_COMMIT_RUNS (3), BENCH_PULL_RUNS (5), BENCH_CLUSTER_RUNS (3), BENCH_CLUSTER_CRDS (300),
// BENCH_INSTANCES (10000), CROSSPLANE_CORPUS (../shared). Arguments name the parts to measure: start, resolution, series,
// check, commit, pulls, cluster, lifecycle.
import {existsSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {measureChecks} from './bench-check.mjs'
import {measureCommits} from './bench-commit.mjs'
import {measureInstalls, missingForClusters} from './bench-cluster.mjs'
import {measureLifecycle} from './bench-lifecycle.mjs'
import {resolutionRows} from './bench-resolution.mjs'
import {generatePackage} from './generate-package.mjs'
import {measurePulls, missingForPulls} from './bench-pull.mjs'
import {measure, median} from './measure.mjs'

const root = join(import.meta.dirname, '..')
const program = join(root, 'bin/run.js')
const corpus = process.env.CROSSPLANE_CORPUS ?? join(root, '../shared')
const sizes = [10, 50, 200, 500, 1000, 2000]

/** @typedef {import('./measure.mjs').Job} Job */
/** @typedef {import('./measure.mjs').Result} Result */

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
function printTable(head, rows) {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map(row => (row[column] ?? '').length)))
  for (const row of all) {
    const cells = row.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
    )
    console.log(cells.join('  ').trimEnd())
  }
  console.log()
}

/**
 * @param {Result[]} results
 * @param {number} bare milliseconds
 */
function printCosts(results, bare) {
  const rows = results.map(({name, median, min, peak, wanted, error}) =>
    error !== undefined
      ? [name, error]
      : [
          name,
          median.toFixed(1),
          min.toFixed(1),
          `${(median / bare).toFixed(2)}x`,
          wanted === undefined ? '' : `<= ${wanted}x`,
          peak.toFixed(1),
        ],
  )
  printTable(['name', 'median ms', 'min ms', 'to node -e 0', 'wanted', 'peak MB'], rows)
}

/**
 * @param {Result[]} results one for each of `sizes`
 * @param {number} start milliseconds that the program takes to do nothing: they would hide how a CRD's cost grows
 */
function printSeries(results, start) {
  const perCrd = results.map(({median}, i) => (median - start) / (sizes[i] ?? 1))
  const reference = perCrd[sizes.indexOf(200)] ?? Number.NaN
  const rows = results.map(({name, median, min, peak, error}, i) =>
    error !== undefined
      ? [name, error]
      : [
          name,
          median.toFixed(1),
          min.toFixed(1),
          (perCrd[i] ?? Number.NaN).toFixed(3),
          `${((perCrd[i] ?? Number.NaN) / reference).toFixed(2)}x`,
          // Below 200 what every render does once is most of it.
          (sizes[i] ?? 0) > 200 ? '<= 1.3x' : '',
          peak.toFixed(1),
        ],
  )
  printTable(
    ['name', 'median ms', 'min ms', 'ms per CRD beyond start', 'to that at 200', 'wanted', 'peak MB'],
    rows,
  )
}

/** @param {import('./bench-pull.mjs').PullResult[]} results the first of them skopeo's */
function printPulls(results) {
  const reference = results[0]?.median ?? Number.NaN
  const rows = results.map(({name, median, min, wanted, megabytes}) => [
    name,
    median.toFixed(0),
    min.toFixed(0),
    `${(median / reference).toFixed(2)}x`,
    wanted === undefined ? '' : `<= ${wanted}x`,
    megabytes.toFixed(1),
  ])
  printTable(['name', 'median ms', 'min ms', 'to skopeo', 'wanted', 'MB written'], rows)
}

/** @param {string} name */
function runsFrom(name, /** @type {number} */ otherwise) {
  const runs = Number(process.env[name] ?? otherwise)
  if (!Number.isInteger(runs) || runs < 1)
    throw new Error(`${name} is no count of runs: ${process.env[name]}`)
  return runs
}

/** @returns {Job[]} */
function startUpJobs() {
  const real = join(corpus, 'corpus/provider-gcp@v0.11.0')
  if (!existsSync(real)) console.log(`No ${real}: set CROSSPLANE_CORPUS to measure a real package too.\n`)
  const render = [
    program,
    'package',
    'render',
    real,
    '-n',
    'x',
    '--as-package',
    'crossplane/provider-gcp:v0.11.0',
  ]
  return [
    {name: 'node -e 0', args: ['-e', '0']},
    {name: 'version', args: [program, 'version'], wanted: 6},
    {name: '--help', args: [program, '--help'], wanted: 6},
    ...(existsSync(real) ? [{name: 'package render provider-gcp', args: render}] : []),
  ]
}

/**
 * @param {string} folder
 * @returns {Job[]}
 */
function seriesJobs(folder) {
  return sizes.map(size => {
    const path = join(folder, `crds-${size}`)
    generatePackage(path, size)
    const args = [program, 'package', 'render', path, '-n', 'x', '--as-package', 'example/bench:v1.0.0']
    return {name: `package render, ${size} CRDs`, args}
  })
}

/**
 * @param {import('./bench-cluster.mjs').ClusterResult[]} results the first of them kubectl's
 */
function printInstalls(results) {
  /** @param {import('./bench-cluster.mjs').ClusterResult} result */
  const sending = ({runs}) => median(runs.map(each => each.sending))
  const [kubectl] = results
  const rows = results.map(({name, wanted, runs}) => {
    /** @param {(run: import('./bench-cluster.mjs').Run) => number} of */
    const middle = of => median(runs.map(of)).toFixed(0)
    return [
      name,
      middle(run => run.requests),
      runs.map(run => run.sending.toFixed(0)).join(' '),
      kubectl === undefined ? '' : `${(sending({name, runs}) / sending(kubectl)).toFixed(2)}x`,
      wanted === undefined ? '' : `<= ${wanted}x`,
      middle(run => run.start),
      middle(run => run.idle),
      middle(run => run.peak).replace('NaN', ''),
    ]
  })
  const head = [
    'name',
    'requests',
    'ms of requests',
    'to kubectl',
    'wanted',
    'ms before',
    'ms idle',
    'peak MB',
  ]
  printTable(head, rows)
}

/** The parts, in their order. @type {Record<string, (folder: string) => Promise<void> | void>} */
const PARTS = {
  start: folder => {
    const costs = measure(startUpJobs(), runsFrom('BENCH_RUNS', 15), folder)
    printCosts(costs, costs[0]?.median ?? Number.NaN)
  },
  resolution: async folder => {
    printTable(['resolution', 'answer', 'steps', 'best ms', 'wanted'], await resolutionRows(folder))
  },
  series: folder => {
    const [version] = measure(
      [{name: 'version', args: [program, 'version']}],
      runsFrom('BENCH_RUNS', 15),
      folder,
    )
    printSeries(
      measure(seriesJobs(folder), runsFrom('BENCH_SERIES_RUNS', 5), folder),
      version?.median ?? Number.NaN,
    )
  },
  check: folder => {
    const size = {
      runs: runsFrom('BENCH_SERIES_RUNS', 5),
      files: 1000,
      crds: runsFrom('BENCH_CLUSTER_CRDS', 300),
    }
    printTable(['name', 'ms', 'ratio', 'wanted'], measureChecks(program, folder, size))
  },
  commit: folder => {
    const size = {runs: runsFrom('BENCH_COMMIT_RUNS', 3), files: 1000}
    const rows = measureCommits(program, join(folder, 'commits'), size)
    printTable(['name', 'ms', 'to git', 'wanted'], rows)
  },
  pulls: async folder => {
    const missing = missingForPulls()
    if (missing !== undefined) console.log(`Pulls are not measured: ${missing}.`)
    else printPulls(await measurePulls(program, folder, runsFrom('BENCH_PULL_RUNS', 5)))
  },
  cluster: async folder => {
    const missing = missingForClusters()
    if (missing !== undefined) return console.log(`Installs are not measured: ${missing}.`)
    const size = {runs: runsFrom('BENCH_CLUSTER_RUNS', 3), crds: runsFrom('BENCH_CLUSTER_CRDS', 300)}
    for (const results of await measureInstalls(program, folder, size)) printInstalls(results)
  },
  lifecycle: async folder => {
    const missing = missingForClusters()
    if (missing !== undefined) return console.log(`Instances are not measured: ${missing}.`)
    const size = {crds: runsFrom('BENCH_CLUSTER_CRDS', 300), instances: runsFrom('BENCH_INSTANCES', 10_000)}
    const rows = await measureLifecycle(program, folder, size)
    printTable(['name', 'requests', 'ms', 'peak MB', 'wanted', 'pages of instances'], rows)
  },
}

const requested = process.argv.slice(2)
const unknown = requested.filter(part => !Object.hasOwn(PARTS, part))
if (unknown.length > 0)
  throw new Error(`unknown part ${unknown.join(', ')}; parts: ${Object.keys(PARTS).join(', ')}`)
const folder = mkdtempSync(join(tmpdir(), 'kubectl-crossplane-bench-'))
try {
  console.log(`node ${process.version}, ${process.platform}/${process.arch}\n`)
  for (const [name, part] of Object.entries(PARTS)) {
    if (requested.length === 0 || requested.includes(name)) await part(folder)
  }
} finally {
  rmSync(folder, {recursive: true})
}
