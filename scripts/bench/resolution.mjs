// What working out dependencies costs, in this process: the solver is a function, and what is measured is the function.
// The largest world comes the way it comes to everybody: from a file as `registry index export` writes it.
import {createReadStream, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {closure, diamonds, pigeons, tangledWildcards, wildcards} from './resolution-worlds.mjs'
import {xpkgRows} from './xpkg-resolution.mjs'

/** @typedef {{name: string, world: import('../../src/resolve/solver-input.js').SolverInput, requested?: number}} World `requested` in seconds */

/** @returns {World[]} */
function worlds() {
  return [
    {name: 'pigeons, 7 into 6', world: pigeons(7, 6), requested: 5},
    {name: 'diamonds, depth 12 of 20 versions', world: diamonds(12, 20), requested: 5},
    {name: '300 wildcards over 40 groups', world: wildcards(300, 40), requested: 5},
    {name: '300 wildcards of 30 packages over 40 groups', world: tangledWildcards(), requested: 5},
    ...[3, 4, 5, 6].map(holes => ({
      name: `series: pigeons, ${holes + 1} into ${holes}`,
      world: pigeons(holes + 1, holes),
    })),
    ...[3, 6, 12, 24].map(depth => ({
      name: `series: diamonds, depth ${depth} of 20`,
      world: diamonds(depth, 20),
    })),
    ...[50, 100, 200, 400].map(size => ({
      name: `series: closure of ${size}, 2000 packages of 30`,
      world: closure(2000, 30, size),
    })),
  ]
}

/** What was built, and only when it is requested. @param {string} path */
const built = path => import(pathToFileURL(join(import.meta.dirname, '../../dist', path)).href)

/** @type {import('./parts.mjs').Part} */
export const RESOLUTION = {
  name: 'resolution',
  title: 'Resolution',
  about: 'The solver as a function, in this process: the best of three runs.',
  measure: async ({folder}) => ({rows: await resolutionRows(folder), missing: []}),
}

/** @param {string} folder @returns {Promise<import('./table.mjs').Row[]>} */
async function resolutionRows(folder) {
  /** @type {typeof import('../../src/resolve/solve.js')} */
  const {solve} = await built('resolve/solve.js')
  /** @type {typeof import('../../src/resolve/xpkg/resolve-xpkgs.js')} */
  const {resolveXpkgs} = await built('resolve/xpkg/resolve-xpkgs.js')
  const options = {
    allowVersionMismatch: false,
    systemNamespace: 'crossplane-system',
    budget: {isSpent: () => false},
  }
  /** @param {World} world @returns {import('./table.mjs').Row} */
  const rowOf = ({name, world, requested}) => {
    const runs = [1, 2, 3].map(() => {
      const start = performance.now()
      const {kind, steps} = solve(world, options)
      return {kind, steps, milliseconds: performance.now() - start}
    })
    const best = Math.min(...runs.map(({milliseconds}) => milliseconds))
    const wanted = requested === undefined ? undefined : requested * 1000
    return {work: name, ms: best, wanted, details: `${runs[0]?.kind}, ${runs[0]?.steps} steps`}
  }
  const {rows, world} = await indexedWorld(join(folder, 'index.jsonl'))
  return [
    ...rows,
    rowOf({name: 'closure of 200, 2000 packages of 30, solved', world, requested: 1}),
    ...worlds().map(rowOf),
    ...(await xpkgRows(resolveXpkgs)),
  ]
}

/** The world of an index file, and what it took to read that and to collect from it. @param {string} path */
async function indexedWorld(path) {
  const asked = closure(2000, 30, 200)
  /** @type {typeof import('../../src/index/file/index-file.js')} */
  const {readIndexFile, writeIndexFile} = await built('index/file/index-file.js')
  /** @type {typeof import('../../src/index/listed-index.js')} */
  const {listedIndex} = await built('index/listed-index.js')
  /** @type {typeof import('../../src/resolve/catalog/collect-summaries.js')} */
  const {collectSummaries} = await built('resolve/catalog/collect-summaries.js')
  writeFileSync(path, [...writeIndexFile({summaries: asked.summaries, unreadable: [], yanked: []})].join(''))
  const start = performance.now()
  const index = listedIndex(path, await readIndexFile(path, createReadStream(path)))
  const read = performance.now()
  const requirements = asked.roots.map(({requirement}) => requirement)
  const {summaries} = await collectSummaries(requirements, [], asked.facts, asked.identify, index)
  const collected = performance.now()
  const size = `${(statSync(path).size / 1e6).toFixed(0)} MB`
  const rows = [
    {work: 'closure of 200, 2000 packages of 30, index file read', ms: read - start, details: size},
    {work: '… collected', ms: collected - read, details: `${summaries.length} versions`},
  ]
  return {rows, world: {...asked, summaries}}
}
