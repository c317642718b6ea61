import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {join} from 'node:path'
import {CrossplaneError} from '../../src/errors.js'
import type {Package} from '../../src/unpack/package.js'
import {readPackage} from '../../src/unpack/read-package.js'
import type {PackageFile} from '../../src/unpack/package-file.js'
import {registryFilesIn} from '../corpus.js'
import {anyOrder, editedPackage, randomTree} from './files/random-trees.js'

/** More of them with another number: `RANDOM_PACKAGES=250`. */
const RUNS = {numRuns: Number(process.env.RANDOM_PACKAGES ?? 100)}
const observatory = registryFilesIn(
  join(import.meta.dirname, '../testdata/packages/full-observatory/.registry'),
)

/** The package, or the error; anything else that is thrown goes on, as a bug. */
function attempt(files: readonly PackageFile[]): Package | CrossplaneError {
  try {
    return readPackage('random', files)
  } catch (error) {
    if (error instanceof CrossplaneError) return error
    throw error
  }
}

function comparable(read: Package | CrossplaneError): unknown {
  return read instanceof CrossplaneError ? {code: read.code, diagnostics: read.diagnostics} : read
}

function isWellSaid(read: Package | CrossplaneError): boolean {
  if (!(read instanceof CrossplaneError))
    return read.warnings.every(({rule, file}) => rule !== '' && file !== undefined)
  const located = read.diagnostics.every(
    ({rule, file}) => rule === 'app-missing' || (rule !== '' && file !== undefined),
  )
  return read.code === 'package-invalid' && read.diagnostics.length > 0 && located
}

describe.each([
  {name: 'files at random', files: randomTree},
  {name: 'a package with some of its lines changed', files: editedPackage(observatory)},
])('$name', ({files}) => {
  it('are a package, or invalid with errors that each name a rule and a file', () => {
    fc.assert(
      fc.property(files, tree => isWellSaid(attempt(tree))),
      RUNS,
    )
  })

  it('are the same in any order', () => {
    const ordered = files.chain(tree => fc.tuple(fc.constant(tree), anyOrder(tree)))
    fc.assert(
      fc.property(ordered, ([tree, shuffled]) => {
        expect(comparable(attempt(shuffled))).toStrictEqual(comparable(attempt(tree)))
      }),
      RUNS,
    )
  })
})

describe('random packages', () => {
  it('include valid and invalid packages', () => {
    const read = fc.sample(editedPackage(observatory), {numRuns: 100, seed: 7}).map(attempt)
    const invalid = read.filter(each => each instanceof CrossplaneError).length
    expect({readable: invalid < 90, unreadable: invalid > 10}).toEqual({readable: true, unreadable: true})
  })
})
