import {describe, expect, it} from '@jest/globals'
import {CrossplaneError, type ErrorCode} from '../../../src/errors.js'
import type {PackageIndex} from '../../../src/index/package-index.js'
import {availableUpdate, newestVersions} from '../../../src/pipeline/cluster/available-updates.js'

const summary = (identity: string, tag: string) => ({identity, tag, digest: `sha256:${tag}`})

function indexOf(
  tags: Readonly<Record<string, readonly string[] | ErrorCode>>,
  yanked: readonly string[] = [],
) {
  const asked: string[] = []
  const ofPackage = (identity: string) => {
    asked.push(identity)
    const offered = tags[identity] ?? []
    if (typeof offered === 'string')
      return Promise.reject(new CrossplaneError(offered, `cannot read ${identity}`))
    return Promise.resolve({
      summaries: [...offered.map(tag => summary(identity, tag)), summary('other/p', 'v9.0.0')],
      yanked: yanked.map(tag => ({...summary(identity, tag), reason: ''})),
    })
  }
  return {asked, index: {ofPackage} as unknown as PackageIndex}
}

describe('newestVersions', () => {
  it.each([
    {
      name: 'the newest stable one',
      tags: ['v1.0.0', 'v1.10.0', 'v1.9.0', 'v2.0.0-rc.1', 'latest'],
      want: 'v1.10.0',
    },
    {name: 'none that is yanked', tags: ['v1.0.0', 'v1.10.0', 'v1.9.0'], yanked: ['v1.10.0'], want: 'v1.9.0'},
    {name: 'none that is older', tags: ['v0.9.0'], want: undefined},
    {name: 'none that is the same', tags: ['v1.0.0', '1.0.0'], want: undefined},
    {name: 'nothing of other packages', tags: [], want: undefined},
  ])('$name', async ({tags, yanked, want}) => {
    const {index} = indexOf({'x/p': tags}, yanked)
    const newest = await newestVersions(['x/p'], {remote: {}, index, isStrict: true, format: 'stack'})
    expect(newest.warnings).toEqual([])
    expect(availableUpdate({identity: 'x/p', tag: 'v1.0.0'}, newest)).toBe(want)
  })

  it('knows which versions are of which format', async () => {
    const ofPackage = (identity: string) =>
      Promise.resolve({
        summaries: [summary(identity, 'v1.1.0'), {...summary(identity, 'v2.0.0'), xpkg: {kind: 'Provider'}}],
        yanked: [],
      })
    const index = {ofPackage} as unknown as PackageIndex
    const newest = async (format: 'stack' | 'xpkg') =>
      (await newestVersions(['x/p'], {remote: {}, index, isStrict: true, format})).versions.get('x/p')
    expect([await newest('stack'), await newest('xpkg')]).toEqual(['v1.1.0', 'v2.0.0'])
  })

  it('asks once for each package', async () => {
    const {index, asked} = indexOf({'x/p': ['v1.0.0']})
    await newestVersions(['x/p', 'x/q', 'x/p'], {remote: {}, index, isStrict: true, format: 'stack'})
    expect(asked).toEqual(['x/p', 'x/q'])
  })

  it.each<{code: ErrorCode; isStrict: boolean; want: readonly string[]}>([
    {code: 'offline', isStrict: false, want: []},
    {code: 'not-found', isStrict: false, want: []},
    {code: 'not-found', isStrict: true, want: ['cannot read x/p']},
    {code: 'registry-unreachable', isStrict: true, want: ['cannot read x/p']},
    {code: 'index-invalid', isStrict: false, want: ['cannot read x/p']},
  ])('reports $code (strict: $isStrict), and still looks up the others', async ({code, isStrict, want}) => {
    const {index} = indexOf({'x/p': code, 'x/q': ['v2.0.0']})
    const newest = await newestVersions(['x/p', 'x/q'], {remote: {}, index, isStrict, format: 'stack'})
    expect(newest.warnings.map(({message}) => message)).toEqual(want)
    expect(availableUpdate({identity: 'x/q', tag: 'v1.0.0'}, newest)).toBe('v2.0.0')
  })
})
