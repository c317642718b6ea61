// The gates. `check` is for every change; `check:full` (--full) runs all tests, with coverage. Every step runs, even if
// an earlier one failed, so that one run shows all there is to fix.
import {spawnSync} from 'node:child_process'

const QUICK = ['build', 'typecheck', 'lint', 'format:check', 'depcruise', 'knip', 'publint', 'test:quick']
const FULL = ['build', 'test:coverage']
const isFull = process.argv.includes('--full')

/** @param {string} step */
function run(step) {
  console.log(`\n=== ${step}`)
  const start = performance.now()
  const {status, error} = spawnSync('npm', ['run', '--silent', step], {stdio: 'inherit'})
  if (error !== undefined) console.error(String(error))
  return {step, passed: status === 0, seconds: (performance.now() - start) / 1000}
}

const results = (isFull ? FULL : QUICK).map(run)
console.log(`\n=== ${isFull ? 'check:full' : 'check'}`)
for (const {step, passed, seconds} of results) {
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${step.padEnd(15)} ${seconds.toFixed(1).padStart(6)} s`)
}
process.exitCode = results.every(({passed}) => passed) ? 0 : 1
