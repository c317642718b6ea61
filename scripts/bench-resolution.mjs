// What working out dependencies costs, in this process: the solver is a function, and what is measured is the function.
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {closure, diamonds, pigeons, wildcards} from './resolution-worlds.mjs'

/** @typedef {{name: string, world: import('../src/resolve/question.js').Question, wanted?: number}} World `wanted` in seconds */

/** @returns {World[]} */
function worlds() {
  return [
    {name: 'pigeons, 7 into 6', world: pigeons(7, 6), wanted: 5},
    {name: 'diamonds, depth 12 of 20 versions', world: diamonds(12, 20), wanted: 5},
    {name: '300 wildcards over 40 groups', world: wildcards(300, 40), wanted: 5},
    {name: 'closure of 200, 2000 packages of 30', world: closure(2000, 30, 200), wanted: 1},
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

/** Rows of a table: name, answer, steps, best of three in milliseconds, what is wanted. */
export async function resolutionRows() {
  // What was built, and only when it is wanted.
  const built = join(import.meta.dirname, '../dist/resolve/solve.js')
  /** @type {typeof import('../src/resolve/solve.js')} */
  const {solve} = await import(pathToFileURL(built).href)
  const options = {
    allowVersionMismatch: false,
    systemNamespace: 'crossplane-system',
    budget: {isSpent: () => false},
  }
  return worlds().map(({name, world, wanted}) => {
    const runs = [1, 2, 3].map(() => {
      const start = performance.now()
      const {kind, steps} = solve(world, options)
      return {kind, steps, milliseconds: performance.now() - start}
    })
    const best = Math.min(...runs.map(({milliseconds}) => milliseconds))
    const limit = wanted === undefined ? '' : `<= ${wanted * 1000}`
    return [name, runs[0]?.kind ?? '', String(runs[0]?.steps), best.toFixed(1), limit]
  })
}
