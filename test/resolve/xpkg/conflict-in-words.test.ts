import {describe, expect, it} from '@jest/globals'
import type {Diagnostic} from '../../../src/diagnostic.js'
import {conflictInWords} from '../../../src/resolve/xpkg/conflict-in-words.js'

const CORE = 'v1.20.0'

/** A requirement that nothing satisfies for another reason than the versions. */
const because = (reason: string): Diagnostic => ({
  ...required('a/base', '>=v1.0.0'),
  message: `a/app:v1.0.0 requires a/base >=v1.0.0; ${reason}`,
})

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
    {
      name: 'Crossplane itself',
      in: [required('Crossplane', '>=v2.0.0')],
      want: 'Crossplane v1.20.0 does not satisfy >=v2.0.0',
    },
    {
      name: 'no package of another kind',
      in: [because('v1.0.0 is a Function, not a Provider')],
      want: undefined,
    },
    {name: 'no invalid constraint', in: [because('this is not a constraint on versions')], want: undefined},
    {name: 'a package without a constraint', in: [required('a/base', '')], want: undefined},
  ])('tells of $name', ({in: diagnostics, want}) => {
    expect(conflictInWords(diagnostics, CORE)).toBe(want)
  })
})
