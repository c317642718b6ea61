import {describe, expect, it} from '@jest/globals'
import type {Lock, LockedXpkg} from '../../../src/declaration/lock.js'
import {withFormerVersion} from '../../../src/plan/declaration/rolled-back.js'

const REPOSITORY = 'registry.example.org/example/provider-sql'

function locked(tag: string, name?: string): LockedXpkg {
  return {
    repository: REPOSITORY,
    kind: 'Provider',
    ...(name === undefined ? {} : {name}),
    tag,
    summaryHash: tag,
    mode: 'requested',
    requires: {},
    more: {},
  }
}

function rolledBack(present: LockedXpkg, former: LockedXpkg): readonly LockedXpkg[] | undefined {
  const others = [{...locked('v9'), repository: 'registry.example.org/example/other'}]
  const lock: Lock = {
    ...{requestHash: '', renderVersion: 1, packages: [], acceptedMismatches: [], assumptions: {}, more: {}},
    xpkgs: [...others, present],
  }
  const {xpkgs} = withFormerVersion(lock, {repository: REPOSITORY, xpkg: former})
  expect(xpkgs?.slice(0, 1)).toEqual(others)
  return xpkgs?.slice(1)
}

describe('the lock of a rollback', () => {
  it('has the former version under the present name of its request', () => {
    expect(rolledBack(locked('v2', 'sql'), locked('v1'))).toEqual([locked('v1', 'sql')])
    expect(rolledBack(locked('v2', 'sql'), locked('v1', 'old'))).toEqual([locked('v1', 'sql')])
    expect(rolledBack(locked('v2'), locked('v1', 'old'))).toEqual([locked('v1')])
  })
})
