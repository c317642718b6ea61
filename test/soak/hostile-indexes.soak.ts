import {describe, expect} from '@jest/globals'
import type {PackageSummary} from '../../src/index/package-summary.js'
import {type ResolvedPackages, solveAndRead} from '../../src/resolve/packages/solve-and-read.js'
import {isStable} from '../../src/reference/newest-version.js'
import type {SolverInput} from '../../src/resolve/solver-input.js'
import {published, registryOf} from '../resolve/packages/published-packages.js'
import {randomWorld} from '../resolve/random-world.js'
import {version} from '../resolve/world.js'
import {below, campaign, pick} from './campaign.js'

const policy = {
  allowVersionMismatch: false,
  systemNamespace: 'crossplane-system',
  budget: {isSpent: () => false},
}

describe('an index with forged entries', () => {
  campaign('gives the same result as without them', {short: 150}, async ({random}) => {
    const world = randomWorld(below(random, 2 ** 31))
    const honest = {...world, summaries: world.summaries.map(published)}
    const forged = Array.from({length: 1 + below(random, 8)}, () => forgery(random, honest))
    const hostile = {...honest, summaries: [...forged, ...honest.summaries]}
    const registry = registryOf(honest.summaries)
    const answer = await solveAndRead(hostile, policy, registry)
    expect({forged, answer: answerOf(answer)}).toEqual({
      forged,
      answer: answerOf(await solveAndRead(honest, policy, registry)),
    })
  })
})

/** What counts: the selected versions with their bytes, or why there are none. */
function answerOf(result: ResolvedPackages): readonly string[] | string {
  if (result.kind === 'rejected') return result.code
  return result.resolution.packages.map(
    ({summary: {identity, tag, digest}}) => `${identity}:${tag}@${digest ?? ''}`,
  )
}

/** An entry that no registry confirms: another digest for a tag, a tag that is not there, or other content for true bytes. */
function forgery(random: () => number, {summaries}: SolverInput): PackageSummary {
  const victim = pick(random, summaries)
  const claimed = pick(random, summaries)
  const {identity, tag, digest} = victim
  const owns = claimed.crds.map(({plural, group, served}) => `${plural}.${group}/${served.join(',')}`)
  const lie = {...version(`${identity}:${tag}`, {owns}), version: 'v0.0.0-forged'}
  const kind = below(random, 4)
  if (kind === 0) return {...lie, digest: `sha256:${'0'.repeat(64)}`}
  if (kind === 1) return {...lie, tag: `v${4 + below(random, 9)}.0.0`, digest: pick(random, summaries).digest}
  if (kind === 2) return {...lie, identity: `evil-${identity}`, digest}
  return isStable(tag) ? {...lie, digest} : {...lie, tag: 'v9.0.0', digest}
}
