import {describe, expect, it} from '@jest/globals'
import type {Lock} from '../../../src/declaration/lock.js'
import type {PackageSummary} from '../../../src/index/package-summary.js'
import {lockedEntries} from '../../../src/resolve/lock/locked-entries.js'
import {lockPreferences} from '../../../src/resolve/lock/held-lock.js'
import {summaryHash} from '../../../src/resolve/lock/lock-of.js'
import {version} from '../world.js'
import {published, registryOf} from '../packages/published-packages.js'

const truth = published(version('example/sql:v1.0.0', {owns: ['databases.sql.org/v1']}))
const lie = {...version('example/sql:v1.0.0', {owns: ['databases.sql.org/v9']}), digest: truth.digest}
const moved = {...lie, digest: `sha256:${'0'.repeat(64)}`}

const lockOf = (summary: PackageSummary): Lock => ({
  requestHash: '',
  renderVersion: 1,
  packages: [
    {
      identity: summary.identity,
      tag: summary.tag,
      version: summary.version,
      digest: summary.digest,
      summaryHash: summaryHash(summary),
      installs: [],
      more: {},
    },
  ],
  acceptedMismatches: [],
  assumptions: {},
  more: {},
})

const outcome = async (entries: readonly PackageSummary[], existing: readonly PackageSummary[] = [truth]) => {
  const held = {name: 'a.lock', lock: lockOf(truth), upgraded: [], otherwise: 'take', remedy: 'lock'} as const
  const catalog = {...registryOf(existing), carrierOf: () => 'evil.example.org/index'}
  const preferences = lockPreferences(held, text => text)
  const {summaries, notes} = await lockedEntries(held, preferences, entries, catalog)
  return {served: summaries.map(({crds, digest}) => [crds[0]?.served[0], digest]), notes: notes.length}
}

describe('the entries of a locked version', () => {
  const right = ['v1', truth.digest]
  it.each([
    {name: 'the entry of the lock', reason: 'it stays', in: [truth], want: {served: [right], notes: 0}},
    {
      name: 'another content for the locked digest',
      reason: 'the bytes count, and the entry is named',
      in: [lie],
      want: {served: [right], notes: 1},
    },
    {
      name: 'both',
      reason: 'the lock decides without reading the package',
      in: [lie, truth],
      existing: [],
      want: {served: [right], notes: 1},
    },
    {
      name: 'another digest',
      reason: 'a moved tag does not break the lock',
      in: [moved],
      want: {served: [['v9', moved.digest], right], notes: 0},
    },
    {
      name: 'another digest for a version that is gone',
      reason: 'there is nothing to read',
      in: [moved],
      existing: [],
      want: {served: [['v9', moved.digest]], notes: 0},
    },
    {name: 'none', reason: 'it is not looked for', in: [], want: {served: [], notes: 0}},
  ])('$name: $reason', async ({in: entries, existing, want}) => {
    expect(await outcome(entries, existing)).toEqual(want)
  })
})
