// What two runs of jest say together. Reports are those of `jest --json`.

/** @typedef {{readonly name: string, readonly status: string, readonly assertionResults: readonly {readonly status: string}[]}} Suite */
/**
 * @typedef {{
 *   readonly numPassedTests: number, readonly numFailedTests: number, readonly numPendingTests: number,
 *   readonly numRuntimeErrorTestSuites: number, readonly testResults: readonly Suite[]
 * }} Report
 */

/** Returns the paths of the suites that failed or could not start. @param {Report} report */
export function failedSuites({testResults}) {
  return testResults.filter(({status}) => status === 'failed').map(({name}) => name)
}

/** Returns a report in which the suites of a second run replace those of the first. @param {Report} first @param {Report} second @returns {Report} */
export function withSecondRun(first, second) {
  const again = new Map(second.testResults.map(suite => [suite.name, suite]))
  const testResults = first.testResults.map(suite => again.get(suite.name) ?? suite)
  return {
    numPassedTests: count(testResults, 'passed'),
    numFailedTests: count(testResults, 'failed'),
    numPendingTests: count(testResults, 'pending'),
    numRuntimeErrorTestSuites: notStarted(testResults),
    testResults,
  }
}

/** @param {readonly Suite[]} suites @param {string} wanted */
function count(suites, wanted) {
  return suites.flatMap(({assertionResults}) => assertionResults).filter(({status}) => status === wanted)
    .length
}

/** @param {readonly Suite[]} suites */
function notStarted(suites) {
  return suites.filter(({status, assertionResults}) => status === 'failed' && assertionResults.length === 0)
    .length
}
