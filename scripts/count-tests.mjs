// Says in one line what jest's --json reports found: `N passed, N failed`. A suite that could not even start, and a report
// that is missing, count as a failure. Where REQUIRE_REAL=1 promises that everything ran, a skipped test is a failure too.
import {existsSync, readFileSync} from 'node:fs'

const reports = process.argv.slice(2)
if (reports.length === 0) throw new Error('usage: node scripts/count-tests.mjs REPORT...')

/** @typedef {{numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number, numPendingTests: number}} Counts */

/** @type {Counts} */
const MISSING = {numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 1, numPendingTests: 0}

/** @type {readonly Counts[]} */
const found = reports.map(path => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : MISSING))
/** @param {keyof Counts} key */
const sum = key => found.reduce((total, counts) => total + counts[key], 0)

if (process.env.REQUIRE_REAL === '1' && sum('numPendingTests') > 0) {
  console.error(`${sum('numPendingTests')} tests were skipped where none may be`)
  process.exitCode = 1
}
console.log(
  `${sum('numPassedTests')} passed, ${sum('numFailedTests') + sum('numRuntimeErrorTestSuites')} failed`,
)
