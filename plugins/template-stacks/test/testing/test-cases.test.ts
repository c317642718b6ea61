import {describe, expect, it} from '@jest/globals'
import {testCases} from '../../src/testing/test-cases.js'

function filesOf(...paths: readonly string[]): ReadonlyMap<string, Uint8Array> {
  return new Map(paths.map(path => [path, Buffer.from(`content of ${path}\n`)]))
}

describe('testCases', () => {
  it('reads folders by name', () => {
    const files = filesOf(
      'README.md',
      'b/cr.yaml',
      'b/error.txt',
      'a/cr.yaml',
      'a/state.yaml',
      'a/want.yaml',
      'c/cr.yaml',
    )
    const {cases, errors} = testCases(files, 'tests')
    expect(errors).toEqual([])
    expect(
      cases.map(({name, resource, state, expected}) => [name, resource.name, state?.name, expected?.kind]),
    ).toEqual([
      ['a', 'tests/a/cr.yaml', 'tests/a/state.yaml', 'objects'],
      ['b', 'tests/b/cr.yaml', undefined, 'error'],
      ['c', 'tests/c/cr.yaml', undefined, undefined],
    ])
    expect(cases[1]?.expected).toEqual({kind: 'error', text: 'content of b/error.txt'})
  })

  it.each([
    {files: filesOf('a/want.yaml'), message: 'the test has no cr.yaml'},
    {
      files: filesOf('a/cr.yaml', 'a/want.yaml', 'a/error.txt'),
      message: 'the test has both want.yaml and error.txt',
    },
  ])('reports that $message', ({files, message}) => {
    expect(testCases(files, 'tests')).toEqual({
      cases: [],
      errors: [{severity: 'error', rule: 'template-test', message, file: 'tests/a'}],
    })
  })
})
