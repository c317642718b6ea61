import {describe, expect, it} from '@jest/globals'
import {failedSuites, withSecondRun} from '../../scripts/second-run.mjs'

function suite(name: string, ...statuses: readonly string[]) {
  const status = statuses.length === 0 || statuses.includes('failed') ? 'failed' : 'passed'
  return {name, status, assertionResults: statuses.map(each => ({status: each}))}
}

const first = {
  numPassedTests: 3,
  numFailedTests: 1,
  numPendingTests: 0,
  numRuntimeErrorTestSuites: 1,
  testResults: [suite('good', 'passed'), suite('late', 'passed', 'failed', 'passed'), suite('no start')],
}

describe('second run', () => {
  it('is needed by suites with a failed test and by suites that did not start', () => {
    expect(failedSuites(first)).toEqual(['late', 'no start'])
  })

  it('replaces what the first run said of its suites', () => {
    const second = {
      ...first,
      testResults: [suite('late', 'passed', 'passed', 'passed'), suite('no start', 'passed')],
    }
    expect(withSecondRun(first, second)).toEqual({
      numPassedTests: 5,
      numFailedTests: 0,
      numPendingTests: 0,
      numRuntimeErrorTestSuites: 0,
      testResults: [suite('good', 'passed'), ...second.testResults],
    })
  })

  it('still counts what fails again, and what is skipped', () => {
    const second = {...first, testResults: [suite('late', 'passed', 'failed', 'pending'), suite('no start')]}
    const {numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites} = withSecondRun(
      first,
      second,
    )
    expect([numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites]).toEqual([2, 1, 1, 1])
  })
})
