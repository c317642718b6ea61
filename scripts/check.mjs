// The gates. `check` is for every change; `check:full` (--full) runs all tests, with coverage, and none of the steps that
// only read: CI runs both. Every step runs, even if an earlier one failed, so that one run shows all there is to fix.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {text} from 'node:stream/consumers'

const isFull = process.argv.includes('--full')
const BUILD = 'build'
/** These only read, and most use one core: two run at a time, those that take longest first. */
const READING = ['lint', 'typecheck', 'format:check', 'depcruise', 'knip', 'publint']

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

/** Runs steps two at a time. @param {readonly string[]} steps */
async function runBesideEachOther(steps) {
  /** @type {Result[]} */
  const results = []
  const left = [...steps]
  const lane = async () => {
    for (let step = left.shift(); step !== undefined; step = left.shift())
      results.push(await runQuietly(step))
  }
  await Promise.all([lane(), lane()])
  return results
}

const results = isFull
  ? [await run(BUILD), await run('test:coverage')]
  : [await run(BUILD), ...(await runBesideEachOther(READING)), await run('test:quick')]
console.log(`\n=== ${isFull ? 'check:full' : 'check'}`)
for (const {step, passed, seconds} of results) {
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${step.padEnd(15)} ${seconds.toFixed(1).padStart(6)} s`)
}
process.exitCode = results.every(({passed}) => passed) ? 0 : 1
