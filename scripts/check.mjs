// The gates. `check` is for every change; `check:full` (--full) runs all tests, and none of the steps that only read. CI
// runs both, and `check:full --after-check` does not run the quick tests again. `check:coverage` (--coverage) runs all tests
// to hold their coverage. Every step runs, even if an earlier one failed, so that one run shows all there is to fix.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {text} from 'node:stream/consumers'

const isFull = process.argv.includes('--full')
const isCoverage = process.argv.includes('--coverage')
const isAfterCheck = process.argv.includes('--after-check')
const BUILD = 'build'
/** The step `typecheck` checks the types of the same files. */
const BUILD_UNCHECKED = 'build:unchecked'
/** These only read, and most use one core: they run one after the other, beside the build and then beside the tests. */
const READING_SOURCES = ['lint', 'format:check']
const READING_BUILT = ['lint:types', 'typecheck', 'depcruise', 'knip']

/** @typedef {{readonly step: string, readonly passed: boolean, readonly seconds: number}} Result */

/** Runs a step and shows its output as it comes. @param {string} step */
function run(step) {
  console.log(`\n=== ${step}`)
  return ended(step, spawn('npm', ['run', '--silent', step], {stdio: 'inherit'}))
}

/** Runs a step and shows its output afterwards, in one piece. @param {string} step */
async function runQuietly(step) {
  const child = spawn('sh', ['-c', `npm run --silent ${step} 2>&1`], {stdio: ['ignore', 'pipe', 'inherit']})
  const [result, output] = await Promise.all([ended(step, child), text(child.stdout)])
  process.stdout.write(`\n=== ${step}\n${output}`)
  return result
}

/**
 * @param {string} step
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<Result>}
 */
async function ended(step, child) {
  const start = performance.now()
  const [status] = await once(child, 'close')
  return {step, passed: status === 0, seconds: (performance.now() - start) / 1000}
}

async function runCheck() {
  const building = run(BUILD_UNCHECKED)
  const readSources = runAll(READING_SOURCES, runQuietly)
  const built = await building
  const readBuilt = readSources.then(() => runAll(READING_BUILT, runQuietly))
  const tests = await run('test:quick')
  return [built, ...(await readSources), ...(await readBuilt), tests]
}

/** Runs one after the other. @param {readonly string[]} steps @param {(step: string) => Promise<Result>} how */
async function runAll(steps, how = run) {
  /** @type {Result[]} */
  const results = []
  for (const step of steps) results.push(await how(step))
  return results
}

async function runGate() {
  if (isCoverage) return await runAll([BUILD, 'test:quick:coverage', 'test:long:coverage', 'coverage'])
  if (isFull) return await runAll([BUILD, ...(isAfterCheck ? [] : ['test:quick']), 'test:long'])
  return await runCheck()
}

const results = await runGate()
console.log(`\n=== ${isCoverage ? 'check:coverage' : isFull ? 'check:full' : 'check'}`)
for (const {step, passed, seconds} of results) {
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${step.padEnd(19)} ${seconds.toFixed(1).padStart(6)} s`)
}
process.exitCode = results.every(({passed}) => passed) ? 0 : 1
