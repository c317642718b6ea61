// The gate: every step runs, whatever the others found, so that one run shows all there is to repair.
import {spawnSync} from 'node:child_process'

const steps = ['build', 'typecheck', 'lint', 'format:check', 'depcruise', 'knip', 'publint', 'test:coverage']

/** @param {string} step */
function run(step) {
  console.log(`\n=== ${step}`)
  const start = performance.now()
  const {status, error} = spawnSync('npm', ['run', '--silent', step], {stdio: 'inherit'})
  if (error !== undefined) console.error(String(error))
  return {step, passed: status === 0, seconds: (performance.now() - start) / 1000}
}

const results = steps.map(run)
console.log('\n=== check')
for (const {step, passed, seconds} of results) {
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${step.padEnd(15)} ${seconds.toFixed(1).padStart(6)} s`)
}
process.exitCode = results.every(({passed}) => passed) ? 0 : 1
