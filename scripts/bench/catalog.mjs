// What a catalog of many kinds costs: the first build, one after a package changed, and what browsers load.
import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {generatePackage} from './generate-package.mjs'
import {measure} from './measure.mjs'
import {measuredRow, peerOf} from './rows.mjs'
import {metOrNot} from './table.mjs'

const CRDS = 2000
const PACKAGE_CRDS = 50
/** The properties of a CRD, which make it 48 KB. */
const BLOCKS = 27

const MOST_MILLISECONDS = 40_000
const MOST_MEGABYTES = 500
/** Of the time of a first build. */
const CHANGED_PART = 0.1
/** Compressed, in KB. */
const MOST_OF_KIND = 150
const MOST_OF_SEARCH = 2048

/** @type {import('./parts.mjs').Part} */
export const CATALOG = {
  name: 'catalog',
  title: 'Catalog',
  about:
    '`catalog build` of 40 generated packages with 50 CRDs of 48 KB each; then again after all CRDs of one package changed, and without a change. Sizes are those of files compressed by gzip.',
  measure: async ({folder, best}) => {
    const [packages, site] = [join(folder, 'packages'), join(folder, 'site')]
    for (let first = 0; first < CRDS; first += PACKAGE_CRDS)
      generatePackage(packageIn(packages, first), PACKAGE_CRDS, {first, blocks: BLOCKS})
    const command = [
      ...best.command,
      'catalog',
      'build',
      '--packages',
      packages,
      '--output-dir',
      site,
      '--offline',
    ]
    const own = {build: best.name, command, minRuns: 1}
    const first = {
      ...own,
      work: `build ${CRDS} CRDs`,
      before: () => rmSync(site, {recursive: true, force: true}),
    }
    const changed = {...own, work: 'again, one package changed', before: () => change(packageIn(packages, 0))}
    const results = await measure([first, changed, {...own, work: 'again, nothing changed'}])
    const [build, ...others] = results
    const peer = peerOf(results, first.work)
    return {
      rows: [
        ...(build === undefined
          ? []
          : [measuredRow(build, {wanted: MOST_MILLISECONDS, wantedPeak: MOST_MEGABYTES})]),
        ...others.map(each => measuredRow(each, {peer, wanted: CHANGED_PART})),
        {work: 'largest page of a kind', details: sizeText(largestKind(site), MOST_OF_KIND)},
        {work: 'data of the search', details: sizeText(join(site, 'search-data.js'), MOST_OF_SEARCH)},
      ],
      missing: [],
    }
  },
}

/**
 * @param {string} packages
 * @param {number} first
 */
function packageIn(packages, first) {
  return join(packages, `example/bench${first / PACKAGE_CRDS}@v1.0.0`)
}

/** Changes a description in each CRD of a package. @param {string} folder */
function change(folder) {
  for (const path of filesIn(folder, '.crd.yaml')) {
    const text = readFileSync(path, 'utf8')
    const [from, to] = text.includes(' somewhere else.')
      ? ['somewhere else.', 'nearby.']
      : ['nearby.', 'somewhere else.']
    writeFileSync(path, text.replaceAll(from, to))
  }
}

/** @param {string} site */
function largestKind(site) {
  const pages = filesIn(site, '.html').filter(path => path.includes('/kinds/'))
  return pages.reduce((largest, path) =>
    readFileSync(path).length > readFileSync(largest).length ? path : largest,
  )
}

/**
 * @param {string} folder
 * @param {string} ending
 */
function filesIn(folder, ending) {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter(path => path.endsWith(ending))
    .map(path => join(folder, path))
}

/**
 * @param {string} path
 * @param {number} most
 */
function sizeText(path, most) {
  const kilobytes = gzipSync(readFileSync(path)).length / 1024
  return `${kilobytes.toFixed(0)} KB (≤ ${most} KB: ${metOrNot(kilobytes <= most)})`
}
