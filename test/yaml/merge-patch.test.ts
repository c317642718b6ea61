import {describe, expect, it} from '@jest/globals'
import type {JsonValue} from '../../src/yaml/json-value.js'
import {mergePatched} from '../../src/yaml/merge-patch.js'

/** From https://www.rfc-editor.org/rfc/rfc7396#appendix-A */
const EXAMPLES: readonly Record<'target' | 'patch' | 'want', JsonValue>[] = [
  {target: {a: 'b'}, patch: {a: 'c'}, want: {a: 'c'}},
  {target: {a: 'b'}, patch: {b: 'c'}, want: {a: 'b', b: 'c'}},
  {target: {a: 'b', b: 'c'}, patch: {a: null}, want: {b: 'c'}},
  {target: {a: ['b']}, patch: {a: 'c'}, want: {a: 'c'}},
  {target: {a: {b: 'c'}}, patch: {a: {b: 'd', c: null}}, want: {a: {b: 'd'}}},
  {target: ['a', 'b'], patch: ['c', 'd'], want: ['c', 'd']},
  {target: {a: 'foo'}, patch: null, want: null},
  {target: {e: null}, patch: {a: 1}, want: {e: null, a: 1}},
  {target: [1, 2], patch: {a: 'b', c: null}, want: {a: 'b'}},
  {target: {}, patch: {a: {bb: {ccc: null}}}, want: {a: {bb: {}}}},
]

describe('mergePatched', () => {
  it.each(EXAMPLES)('$target with $patch is $want', ({target, patch, want}) => {
    expect(mergePatched(target, patch)).toEqual(want)
  })
})
