import {CrossplaneError, type HomePair, lines, plainText, present} from 'kubectl-crossplane/plugin'
import type {FleetHome} from './fleet-rows.js'
import type {Ring} from './rings.js'
import {waitingHomes} from './soak.js'

/** What decides which rings are next. */
export interface NextQuery {
  readonly rings: readonly Ring[]
  /** What was read of the homes of all rings but the last, before anything is promoted. */
  readonly homes: readonly FleetHome[]
  readonly soakMs: number
  readonly now: number
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
  {rings, homes, soakMs, now}: NextQuery,
  promote: (pair: HomePair) => Promise<boolean>,
): Promise<NextReport> {
  const byPath = new Map(homes.map(home => [home.path, home]))
  const homesOf = ({homes: own}: Ring) => own.flatMap(({path}) => byPath.get(path) ?? [])
  const texts: string[] = []
  let isIncomplete = homes.some(({error}) => error !== undefined)
  for (const [index, ring] of rings.entries()) {
    const before = index === 0 ? undefined : rings[index - 1]
    const [from] = before === undefined ? [] : homesOf(before)
    if (before === undefined || from === undefined) continue
    const waiting = waitingHomes(homesOf(before), soakMs, now)
    if (waiting.length > 0) {
      texts.push(
        `${ring.name}: waits for ${before.name}`,
        ...waiting.map(({path, reason}) => `  ${path}: ${reason}`),
      )
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

/** Returns why it failed. */
async function attempt(act: () => Promise<boolean>): Promise<string | undefined> {
  try {
    return (await act()) ? 'failed' : undefined
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return error.message
  }
}
