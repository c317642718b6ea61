// Holds the coverage of all tests together: the reports of several runs are added up, and every module of `src` and every
// plugin needs 95 % of its lines.
import {readdirSync, readFileSync} from 'node:fs'
import {join, relative, sep} from 'node:path'
import coverage from 'istanbul-lib-coverage'

const WANTED = 95
/** The modules that touch the world or the terminal; every other one is a stage, and a stage has no excuse. */
const EDGES = new Set(['adapters', 'cli', 'controller', 'commands', 'hooks'])
const ROOT = join(import.meta.dirname, '..')

/** The reports of runs that had the same sources. @param {readonly string[]} folders */
function addUp(folders) {
  const map = coverage.createCoverageMap({})
  for (const folder of folders) {
    map.merge(JSON.parse(readFileSync(join(ROOT, folder, 'coverage-final.json'), 'utf8')))
  }
  return map
}

/** @param {string} folder */
function modulesIn(folder) {
  return readdirSync(join(ROOT, folder), {withFileTypes: true}).filter(entry => entry.isDirectory())
}

/** @param {import('istanbul-lib-coverage').CoverageMap} map @param {string} folder */
function coverageOf(map, folder) {
  const summary = coverage.createCoverageSummary()
  /** @type {string[]} */
  const uncovered = []
  for (const path of map.files()) {
    const name = relative(ROOT, path).replaceAll(sep, '/')
    if (!name.startsWith(`${folder}/`)) continue
    const file = map.fileCoverageFor(path)
    summary.merge(file.toSummary())
    const lines = file.getUncoveredLines()
    if (lines.length > 0) uncovered.push(`    ${name}: ${lines.join(' ')}`)
  }
  return {percent: summary.lines.total === 0 ? 0 : summary.lines.pct, uncovered}
}

const map = addUp(process.argv.slice(2))
const folders = [
  ...modulesIn('src').map(({name}) => ({folder: `src/${name}`, wanted: EDGES.has(name) ? 0 : WANTED})),
  ...modulesIn('plugins').map(({name}) => ({folder: `plugins/${name}/src`, wanted: WANTED})),
]
for (const {folder, wanted} of folders) {
  const {percent, uncovered} = coverageOf(map, folder)
  const isEnough = percent >= wanted
  console.log(
    `${isEnough ? 'ok    ' : 'FAILED'} ${folder.padEnd(20)} ${percent.toFixed(1).padStart(5)} % of lines`,
  )
  if (isEnough) continue
  for (const line of uncovered) console.log(line)
  process.exitCode = 1
}
