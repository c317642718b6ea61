// What the program costs beside other tools. A report and never a test: machines differ, so only numbers of one run are
// compared. Arguments name the parts to measure (all by default); --markdown prints tables for a page, and --write-docs
// measures all parts and writes docs/performance.md. Options by environment: CROSSPLANE_CORPUS (../shared), CROSSPLANE_V012
// (the original's binary), BENCH_EXECUTABLE, BENCH_CLUSTER_RUNS (1).
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {findBuilds} from './bench/builds.mjs'
import {machineLines} from './bench/machine.mjs'
import {writePage} from './bench/page.mjs'
import {PARTS} from './bench/parts.mjs'
import {markdownTable, textTable} from './bench/table.mjs'

const root = join(import.meta.dirname, '..')
const corpus = process.env.CROSSPLANE_CORPUS ?? join(root, '../shared')
const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {markdown: {type: 'boolean', default: false}, 'write-docs': {type: 'boolean', default: false}},
})
const unknown = positionals.filter(name => !PARTS.some(part => part.name === name))
if (unknown.length > 0)
  throw new Error(`unknown part ${unknown.join(', ')}; parts: ${PARTS.map(({name}) => name).join(', ')}`)
if (values['write-docs'] && positionals.length > 0) throw new Error('--write-docs measures all parts')

const folder = mkdtempSync(join(tmpdir(), 'kubectl-crossplane-bench-'))
try {
  const {builds, missing} = findBuilds(folder)
  const machine = machineLines()
  for (const line of [...machine, ...missing.map(each => `Not measured: ${each}`)]) console.log(line)
  const sections = []
  for (const part of PARTS) {
    if (positionals.length > 0 && !positionals.includes(part.name)) continue
    const section = await measured(part, builds)
    console.log(`\n${part.title} (${part.name}), in ${section.seconds.toFixed(0)} seconds\n`)
    for (const line of values.markdown ? markdownTable(section.rows) : textTable(section.rows))
      console.log(line)
    for (const each of section.missing) console.log(`Not measured: ${each}`)
    sections.push(section)
  }
  const total = sections.reduce((sum, {seconds}) => sum + seconds, 0)
  console.log(`\n${total.toFixed(0)} seconds in all`)
  if (values['write-docs']) await writePage(join(root, 'docs/performance.md'), {machine, missing, sections})
} finally {
  rmSync(folder, {recursive: true})
}

/**
 * @param {import('./bench/parts.mjs').Part} part
 * @param {ReturnType<typeof findBuilds>['builds']} builds
 */
async function measured(part, builds) {
  const start = performance.now()
  const scratch = join(folder, part.name)
  mkdirSync(scratch)
  const best = builds.at(-1) ?? builds[0]
  const result = await part.measure({folder: scratch, corpus, builds, best}).catch(error => ({
    rows: [],
    missing: [`${part.name}, which failed: ${error instanceof Error ? error.message : String(error)}`],
  }))
  rmSync(scratch, {recursive: true})
  return {...result, part, seconds: (performance.now() - start) / 1000}
}
