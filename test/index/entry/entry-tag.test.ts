import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {entryTag, isEntryTag, isYankTag, yankTag} from '../../../src/index/entry/entry-tag.js'
import {parseImageName} from '../../../src/reference/image-name.js'
import {digest, indexed, SQL} from '../summaries.js'

const KEY = {identity: 'r.example.org/team/sql', tag: 'v1.2.0', version: '1.2.0', digest: digest('a')}
const HASH = /^[0-9a-f]{40}$/

describe('the tag of an entry', () => {
  it.each([
    {name: 'a name and a tag', reason: 'it is readable', in: KEY, want: 'sql-v1.2.0'},
    {
      name: 'a long name',
      reason: 'a tag has at most 128 characters',
      in: {...KEY, identity: `example/${'x'.repeat(70)}`},
      want: 'x'.repeat(60),
    },
    {
      name: 'characters that are invalid in tags',
      reason: 'a folder can have such a name',
      in: {...KEY, tag: '1.0+build ü'},
      want: 'sql-1.0-build--',
    },
    {
      name: 'a name called yanked',
      reason: 'it is not a yank',
      in: {...KEY, identity: 'yanked', tag: ''},
      want: 'yanked-',
    },
  ])('begins with $name: $reason', ({in: key, want}) => {
    const tag = entryTag(key)
    expect(tag.slice(0, -41)).toBe(want)
    expect(tag.slice(-40)).toMatch(HASH)
    expect([isEntryTag(tag), isYankTag(tag)]).toEqual([true, false])
  })

  it('never changes', () => {
    expect(entryTag(KEY)).toBe('sql-v1.2.0-40944a9b161f391f2ac69639100a314dec466b52')
    expect(yankTag(KEY)).toBe('yanked-40944a9b161f391f2ac69639100a314dec466b52')
  })

  it('is a valid tag of at most 101 characters', () => {
    fc.assert(
      fc.property(indexed, key => {
        for (const tag of [entryTag(key), yankTag(key)]) {
          expect(parseImageName(`a:${tag}`)?.tag).toBe(tag)
          expect(tag.length).toBeLessThanOrEqual(101)
        }
        expect(isEntryTag(entryTag(key))).toBe(true)
        expect(isYankTag(yankTag(key))).toBe(true)
        expect(yankTag(key).slice(-40)).toBe(entryTag(key).slice(-40))
      }),
    )
  })

  it('differs if any of the four parts differs, also if their concatenations are equal', () => {
    const keys = [
      KEY,
      {...KEY, digest: digest('b')},
      {...KEY, version: '1.2.1'},
      {...KEY, tag: 'v1.2.1'},
      {...KEY, identity: 'r.example.org/other/sql'},
      {...KEY, tag: 'v1.2.01', version: '.2.0'},
      {...KEY, tag: 'v1.2.0","', version: ''},
    ]
    expect(new Set(keys.map(entryTag)).size).toBe(keys.length)
    expect(entryTag({...SQL})).toBe(entryTag({...SQL, tag: SQL.tag}))
  })

  it.each([
    {name: 'index', in: 'index', want: [false, false]},
    {name: 'a group', in: 'group.sql.example.org', want: [false, false]},
    {name: 'a hash of other length', in: `sql-v1-${'0'.repeat(39)}`, want: [false, false]},
    {name: 'a hash in capitals', in: `sql-v1-${'A'.repeat(40)}`, want: [false, false]},
    {name: 'a hash alone', in: `-${'0'.repeat(40)}`, want: [false, false]},
    {name: 'a longer name', in: `${'x'.repeat(61)}-${'0'.repeat(40)}`, want: [false, false]},
    {name: 'a yank', in: `yanked-${'0'.repeat(40)}`, want: [false, true]},
    {name: 'an entry', in: `yanked-v1-${'0'.repeat(40)}`, want: [true, false]},
    {name: 'a second line', in: `a-${'0'.repeat(40)}\n`, want: [false, false]},
  ])('recognizes $name', ({in: tag, want}) => {
    expect([isEntryTag(tag), isYankTag(tag)]).toEqual(want)
  })
})
