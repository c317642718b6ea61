import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {parsePath} from '../../src/yaml/parse-path.js'
import {formatPath} from '../../src/yaml/json-value.js'

describe('parsePath', () => {
  it.each([
    {in: '', want: []},
    {in: 'spec.versions[0].name', want: ['spec', 'versions', 0, 'name']},
    {in: 'metadata.labels["example.org/made-by"]', want: ['metadata', 'labels', 'example.org/made-by']},
    {in: '["a\\"]b"].c', want: ['a"]b', 'c']},
  ])('reads $in', ({in: text, want}) => {
    expect(parsePath(text)).toEqual(want)
  })

  it('reads all output of formatPath', () => {
    const step = fc.oneof(
      fc.nat(99),
      fc.string({unit: 'binary'}),
      fc.constantFrom('spec', '$ref', 'x-y', '[0]', '"'),
    )
    fc.assert(
      fc.property(fc.array(step), path => {
        expect(parsePath(formatPath(path))).toEqual(path)
      }),
    )
  })
})
