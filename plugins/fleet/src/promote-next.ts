import {CrossplaneError, type HomePair, lines, plainText, present} from 'kubectl-crossplane/plugin'
import type {FleetHome} from './fleet-rows.js'
import type {Ring} from './rings.js'
import {isUnhealthy, waitingHomes} from './soak.js'

/** What decides which rings are next. */
export interface NextQuery {
  readonly rings: readonly Ring[]
  /** What was read of the homes of all rings but the last, before anything is promoted. */
  readonly homes: readonly FleetHome[]
  readonly soakMs: number
  readonly now: number
  /** Returns the branches of earlier runs that are not merged yet, by home. */
  readonly openBranches: () => Promise<ReadonlyMap<string, string>>
}

/** What became of rings, and whether something failed. */
export interface NextReport {
  readonly text: string
  readonly isIncomplete: boolean
}

/**
 * Promotes the packages of each ring to the next one, if all homes of the first are ready. All rings are judged before the first
 * change. A home that cannot be changed stops no other.
 */
export async function promoteNext(
  {rings, homes, soakMs, now, openBranches}: NextQuery,
  promote: (pair: HomePair) => Promise<boolean>,
): Promise<NextReport> {
  const byPath = new Map(homes.map(home => [home.path, home]))
  const homesOf = ({homes: own}: Ring) => own.flatMap(({path}) => byPath.get(path) ?? [])
  const texts: string[] = []
  let isIncomplete = homes.some(({error}) => error !== undefined)
  for (const [before, ring] of pairs(rings)) {
    const [from] = homesOf(before)
    if (from === undefined) continue
    const waiting = waitingHomes(homesOf(before), soakMs, now)
    if (waiting.length > 0) {
      texts.push(
        `${ring.name}: waits for ${before.name}`,
        ...waiting.map(({path, reason}) => `  ${path}: ${reason}`),
      )
      const open = await openTexts(ring, {ring: before, homes: homesOf(before)}, openBranches)
      texts.push(...open.texts)
      isIncomplete ||= open.isIncomplete
      continue
    }
    // By now, an earlier step can have changed the files of this home.
    const pair = {from: from.path, ...present({lock: from.lock})}
    texts.push(`${ring.name}: promoted from ${from.path}`)
    for (const {path} of ring.homes) {
      const failure = await attempt(() => promote({...pair, to: path}))
      isIncomplete ||= failure !== undefined
      texts.push(`  ${path}: ${failure ?? 'done'}`)
    }
  }
  return {
    text: lines(texts.map(text => `${text.startsWith('  ') ? '  ' : ''}${plainText(text, 400)}`)),
    isIncomplete,
  }
}

/** Returns each ring but the first, after the one before it. */
function pairs(rings: readonly Ring[]): readonly (readonly [before: Ring, ring: Ring])[] {
  return rings.slice(1).flatMap((ring, index) => {
    const before = rings[index]
    return before === undefined ? [] : [[before, ring] as const]
  })
}

interface JudgedRing {
  readonly ring: Ring
  readonly homes: readonly FleetHome[]
}

/** Names the branches of a ring that waits: merging one would bring what the ring before it had, and which can be broken by now. */
async function openTexts(
  {homes}: Ring,
  before: JudgedRing,
  openBranches: NextQuery['openBranches'],
): Promise<{readonly texts: readonly string[]; readonly isIncomplete: boolean}> {
  const next = before.homes.some(isUnhealthy)
    ? `do not merge it while ${before.ring.name} is not healthy; the next run after that updates it`
    : 'it has packages of an earlier run'
  let branches: ReadonlyMap<string, string> = new Map()
  const failure = await attempt(async () => {
    branches = await openBranches()
    return false
  })
  if (failure !== undefined) return {texts: [`  ${failure}`], isIncomplete: true}
  const named = homes.flatMap(({path}) => {
    const branch = branches.get(path)
    return branch === undefined ? [] : [`  ${path}: the branch ${branch} is open: ${next}`]
  })
  return {texts: named, isIncomplete: false}
}

/** Returns why it failed. */
async function attempt(act: () => Promise<boolean>): Promise<string | undefined> {
  try {
    return (await act()) ? 'failed' : undefined
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return error.message
  }
}
