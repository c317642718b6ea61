import {describe, expect, it} from '@jest/globals'
import {formatSummary, type PackageSummary} from '../../../src/index/package-summary.js'
import {listedSummaries, type YankedVersion} from '../../../src/index/summaries.js'
import type {Catalog} from '../../../src/pipeline/resolve/catalog.js'
import {joinedCatalog} from '../../../src/pipeline/resolve/joined-catalog.js'
import {version} from '../../resolve/world.js'

interface Kept {
  readonly summaries: readonly PackageSummary[]
  readonly yanked?: readonly YankedVersion[]
}

/** A catalog of a list; what it opens says by its error who was asked for what. */
function catalog(name: string, {summaries, yanked = []}: Kept): Catalog {
  const listed = listedSummaries({summaries, unreadable: [], yanked})
  return {
    summaries: listed,
    tagsOf: async ({path}) => (await listed.ofPackage(path)).summaries.map(({tag}) => tag),
    yankedOf: async identity => (await listed.ofPackage(identity)).yanked,
    open: summary => Promise.reject(new Error(`${name} opens ${formatSummary(summary)}`)),
  }
}

const yank = {identity: 'a', tag: 'v1.0.0', version: 'v1.0.0', digest: 'sha256:02', reason: 'it leaks'}
const first = catalog('first', {
  summaries: [
    version('a:v1.0.0', {owns: ['as.a.org'], digest: 'sha256:01'}),
    version('a:v2.0.0', {owns: ['as.moved.org'], digest: 'sha256:03'}),
  ],
})
const second = catalog('second', {
  summaries: [
    version('a:v1.0.0', {owns: ['as.a.org'], digest: 'sha256:02'}),
    version('a:v2.0.0', {owns: ['as.a.org'], digest: 'sha256:04'}),
    version('b:v1.0.0', {owns: ['bs.a.org'], digest: 'sha256:05'}),
  ],
  yanked: [yank],
})
const joined = () => joinedCatalog([first, second])
const names = (summaries: readonly PackageSummary[]) =>
  summaries.map(summary => `${formatSummary(summary)}@${summary.digest ?? ''}`)

describe('several catalogs as one', () => {
  it('has what any of them has; of one version what the earlier says, also where that is nothing', async () => {
    const {summaries, yanked} = await joined().summaries.ofGroup('a.org')
    expect(names(summaries)).toEqual(['a:v1.0.0@sha256:01', 'b:v1.0.0@sha256:05'])
    expect(yanked).toEqual([yank])
  })

  it('knows every version of a package', async () => {
    const {summaries, yanked} = await joined().summaries.ofPackage('a')
    expect(names(summaries)).toEqual(['a:v1.0.0@sha256:01', 'a:v2.0.0@sha256:03'])
    expect(yanked).toEqual([yank])
    expect([...(await joined().tagsOf({path: 'b'}))]).toEqual(['v1.0.0'])
    expect(await joined().yankedOf('a')).toEqual([yank])
  })

  it('opens a package where its summary came from', async () => {
    const both = joined()
    const {summaries} = await both.summaries.ofGroup('a.org')
    const opens = summaries.map(summary => both.open(summary).catch(String))
    expect(await Promise.all(opens)).toEqual(['Error: first opens a:v1.0.0', 'Error: second opens b:v1.0.0'])
  })

  it('is empty without any', async () => {
    expect(await joinedCatalog([]).summaries.ofGroup('a.org')).toEqual({
      summaries: [],
      unreadable: [],
      yanked: [],
    })
  })
})
