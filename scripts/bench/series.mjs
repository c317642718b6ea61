// How the cost of a render grows with the CRDs, up to 2,043 of 48 KB.
import {readdirSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {generatePackage} from './generate-package.mjs'
import {jsYaml} from './js-yaml.mjs'
import {measure} from './measure.mjs'
import {measuredRow, peerOf} from './rows.mjs'

const SIZES = [10, 50, 200, 500, 2043]
/** Per CRD, that at 200; below it, what every render does once is most of it. */
const REFERENCE = 200
const WANTED_PER_CRD = 1.3
/** Of load and dump by js-yaml. */
const WANTED = 1.3
/** Of the size of the input. */
const WANTED_MEMORY = 6
/** The properties of a CRD, which make it 48 KB. */
const BLOCKS = 27
/** The CRDs of one package: the values of a package are limited. */
const PACKAGE_CRDS = 100

const DECLARATION = 'crossplane-packages.yaml'

/** @type {import('./parts.mjs').Part} */
export const SERIES = {
  name: 'series',
  title: 'Growth with the number of CRDs',
  about:
    '`package render` of a declaration of generated packages, each with up to 100 CRDs of 48 KB. The time per CRD excludes the start of the program. The target for the peak memory is six times the size of the input.',
  measure: async ({folder, best}) => {
    const paths = SIZES.map(size => join(folder, `crds-${size}`))
    SIZES.forEach((size, i) => generateDeclared(paths[i] ?? '', size))
    const largest = paths.at(-1) ?? ''
    const megabytes = bytesIn(largest) / 2 ** 20
    const start = {work: 'version', build: best.name, command: [...best.command, 'version']}
    const peer = jsYaml('js-yaml', largest)
    const renders = SIZES.map((size, i) => renderJob(best, size, paths[i] ?? ''))
    const results = await measure([start, ...renders, peer])
    const begin = peerOf(results, start.work).ms
    const perCrd = (/** @type {import('./measure.mjs').Result} */ each, /** @type {number} */ size) =>
      (each.median - begin) / size
    const measured = results.slice(1, -1)
    const reference = measured[SIZES.indexOf(REFERENCE)]
    const at = {
      name: `${REFERENCE} CRDs, per CRD`,
      ms: reference === undefined ? Number.NaN : perCrd(reference, REFERENCE),
    }
    const last = measured.at(-1)
    return {
      rows: [
        ...results.filter(each => each !== last).map(each => measuredRow(each)),
        ...measured.map((each, i) => {
          const size = SIZES[i] ?? 1
          const row = {work: `per CRD of ${size}`, build: best.name, ms: perCrd(each, size)}
          return size > REFERENCE ? {...row, peer: at, wanted: WANTED_PER_CRD} : row
        }),
        ...(last === undefined
          ? []
          : [
              measuredRow(last, {
                peer: peerOf(results, peer.work),
                wanted: WANTED,
                wantedPeak: WANTED_MEMORY * megabytes,
                details: `${megabytes.toFixed(0)} MB of input`,
              }),
            ]),
      ],
      missing: [],
    }
  },
}

/**
 * @param {import('./builds.mjs').Build} build
 * @param {number} size
 * @param {string} path
 */
function renderJob({name, command}, size, path) {
  const args = ['package', 'render', '--declaration', join(path, DECLARATION), '--packages', path]
  return {work: `render ${size} CRDs`, build: name, command: [...command, ...args]}
}

/**
 * Writes a declaration of packages that have as many CRDs together, and these.
 *
 * @param {string} folder
 * @param {number} count
 */
function generateDeclared(folder, count) {
  const entries = []
  for (let first = 0; first < count; first += PACKAGE_CRDS) {
    const name = `bench${first / PACKAGE_CRDS}`
    const size = Math.min(PACKAGE_CRDS, count - first)
    generatePackage(join(folder, `example/${name}@v1.0.0`), size, {first, blocks: BLOCKS})
    entries.push(`- {package: example/${name}:v1.0.0, namespace: x}\n`)
  }
  const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n'
  writeFileSync(join(folder, DECLARATION), head + entries.join(''))
}

/** @param {string} folder */
function bytesIn(folder) {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile())
    .reduce((sum, {parentPath, name}) => sum + statSync(join(parentPath, name)).size, 0)
}
