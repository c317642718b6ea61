import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import {expectFormat, type FormatName} from '../../src/locate/expect-format.js'

const PACKAGES = {stack: {name: 'x/app:v1'}, xpkg: {name: 'x/app:v1', xpkg: {form: 'image'}}} as const
const FORMATS: readonly FormatName[] = ['stack', 'xpkg']

describe('a place with a use for one format', () => {
  it.each(FORMATS)('takes a package of the format %s', format => {
    expect(expectFormat(PACKAGES[format], format)).toBe(PACKAGES[format])
  })

  it.each([
    {given: 'stack', expected: 'xpkg', words: 'a package of Crossplane v0.12, not an xpkg', suggestions: 0},
    {given: 'xpkg', expected: 'stack', words: 'an xpkg, not a package of Crossplane v0.12', suggestions: 1},
  ] as const)('says that it was given $words', ({given, expected, words, suggestions}) => {
    const message = `cannot use x/app:v1: it is ${words}`
    const thrown = errorOf(() => expectFormat(PACKAGES[given], expected))
    expect(thrown).toMatchObject({code: 'unsupported', message})
    expect(thrown?.suggestions).toHaveLength(suggestions)
  })
})

function errorOf(act: () => unknown): CrossplaneError | undefined {
  try {
    act()
  } catch (error) {
    if (error instanceof CrossplaneError) return error
  }
  return undefined
}
