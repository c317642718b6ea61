import {describe, expect, it} from '@jest/globals'
import type {Diagnostic} from '../../../src/diagnostic.js'
import {conflictInWords} from '../../../src/resolve/xpkg/conflict-in-words.js'

function required(name: string, requirement: string, ...candidates: readonly string[]): Diagnostic {
  return {
    severity: 'error',
    rule: 'unresolvable',
    message: '',
    subject: {package: name, requirement, candidates},
  }
}

describe('a conflict in words', () => {
  it.each([
    {
      name: 'two constraints',
      in: [required('a/base', '>=v2.0.0', 'v2.0.0'), required('a/base', '<v2.0.0', 'v1.0.0')],
      want: 'no version of a/base satisfies >=v2.0.0 and <v2.0.0',
    },
    {
      name: 'one constraint among others that are satisfied',
      in: [required('a/app', '>=v1.0.0', 'v1.0.0'), required('a/base', '>=v3.0.0')],
      want: 'no version of a/base satisfies >=v3.0.0',
    },
    {
      name: 'the same constraint twice',
      in: [required('a/base', '>=v3.0.0'), required('a/base', '>=v3.0.0')],
      want: 'no version of a/base satisfies >=v3.0.0',
    },
    {
      name: 'two packages',
      in: [required('a/base', '>=v3.0.0'), required('a/app', '>=v3.0.0')],
      want: undefined,
    },
    {name: 'no conflict on one package', in: [required('a/base', '>=v1.0.0', 'v1.0.0')], want: undefined},
    {name: 'a package without a constraint', in: [required('a/base', '')], want: undefined},
  ])('tells of $name', ({in: diagnostics, want}) => {
    expect(conflictInWords(diagnostics)).toBe(want)
  })
})
