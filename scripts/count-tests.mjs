// Says in one line what jest's --json report found: `N passed, N failed`. A suite that could not even start counts as
// a failure. Where REQUIRE_REAL=1 promises that everything ran, a skipped test is a failure of this step.
import {existsSync, readFileSync} from 'node:fs'

const [report] = process.argv.slice(2)
if (report === undefined) throw new Error('usage: node scripts/count-tests.mjs REPORT')

/** @type {{numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number, numPendingTests: number}} */
const none = {numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0, numPendingTests: 0}
/** @type {typeof none} */
const found = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : none

if (process.env.REQUIRE_REAL === '1' && found.numPendingTests > 0) {
  console.error(`${found.numPendingTests} tests were skipped where none may be`)
  process.exitCode = 1
}
console.log(
  `${found.numPassedTests} passed, ${found.numFailedTests + found.numRuntimeErrorTestSuites} failed`,
)
