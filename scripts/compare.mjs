// Runs two builds with the same commands and prints each difference: `npm run compare -- OLD NEW`. OLD and NEW are
// checkouts that have been built, or their `dist` folders. Inputs are the examples of NEW, the corpora in CROSSPLANE_CORPUS
// (../shared) and scripts/compare/recorded. Exits with 1 if something differs, with 2 if nothing could be compared.
//
// --minutes N  time for all cases (10); what does not fit is left out, in an order that --seed N decides
// --only TEXT  cases with TEXT in their names
// --jobs N     cases at the same time (the number of cores)
import {Buffer} from 'node:buffer'
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {availableParallelism, tmpdir} from 'node:os'
import {basename, dirname, join, resolve} from 'node:path'
import {createHash, randomInt} from 'node:crypto'
import {parseArgs} from 'node:util'
import {makeWorld, worldCases} from './compare/cases.mjs'
import {differencesOf, shownDifference} from './compare/differences.mjs'
import {runCase, startBuild} from './compare/run-case.mjs'

/** @typedef {import('./compare/run-case.mjs').Case} Case */

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    minutes: {type: 'string', default: '10'},
    seed: {type: 'string', default: String(randomInt(1_000_000_000))},
    only: {type: 'string', default: ''},
    jobs: {type: 'string', default: String(availableParallelism())},
  },
})
const ends = performance.now() + Number(values.minutes) * 60_000

/** The folder of a build, whose program is bin/run.js. @param {string | undefined} argument */
function buildFolder(argument) {
  if (argument === undefined) return stop('npm run compare -- OLD NEW')
  const given = resolve(argument)
  const root = basename(given) === 'dist' ? dirname(given) : given
  const isBuilt = existsSync(join(root, 'dist/plugin.js')) && existsSync(join(root, 'bin/run.js'))
  return isBuilt ? root : stop(`${root} has no build: run npm run build there`)
}

/** @param {string} reason @returns {never} */
function stop(reason) {
  console.error(reason)
  process.exit(2)
}

/** An order that depends on the seed and the name only, so that the same seed samples the same cases. @param {Case} each */
const rank = each => createHash('sha256').update(`${values.seed} ${each.name}`).digest('hex')

/** What a build says of itself; where a module is does not matter. @param {string} root */
const described = root =>
  new Map(
    ['oclif.manifest.json', 'dist/plugin.d.ts', 'dist/completion-model.js'].map(path => [
      `file ${path}`,
      Buffer.from(
        existsSync(join(root, path))
          ? readFileSync(join(root, path), 'utf8').replace(/ from '[^']*'/g, '')
          : 'absent',
      ),
    ]),
  )

const [before, after] = [buildFolder(positionals[0]), buildFolder(positionals[1])]
const scratch = mkdtempSync(join(tmpdir(), 'compare-'))
const world = makeWorld(join(scratch, 'world'), {
  examples: join(after, 'examples'),
  recorded: join(import.meta.dirname, 'compare/recorded'),
  corpus: resolve(process.env.CROSSPLANE_CORPUS ?? '../shared'),
})
const all = worldCases(world).filter(({name}) => name.includes(values.only))
const waiting = all.map(each => ({each, at: rank(each)})).sort((a, b) => (a.at < b.at ? -1 : 1))
const total = waiting.length
/** @type {string[]} */
const differing = []
let done = 0
let commands = 0

/**
 * Runs a case with both builds, in the same folder, so that no path differs.
 * @param {Case} each
 * @param {readonly import('./compare/run-case.mjs').Build[]} builds
 * @param {string} folder
 */
async function compareCase(each, builds, folder) {
  const parts = []
  for (const build of builds) parts.push(await runCase(each, {build, folder, world}))
  const [old = new Map(), now = new Map()] = parts
  done += 1
  commands += each.lines.length
  report(each.name, old, now)
}

/** @param {string} name @param {ReadonlyMap<string, Buffer>} old @param {ReadonlyMap<string, Buffer>} now */
function report(name, old, now) {
  const differences = differencesOf(old, now)
  if (differences.length === 0) return
  differing.push(name)
  console.log(`\n=== ${name}`)
  for (const difference of differences) console.log(shownDifference(difference, scratch))
}

/** Begins no case that could end after the time, as the longest one so far. @param {number} lane */
async function runLane(lane) {
  const builds = [startBuild(before), startBuild(after)]
  let longest = 0
  while (performance.now() + longest < ends) {
    const next = waiting.shift()
    if (next === undefined) break
    const start = performance.now()
    await compareCase(next.each, builds, join(scratch, `case-${lane}`))
    longest = Math.max(longest, performance.now() - start)
  }
  for (const build of builds) build.end()
}

console.log(`seed ${values.seed}: ${total} cases`)
report('the build', described(before), described(after))
await Promise.all(Array.from({length: Number(values.jobs)}, (_, lane) => runLane(lane)))
rmSync(scratch, {recursive: true, force: true})
console.log(
  `\n${done} of ${total} cases (${commands} commands), seed ${values.seed}: ${differing.length} differ`,
)
for (const name of differing) console.log(`  ${name}`)
process.exitCode = done === 0 ? 2 : differing.length > 0 ? 1 : 0
