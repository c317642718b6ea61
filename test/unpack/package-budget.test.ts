import {describe, expect, it} from '@jest/globals'
import {readPackage} from '../../src/unpack/read-package.js'
import {outcome} from '../outcome.js'
import {APP, registryFiles} from './malformed-case.js'

const schemas = (count: number, text: string) =>
  Object.fromEntries(Array.from({length: count}, (_, index) => [`${index}.ui-schema.yaml`, text]))

describe('all files of a package together', () => {
  it.each([
    {name: 'many values in several files', files: schemas(8, '- 1\n'.repeat(18_000)), want: 'read'},
    {name: 'too many values', files: schemas(9, '- 1\n'.repeat(18_000)), want: 'limit-exceeded'},
    {
      name: 'too many values by aliases',
      files: schemas(2, `a: &a [${'1,'.repeat(900)}]\nb: [${'*a,'.repeat(90)}]\n`),
      want: 'limit-exceeded',
    },
    {
      name: 'too many lines to parse, in files without values',
      files: schemas(3, '#,,,,,,,,,\n'.repeat(50_000)),
      want: 'limit-exceeded',
    },
  ])('$name: $want', async ({files, want}) => {
    const read = () => {
      readPackage('heavy', registryFiles({'app.yaml': APP, ...files}))
      return 'read'
    }
    expect(await outcome(read)).toBe(want)
  })
})
