import {describe, expect, it} from '@jest/globals'
import {newestStable, tagAgrees} from '../../src/reference/newest-version.js'

const cases: readonly {
  readonly reason: string
  readonly tags: readonly string[]
  readonly want: string | undefined
}[] = [
  {reason: 'none', tags: [], want: undefined},
  {reason: 'by number, not by text', tags: ['v0.9.0', 'v0.11.0', 'v0.10.0'], want: 'v0.11.0'},
  {reason: 'with and without v', tags: ['v1.0.0', '1.1.0', 'v1.0.9'], want: '1.1.0'},
  {reason: 'not what is before a release', tags: ['v1.0.0', 'v1.1.0-rc.1', 'v2.0.0-alpha'], want: 'v1.0.0'},
  {reason: 'never a word', tags: ['latest', 'master', 'stable', 'v1'], want: undefined},
  {reason: 'only whole versions', tags: ['v1.2', '1', 'v1.2.3.4', 'v0.0.1'], want: 'v0.0.1'},
  {reason: 'nothing but what is before a release', tags: ['v1.0.0-rc.1'], want: undefined},
  {reason: 'two texts for one version', tags: ['v1.0.0', '1.0.0'], want: '1.0.0'},
  {reason: 'the same two in another order', tags: ['1.0.0', 'v1.0.0'], want: '1.0.0'},
]

describe('newestStable', () => {
  it.each(cases)('$reason', ({tags, want}) => {
    expect(newestStable(tags)).toBe(want)
  })

  it('does not modify the list of tags', () => {
    const tags = Object.freeze(['v0.1.0', 'v0.2.0'])
    expect(newestStable(tags)).toBe('v0.2.0')
  })
})

describe('tagAgrees', () => {
  it.each([
    ['v1.0.0', 'v1.0.0', true],
    ['v1.0.0', '1.0.0', true],
    ['1.0.0', 'v1.0.0', true],
    ['v1.0.0-amd64', '1.0.0', true],
    ['master', 'master', true],
    ['v1.0.0', '1.0.1', false],
    ['v1.0.01', '1.0.0', false],
    ['v1.0.0', '1.0.0-rc.1', false],
    ['version', 'ersion', false],
    ['latest', '1.0.0', false],
  ])('%s with %s: %p', (tag, version, want) => {
    expect(tagAgrees(tag, version)).toBe(want)
  })
})
