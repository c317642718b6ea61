import {describe, expect, it} from '@jest/globals'
import {coreDrift} from '../../../src/health/sides/core-drift.js'

type Locked = Parameters<typeof coreDrift>[0][number]
type Core = Parameters<typeof coreDrift>[1]

const DIGEST = `sha256:${'a'.repeat(64)}`
const locked = (repository: string, tag?: string): Locked => ({
  ...{
    repository,
    kind: 'Provider',
    digest: DIGEST,
    summaryHash: '',
    mode: 'requested',
    requires: {},
    more: {},
  },
  ...(tag === undefined ? {} : {tag}),
})
const entry = (repository: string, version: string): Core['lock']['entries'][number] => ({
  ...{name: repository, kind: 'Provider', repository, version, dependencies: []},
})
/** A request that Crossplane's resolver skips. */
const skipping = (repository: string): Core['requests'][number] => {
  const metadata = {name: repository}
  return {
    ...{repository, kind: 'Provider', name: repository, uid: '', created: '', reference: repository},
    ...{isResolved: false, isByCore: false, isTerminating: false},
    object: {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata},
  }
}

const CASES = [
  {name: 'nothing for the same tag', locked: [locked('a', 'v1')], entries: [entry('a', 'v1')], want: []},
  {name: 'nothing for the digest', locked: [locked('a', 'v1')], entries: [entry('a', DIGEST)], want: []},
  {
    name: 'another version',
    locked: [locked('a', 'v1')],
    entries: [entry('a', 'v2')],
    want: [{repository: 'a', lock: `v1@${DIGEST}`, core: 'v2'}],
  },
  {
    name: 'what Crossplane lacks',
    locked: [locked('a')],
    entries: [],
    want: [{repository: 'a', lock: `@${DIGEST}`}],
  },
  {
    name: 'what only Crossplane has',
    locked: [],
    entries: [entry('b', 'v1')],
    want: [{repository: 'b', core: 'v1'}],
  },
  {
    name: 'nothing for what skips the resolver',
    locked: [locked('a', 'v1')],
    requests: [skipping('a')],
    entries: [],
    want: [],
  },
]

describe('the drift between a lock and the Lock of Crossplane', () => {
  it.each(CASES)('names $name', ({locked: packages, entries, requests = [], want}) => {
    expect(coreDrift(packages, {requests, lock: {entries}})).toEqual(want)
  })
})
