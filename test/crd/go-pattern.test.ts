import {describe, expect, it} from '@jest/globals'
import {goPatternError} from '../../src/crd/go-pattern.js'

describe('a pattern', () => {
  it.each([
    '',
    '^[a-z]([-a-z0-9]*[a-z0-9])?$',
    'a{2,3}?',
    'a{01}',
    'a{,2}',
    '(a{10}){100}',
    '(?i)a(?-i:b)(?P<n>c)(?<m>d)',
    '(?)',
    '[]a]',
    '[a-]',
    '[[:alpha:]\\d-x]',
    '\\p{Greek}\\pL\\P{^Lu}',
    '\\x41\\x{1F600}\\012',
    '\\Qa*b\\E+',
    '^*',
    'é|𝒜*',
  ])('%j compiles in Go', pattern => {
    expect(goPatternError(pattern)).toBeUndefined()
  })

  it.each([
    '(?=a)',
    '(?!a)',
    '(?<!a)',
    '\\1',
    'a**',
    'a{2}{3}',
    '*a',
    'a|*',
    '(',
    ')',
    '[a',
    '[z-a]',
    '[[:foo:]]',
    'a{3,2}',
    'a{1001}',
    '(a{100}){100}',
    '\\q',
    '\\C',
    '\\Z',
    '\\p{Foo}',
    '\\p',
    '\\x{110000}',
    '\\x4',
    '(?i-)',
    '(?P=n)',
    'a\\',
  ])('%j does not compile in Go', pattern => {
    expect(goPatternError(pattern)).toEqual(expect.any(String))
  })
})
