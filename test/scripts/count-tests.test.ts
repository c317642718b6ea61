import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

const script = join(import.meta.dirname, '../../scripts/count-tests.mjs')
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'count-tests-'))
})

afterAll(() => {
  rmSync(folder, {recursive: true})
})

const clean = {numPassedTests: 12, numFailedTests: 0, numRuntimeErrorTestSuites: 0, numPendingTests: 0}

describe('count-tests', () => {
  it.each([
    {name: 'all passed', report: clean, required: '1', want: {status: 0, stdout: '12 passed, 0 failed\n'}},
    {
      name: 'some failed',
      report: {...clean, numFailedTests: 2},
      required: '1',
      want: {status: 0, stdout: '12 passed, 2 failed\n'},
    },
    {
      name: 'a suite did not start',
      report: {...clean, numFailedTests: 1, numRuntimeErrorTestSuites: 1},
      required: '1',
      want: {status: 0, stdout: '12 passed, 2 failed\n'},
    },
    {
      name: 'one was skipped where all are required',
      report: {...clean, numPendingTests: 1},
      required: '1',
      want: {status: 1, stdout: '12 passed, 0 failed\n'},
    },
    {
      name: 'one was skipped elsewhere',
      report: {...clean, numPendingTests: 1},
      required: '',
      want: {status: 0, stdout: '12 passed, 0 failed\n'},
    },
    {
      name: 'jest never ran',
      report: undefined,
      required: '1',
      want: {status: 0, stdout: '0 passed, 1 failed\n'},
    },
  ])('$name', ({name, report, required, want}) => {
    const path = join(folder, `${name}.json`)
    if (report !== undefined) writeFileSync(path, JSON.stringify(report))
    const {status, stdout} = spawnSync(process.execPath, [script, path], {
      encoding: 'utf8',
      env: {...process.env, REQUIRE_REAL: required},
    })
    expect({status, stdout}).toEqual(want)
  })

  it('adds up several reports', () => {
    const paths = [1, 2].map(numFailedTests => {
      const path = join(folder, `${numFailedTests}.json`)
      writeFileSync(path, JSON.stringify({...clean, numFailedTests}))
      return path
    })
    const {stdout} = spawnSync(process.execPath, [script, ...paths], {encoding: 'utf8'})
    expect(stdout).toBe('24 passed, 3 failed\n')
  })
})
