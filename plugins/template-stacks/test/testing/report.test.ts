import {describe, expect, it} from '@jest/globals'
import {formatJunit} from '../../src/testing/junit.js'
import {formatReport, type TestReport} from '../../src/testing/report.js'

const REPORT: TestReport = {
  name: './my-app',
  cases: [
    {
      name: 'small',
      passed: true,
      diagnostics: [],
      differences: [],
      resources: [],
      correct: {file: 'want.yaml', text: ''},
    },
    {
      name: 'large',
      passed: false,
      diagnostics: [],
      differences: [
        {object: 'ConfigMap team-a/a', kind: 'changed', field: 'data.x', want: '1', got: {y: '<2>'}},
        {object: 'ConfigMap team-a/b', kind: 'unexpected'},
      ],
      resources: [],
      correct: {file: 'want.yaml', text: ''},
    },
  ],
  coverage: [
    {parts: 'templates', total: 5, missing: ['a.yaml', 'b.yaml', 'c.yaml', 'd.yaml']},
    {parts: 'branches', total: 2, missing: []},
  ],
}

describe('the report of tests', () => {
  it('lists differences below their test', () => {
    expect(formatReport(REPORT, (_style, text) => text)).toBe(`PASS small
FAIL large
  ConfigMap team-a/a: data.x: want "1", got { "y": "<2>" }
  ConfigMap team-a/b: not in want.yaml
./my-app: 1 passed, 1 failed

COVERAGE    TESTED   UNTESTED
templates   1/5      a.yaml, b.yaml, c.yaml, and 1 more
branches    2/2
`)
  })

  it('is JUnit XML without characters that XML cannot hold', () => {
    expect(formatJunit(REPORT)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="2" failures="1">
  <testsuite name="./my-app" tests="2" failures="1">
    <testcase name="small" classname="./my-app"/>
    <testcase name="large" classname="./my-app">
      <failure message="ConfigMap team-a/a: data.x: want &quot;1&quot;, got { &quot;y&quot;: &quot;&lt;2&gt;&quot; }">ConfigMap team-a/a: data.x: want &quot;1&quot;, got { &quot;y&quot;: &quot;&lt;2&gt;&quot; }
ConfigMap team-a/b: not in want.yaml</failure>
    </testcase>
  </testsuite>
</testsuites>
`)
  })
})
