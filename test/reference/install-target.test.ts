import {describe, expect, it} from '@jest/globals'
import {isCrdName, parseCrdName, parseInstallTarget} from '../../src/reference/install-target.js'

describe('a requested install', () => {
  it.each([
    {name: 'a CRD', reason: 'by its prefix', in: 'crd:as.a.org/v1', want: {kind: 'crd', crd: 'as.a.org/v1'}},
    {
      name: 'any CRD of a group',
      reason: 'a wildcard',
      in: 'crd:*.a.org',
      want: {kind: 'crd', crd: '*.a.org'},
    },
    {
      name: 'a package',
      reason: 'as everywhere',
      in: 'a/b:v1',
      want: {kind: 'image', name: {path: 'a/b', tag: 'v1'}},
    },
    {name: 'a folder', reason: 'as everywhere', in: './crd:x', want: {kind: 'directory', path: './crd:x'}},
  ])('$name: $reason', ({in: text, want}) => {
    expect(parseInstallTarget(text)).toEqual(want)
  })

  it.each(['crd:', 'crd:a', 'crd:a.b.org/', 'crd:a.b.org/v1/v2', 'crd:A.b.org', 'crd:.b.org', 'crd:a.b org'])(
    '%s is rejected',
    text => {
      expect(() => parseInstallTarget(text)).toThrow(expect.objectContaining({code: 'reference-invalid'}))
    },
  )

  it('isCrdName recognizes CRD names', () => {
    expect(['a.b.org', 'a.b.org/v1', 'a', 'a/b', ''].map(isCrdName)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
    expect(parseCrdName('a.b.org')).toBe('a.b.org')
  })
})
