import {describe, expect, it} from '@jest/globals'
import {readPolicyFile} from '../../src/declaration/policy/read-policy.js'
import {readPolicyTest} from '../../src/declaration/policy/read-policy-test.js'
import {readDeclaration} from '../../src/declaration/read-declaration.js'
import {readLock} from '../../src/declaration/read-lock.js'
import type {CrossplaneError} from '../../src/errors.js'

const OWN = 'packages.kubectl-crossplane.dev/v1alpha1'

const READERS = [
  {kind: 'PackageDeclaration', other: 'PackageLock', read: readDeclaration},
  {kind: 'PackageLock', other: 'PackageDeclaration', read: readLock},
  {kind: 'Policy', other: 'PolicyTest', read: readPolicyFile},
  {kind: 'PolicyTest', other: 'Policy', read: readPolicyTest},
] as const

function errorOf(read: (name: string, bytes: Uint8Array) => unknown, text: string): CrossplaneError {
  try {
    read('x.yaml', Buffer.from(text))
  } catch (error) {
    return error as CrossplaneError
  }
  throw new Error('it was read')
}

describe.each(READERS)('a file in place of a $kind', ({kind, other, read}) => {
  it.each([
    {name: 'of Kubernetes', text: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\nspec: {}\n'},
    {name: 'of this program', text: `apiVersion: ${OWN}\nkind: ${other}\nwrong: 1\n`},
  ])('has one error if it is an object $name', ({text}) => {
    const {code, diagnostics, suggestions} = errorOf(read, text)
    expect({code, lines: diagnostics.map(({line}) => line), suggestions}).toEqual({
      code: 'input-invalid',
      lines: [2],
      suggestions: [`Pass the path of a ${kind}.`],
    })
  })

  it('has the error of its kind if that is misspelled', () => {
    const {diagnostics} = errorOf(read, `apiVersion: ${OWN}\nkind: ${kind}s\n`)
    expect(diagnostics.map(({message}) => message)).toContain(`kind must be ${kind}`)
  })

  it('has an error if it is empty', () => {
    expect(errorOf(read, '').diagnostics.map(({message}) => message)).toEqual(['the file is empty'])
  })
})
