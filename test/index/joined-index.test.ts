import {describe, expect, it} from '@jest/globals'
import {joinedIndex, joinedSummaries} from '../../src/index/joined-index.js'
import {listedIndex} from '../../src/index/listed-index.js'
import {formatSummary, type PackageSummary} from '../../src/index/package-summary.js'
import type {Found} from '../../src/index/summaries.js'
import {version} from '../resolve/world.js'
import {digest} from './summaries.js'

const named = (
  title: string,
  reference: string,
  owns: readonly string[],
  digit?: string,
): PackageSummary => ({
  ...version(reference, {owns, ...(digit === undefined ? {} : {digest: digest(digit)})}),
  title,
})
const of = (name: string, found: Partial<Found>) =>
  listedIndex(name, {summaries: [], unreadable: [], yanked: [], ...found})
const titles = ({summaries}: Found) => summaries.map(({title}) => title)

describe('several indexes joined into one', () => {
  const first = of('first', {
    summaries: [named('1a', 'a:v1', ['as.a.org'], '0'), named('1b', 'b:v1', ['bs.b.org'])],
    unreadable: [{identity: 'x', tag: 'v1', reason: 'broken'}],
    yanked: [{identity: 'a', tag: 'v1', version: 'v1', digest: digest('0'), reason: 'first'}],
  })
  const second = of('second', {
    summaries: [
      named('2a', 'a:v1', ['as.a.org'], '0'),
      named('2a other bytes', 'a:v1', ['as.a.org'], '1'),
      named('2b', 'b:v1', ['as.a.org', 'bs.b.org']),
      named('2c', 'c:v1', ['as.a.org']),
    ],
    yanked: [
      {identity: 'a', tag: 'v1', version: 'v1', digest: digest('0'), reason: 'second'},
      {identity: 'c', tag: 'v1', version: 'v1', digest: digest('2'), reason: 'gone'},
    ],
  })
  const both = joinedIndex([first, second])

  it('list a version once, with the entry of the first index; another digest is another version', async () => {
    expect(titles(await both.all())).toEqual(['1a', '1b', '2a other bytes', '2c'])
    expect(titles(await both.ofPackage('a'))).toEqual(['1a', '2a other bytes'])
    expect(titles(await joinedIndex([second, first]).all())).toEqual(['2a', '2a other bytes', '2b', '2c'])
  })

  it('do not find a version by a group of a later index only', async () => {
    expect(titles(await both.ofGroup('a.org'))).toEqual(['1a', '2a other bytes', '2c'])
    expect(titles(await joinedIndex([second, first]).ofGroup('a.org'))).toContain('2b')
  })

  it('yank versions that any of them yanks, with the first reason', async () => {
    expect((await both.all()).yanked.map(({reason}) => reason)).toEqual(['first', 'gone'])
    expect((await both.all()).unreadable).toHaveLength(1)
  })

  it('are one index if there is one, and empty if there is none', async () => {
    expect(joinedIndex([first])).toBe(first)
    expect(await joinedIndex([]).all()).toEqual({summaries: [], unreadable: [], yanked: []})
    expect(both.name).toBe('first, second')
  })
  it('list a tag once if versions are identified by tag', async () => {
    const byTag = joinedSummaries([first, second], formatSummary)
    expect(titles(await byTag.ofPackage('a'))).toEqual(['1a'])
    expect(titles(await byTag.ofGroup('a.org'))).toEqual(['1a', '2c'])
  })
})
