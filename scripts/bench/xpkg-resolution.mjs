// What it costs to select versions of packages for a current Crossplane: reading is immediate, so that only the search
// and the evaluation of constraints are measured.

/** @typedef {import('../../src/resolve/xpkg/xpkg-catalog.js').XpkgCatalog} XpkgCatalog */

const PACKAGES = 500
const TAGS = 50
const WANTED = 1000

const count = (/** @type {number} */ length) => Array.from({length}, (_, index) => index)
const nameOf = (/** @type {number} */ place) => `registry.example.org/packages/p${place}`

/** The packages that each requires: one after the other, or three branches. */
const SHAPES = {
  deep: (/** @type {number} */ place) => [place + 1, place + 2],
  wide: (/** @type {number} */ place) => [1, 2, 3].map(branch => 3 * place + branch),
}

/**
 * One of four ranges; every twentieth package is required in an older version by some.
 *
 * @param {number} place
 * @param {number} to
 */
function constraintOf(place, to) {
  if (to % 20 === 0) return place % 2 === 0 ? '<v4.5.0' : `>=v1.2.0, <v5.${(place % 9) + 1}.0`
  return ['>=v1.2.0', '>=v1.0.0, <v6.0.0', '*', '^5.0'][(place * 31 + to * 17) % 4] ?? '*'
}

/** @param {(place: number) => readonly number[]} shape @returns {XpkgCatalog} */
function catalogOf(shape) {
  return {
    tags: () => Promise.resolve(count(TAGS).map(index => `v${1 + Math.floor(index / 10)}.${index % 10}.0`)),
    digestOf: () => Promise.resolve(undefined),
    read: repository => {
      const place = Number(repository.split('/p').at(-1))
      const dependencies = shape(place)
        .filter(to => to < PACKAGES)
        .map(to => ({
          ...{apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider'},
          ...{package: nameOf(to), version: constraintOf(place, to)},
        }))
      return Promise.resolve({kind: 'Provider', dependencies})
    },
  }
}

/**
 * @param {typeof import('../../src/resolve/xpkg/resolve-xpkgs.js').resolveXpkgs} resolveXpkgs
 * @returns {Promise<readonly import('./table.mjs').Row[]>}
 */
export async function xpkgRows(resolveXpkgs) {
  /** @type {import('./table.mjs').Row[]} */
  const rows = []
  for (const [name, shape] of Object.entries(SHAPES)) {
    const request = {roots: [{repository: nameOf(0)}], rules: /** @type {const} */ (['v1', 'v3'])}
    const runs = []
    for (let run = 0; run < 3; run += 1) {
      const start = performance.now()
      const result = await resolveXpkgs(request, catalogOf(shape), {isSpent: () => false})
      const selected = result.kind === 'resolved' ? result.packages.length : 0
      runs.push({ms: performance.now() - start, selected})
    }
    const selected = runs[0]?.selected ?? 0
    rows.push({
      work: `today's packages, ${PACKAGES} with ${TAGS} tags, ${name}`,
      ...{ms: Math.min(...runs.map(({ms}) => ms)), wanted: WANTED, details: `${selected} selected`},
      error: selected === PACKAGES ? undefined : 'not all packages are selected',
    })
  }
  return rows
}
