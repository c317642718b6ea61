import {describe, expect, it} from '@jest/globals'
import {matchesPattern} from '../../src/signatures/matches-pattern.js'

const WORKFLOW = 'https://github.com/example/app/.github/workflows/release.yaml@refs/tags/v1'

describe('the patterns of identities', () => {
  it.each([
    {in: WORKFLOW, text: WORKFLOW, want: true},
    {in: 'https://github.com/example/app/**', text: WORKFLOW, want: true},
    {
      in: 'https://github.com/example/app/.github/workflows/release.yaml@refs/tags/*',
      text: WORKFLOW,
      want: true,
    },
    {in: 'https://github.com/example/*', text: WORKFLOW, want: false},
    {in: 'https://github.com/*/app/**', text: 'https://github.com/other/x/app/y', want: false},
    {in: '**', text: '', want: true},
    {in: '*', text: 'a/b', want: false},
    {in: '', text: 'a', want: false},
    {in: 'anna@example.org', text: 'Anna@example.org', want: false},
    {in: 'anna@example.org', text: 'anna@example.org.evil.example', want: false},
    {in: 'anna@example.org', text: 'xanna@example.org', want: false},
    {in: 'anna@example.org', text: 'anna@exampleXorg', want: false},
    {in: '.*', text: 'anna', want: false},
    {in: '*a*a*a*b', text: 'a'.repeat(10_000), want: false},
  ])('$in', ({in: pattern, text, want}) => {
    expect(matchesPattern(pattern, text)).toBe(want)
  })
})
