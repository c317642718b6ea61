import {describe, expect, it} from '@jest/globals'
import type {LockChanges} from '../../src/declaration/lock-changes.js'
import {lockChanges} from '../../src/declaration/lock-changes.js'
import type {Lock, LockedPackage} from '../../src/declaration/lock.js'
import {APP, hash, LOCK, PROVIDER} from './locks.js'

interface Case {
  readonly name: string
  readonly reason: string
  readonly in: readonly [Lock | undefined, Lock]
  readonly want: LockChanges
}

const NOTHING: LockChanges = {packages: [], unchanged: 2, others: []}
const withProvider = (change: Partial<LockedPackage>): Lock => ({
  ...LOCK,
  packages: [APP, {...PROVIDER, ...change}],
})
const provider = (change: string, tags: object) =>
  ({
    packages: [{package: PROVIDER.identity, change, ...tags}],
    unchanged: 1,
    others: [],
  }) as unknown as LockChanges
const SAME = {old: 'v0.10.0', new: 'v0.10.0'}

const CASES: readonly Case[] = [
  {name: 'the same', reason: 'nothing changed', in: [LOCK, {...LOCK}], want: NOTHING},
  {
    name: 'in another order',
    reason: 'it is the same',
    in: [LOCK, {...LOCK, acceptedMismatches: LOCK.acceptedMismatches.toReversed()}],
    want: NOTHING,
  },
  {
    name: 'unknown fields',
    reason: 'this program did not change them',
    in: [LOCK, {...LOCK, more: {a: 1}}],
    want: NOTHING,
  },
  {
    name: 'the first',
    reason: 'everything is added',
    in: [undefined, LOCK],
    want: {
      packages: [
        {package: APP.identity, change: 'added', new: 'v0.1.0'},
        {package: PROVIDER.identity, change: 'added', new: 'v0.10.0'},
      ],
      unchanged: 0,
      others: [],
    },
  },
  {
    name: 'one fewer',
    reason: 'it is removed',
    in: [LOCK, {...LOCK, packages: [APP]}],
    want: provider('removed', {old: 'v0.10.0'}),
  },
  {
    name: 'newer',
    reason: 'by version, not by text',
    in: [withProvider({tag: 'v0.9.0'}), LOCK],
    want: provider('upgraded', {old: 'v0.9.0', new: 'v0.10.0'}),
  },
  {
    name: 'older',
    reason: 'by version, not by text',
    in: [LOCK, withProvider({tag: 'v0.9.0'})],
    want: provider('downgraded', {old: 'v0.10.0', new: 'v0.9.0'}),
  },
  {
    name: 'other bytes',
    reason: 'of one tag',
    in: [LOCK, withProvider({digest: hash('e')})],
    want: provider('rebuilt', SAME),
  },
  {
    name: 'another place',
    reason: 'of one version',
    in: [LOCK, withProvider({installs: []})],
    want: provider('installs', SAME),
  },
  {
    name: 'requested by a CRD',
    reason: 'of one version, in the same place',
    in: [
      LOCK,
      withProvider({
        installs: PROVIDER.installs.map(each => ({...each, requestedFor: ['a.compute.example.org']})),
      }),
    ],
    want: provider('installs', SAME),
  },
  {
    name: 'unknown fields of a mismatch',
    reason: 'it is accepted as it was',
    in: [
      LOCK,
      {...LOCK, acceptedMismatches: LOCK.acceptedMismatches.map(each => ({...each, more: {until: 2027}}))},
    ],
    want: NOTHING,
  },
  {
    name: 'all else',
    reason: 'each has its words',
    in: [LOCK, {...LOCK, requestHash: hash('e'), renderVersion: 2, acceptedMismatches: [], assumptions: {}}],
    want: {
      ...NOTHING,
      others: [
        'the settings that decide',
        'how packages are rendered',
        'the accepted mismatches',
        'what is assumed to exist',
      ],
    },
  },
]

describe('lockChanges', () => {
  it.each(CASES)('$name: $reason', ({in: [old, next], want}) => {
    expect(lockChanges(old, next)).toEqual(want)
  })
})
