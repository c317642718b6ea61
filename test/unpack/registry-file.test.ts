import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {baseName, compareWalkOrder, directoryOf, displayPath} from '../../src/unpack/package-file.js'
import {anyOrder} from './files/random-trees.js'

const file = (path: string) => ({path, bytes: new Uint8Array()})

describe('a file of a package', () => {
  it.each([
    {path: 'app.yaml', base: 'app.yaml', directory: []},
    {path: 'a/b.c/crd.yaml', base: 'crd.yaml', directory: ['a', 'b.c']},
  ])('$path is split', ({path, base, directory}) => {
    const taken = {
      base: baseName(file(path)),
      directory: directoryOf(file(path)),
      shown: displayPath(file(path)),
    }
    expect(taken).toEqual({base, directory, shown: `.registry/${path}`})
  })
})

describe('the order of files in a walk', () => {
  const sorted = ['A', 'a', 'a/b', 'a/z', 'a/z/b', 'a-b', 'a.b/c', 'aa', 'b', 'é', '\ufffd', '\u{1f600}']

  it('is by segments and their UTF-8 bytes', () => {
    fc.assert(
      fc.property(anyOrder(sorted), paths => {
        expect(
          paths
            .map(file)
            .sort(compareWalkOrder)
            .map(({path}) => path),
        ).toEqual(sorted)
      }),
    )
  })

  it('is zero for equal paths', () => {
    expect(compareWalkOrder(file('a/b'), file('a/b'))).toBe(0)
  })
})
