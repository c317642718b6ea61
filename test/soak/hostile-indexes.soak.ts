import {describe, expect} from '@jest/globals'
import type {PackageSummary} from '../../src/index/package-summary.js'
import {isStable} from '../../src/reference/newest-version.js'
import type {HeldLock} from '../../src/resolve/lock/held-lock.js'
import {lockOf} from '../../src/resolve/lock/lock-of.js'
import {type ResolvedPackages, solveAndRead} from '../../src/resolve/packages/solve-and-read.js'
import {solverInput} from '../../src/resolve/packages/solver-input-of.js'
import type {SolverInput} from '../../src/resolve/solver-input.js'
import {expectCause} from '../resolve/named-cause.js'
import {indexed, published} from '../resolve/packages/published-packages.js'
import {randomWorld} from '../resolve/random-world.js'
import {ownersOf, version} from '../resolve/world.js'
import {below, campaign, pick} from './campaign.js'

const POLICY = {
  allowVersionMismatch: false,
  systemNamespace: 'crossplane-system',
  crossplane: {version: 'none', provided: []},
  budget: {isSpent: () => false},
}

describe('an index with forged entries', () => {
  campaign(
    'changes neither a result nor a locked version, and each refusal names its cause',
    {short: 150},
    async ({random}) => {
      const plain = randomWorld(below(random, 2 ** 31))
      const world = {...plain, summaries: plain.summaries.map(published)}
      const lock = random() < 0.5 ? await earlierLock(random, world) : undefined
      const attack = attackOn(random, world, lock)
      const answer = await resolved(world, attack, lock)
      expect({attack, lock, answer: answerOf(answer)}).toEqual({
        ...{attack, lock, answer: answerOf(await resolved(world, NO_ATTACK, lock))},
      })
      const lies = liesIn(answer)
      expect({attack, lock, lies}).toEqual({attack, lock, lies: [...new Set(lies)]})
      if (lock !== undefined) expect(versionsOf(answer)).toEqual(lockedIn(lock))
      if (answer.kind === 'rejected')
        expectCause(answer, {...world, summaries: [...world.summaries, ...retagged(attack, world)]})
    },
  )
})

/** What an attacker with write access to an index does. */
interface Attack {
  readonly forged: readonly PackageSummary[]
  readonly removed: readonly PackageSummary[]
}

const NO_ATTACK: Attack = {forged: [], removed: []}

/** Forges entries; those of locked versions take the place of the true ones, without which nothing else is selected. */
function attackOn(random: () => number, world: SolverInput, lock: HeldLock | undefined): Attack {
  const forged = Array.from({length: 1 + below(random, 8)}, () => forgery(random, world))
  const locked = new Set(lock === undefined ? [] : lockedIn(lock))
  const removed = world.summaries.filter(summary => locked.has(versionOf(summary)) && random() < 0.5)
  const instead = removed.map(summary => ({
    ...summary,
    dependsOn: [{crd: 'nothing.here.org'}],
    digest: random() < 0.5 ? summary.digest : `sha256:${'1'.repeat(64)}`,
  }))
  return {forged: [...instead, ...forged], removed}
}

/** True packages under tags that only an entry gives them: what it requires is not invented, as its bytes are read. */
function retagged({forged}: Attack, {summaries}: SolverInput): readonly PackageSummary[] {
  return forged.flatMap(({identity, tag, digest}) =>
    summaries.filter(one => one.identity === identity && one.digest === digest).map(one => ({...one, tag})),
  )
}

/** Resolves the request of a world, of whose index some entries lie. */
async function resolved(
  {roots, summaries, facts, owners}: SolverInput,
  attack: Attack,
  lock: HeldLock | undefined,
): Promise<ResolvedPackages> {
  const catalog = indexed(summaries, attack)
  const policy = {...POLICY, facts, owners, ...(lock === undefined ? {} : {lock})}
  const {input} = await solverInput({roots, opened: new Map()}, policy, ({path}) => path, catalog)
  return await solveAndRead(input, policy, catalog)
}

/** The lock of a time at which many versions did not exist; undefined if the request had no resolution. */
async function earlierLock(random: () => number, world: SolverInput): Promise<HeldLock | undefined> {
  const summaries = world.summaries.filter(({tag}) => tag === 'v0.0.0' || random() < 0.5)
  const result = await resolved({...world, summaries}, NO_ATTACK, undefined)
  if (result.kind === 'rejected') return undefined
  const fresh = lockOf(result, [], {...POLICY, facts: world.facts})
  // An earlier version of this program can have written other hashes.
  const packages = fresh.packages.map(each => (random() < 0.1 ? {...each, summaryHash: 'sha256:0'} : each))
  const lock = {...fresh, packages}
  return {name: 'packages.lock', lock, upgraded: [], otherwise: 'take', remedy: 'package lock'}
}

/** What counts: the selected versions with their bytes and the owners, or why there are none. */
function answerOf(result: ResolvedPackages): object | string {
  if (result.kind === 'rejected') return result.code
  return {versions: versionsOf(result), owners: [...ownersOf(result.resolution)]}
}

/** What is reported about wrong entries. */
function liesIn(result: ResolvedPackages): readonly string[] {
  const reported = result.kind === 'rejected' ? result.diagnostics : result.resolution.notes
  return reported.filter(({rule}) => rule === 'lying-version').map(({message}) => message)
}

function versionsOf(result: ResolvedPackages): readonly string[] {
  if (result.kind === 'rejected') return []
  return result.resolution.packages.map(({summary}) => versionOf(summary)).sort()
}

function lockedIn({lock}: HeldLock): readonly string[] {
  return lock.packages.map(versionOf).sort()
}

function versionOf({identity, tag, digest}: Pick<PackageSummary, 'identity' | 'tag' | 'digest'>): string {
  return `${identity}:${tag}@${digest ?? ''}`
}

/** An entry that no registry confirms: another digest for a tag, a tag that is not there, or other content, or only another version, for true bytes. */
function forgery(random: () => number, {summaries}: SolverInput): PackageSummary {
  const victim = pick(random, summaries)
  const claimed = pick(random, summaries)
  const {identity, tag, digest} = victim
  const owns = claimed.crds.map(({plural, group, served}) => `${plural}.${group}/${served.join(',')}`)
  const lie = {...version(`${identity}:${tag}`, {owns}), version: 'v0.0.0-forged'}
  const kind = below(random, 5)
  if (kind === 0) return {...lie, digest: `sha256:${'0'.repeat(64)}`}
  if (kind === 1) return {...lie, tag: `v${4 + below(random, 9)}.0.0`, digest: pick(random, summaries).digest}
  if (kind === 2) return {...lie, identity: `evil-${identity}`, digest}
  if (kind === 3) return {...victim, version: pick(random, ['v0.0.0-forged', 'v9.9.9', claimed.tag])}
  return isStable(tag) ? {...lie, digest} : {...lie, tag: 'v9.0.0', digest}
}
