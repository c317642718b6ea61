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
/** These only read, and most use one core: two run at a time, those that take longest first, and the tests beside the last. */
const READING = ['lint', 'lint:types', 'typecheck', 'depcruise', 'knip', 'format:check']

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

/** Runs steps two at a time, and the last one as soon as no other waits. @param {readonly string[]} steps @param {string} last */
async function runBesideEachOther(steps, last) {
  /** @type {Result[]} */
  const results = []
  const left = [...steps]
  const lane = async () => {
    for (let step = left.shift(); step !== undefined; step = left.shift())
      results.push(await runQuietly(step))
  }
  const lanes = [lane(), lane()]
  await Promise.race(lanes)
  const result = await run(last)
  await Promise.all(lanes)
  return [...results, result]
}

async function runCheck() {
  return [await run(BUILD_UNCHECKED), ...(await runBesideEachOther(READING, 'test:quick'))]
}

/** Runs one after the other. @param {readonly string[]} steps */
async function runAll(steps) {
  /** @type {Result[]} */
  const results = []
  for (const step of steps) results.push(await run(step))
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
