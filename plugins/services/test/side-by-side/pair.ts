import {jsonEqual, type JsonObject, type JsonValue} from 'kubectl-crossplane/plugin'
import {type Kube, until} from '../../../../test/cluster/kube.js'
import type {ExternalSystem} from '../stories/external-system.js'
import {see, type Seen} from '../stories/snapshot.js'
import {Player, type Steered} from '../stories/story.js'
import {explained, unexplained, withoutSide} from './explained.js'
import {PAIR, type Scenario} from './scenario.js'

/** What serves one of two claims. */
export interface Side {
  readonly servedBy: string
  readonly system: Pick<ExternalSystem, 'calls' | 'instances'> & Steered
  /** Reads the external system again. */
  readonly refresh: () => Promise<void>
}

/** What was seen, with the rules applied to crossplane-runtime. */
interface Compared {
  readonly there: Seen
  readonly here: Seen
}

/** Plays a scenario on both sides, step by step; returns the first difference that no rule explains. */
export async function playPair(
  {steps}: Scenario,
  index: number,
  {kube, sides}: {readonly kube: Kube; readonly sides: readonly [Side, Side]},
): Promise<JsonObject | undefined> {
  const [there, here] = sides.map(side => playerOf(side, index, kube)) as [SidePlayer, SidePlayer]
  const both = async (work: (player: SidePlayer) => Promise<void>) => {
    await Promise.all([work(there), work(here)])
  }
  const look = async () => {
    const [original, seen] = await Promise.all([there.look(), here.look()])
    return {there: explained(original), here: seen}
  }
  const own = new Map([there, here].map(player => [player, steps(player.name, player.servedBy)]))
  await both(async ({player}) => await player.begin())
  for (const [at, {snapshot}] of (own.get(there) ?? []).entries()) {
    await both(async each => await each.player.take(own.get(each)?.[at] ?? {}, () => Promise.resolve()))
    if (snapshot === undefined) continue
    await both(async ({player}) => await player.remember())
    const compared = await settled(look)
    if (!isSame(compared)) return {step: at, ...differing(compared)}
  }
  return undefined
}

interface SidePlayer {
  readonly name: string
  readonly servedBy: string
  readonly player: Player
  readonly look: () => Promise<Seen>
}

function playerOf({servedBy, system, refresh}: Side, index: number, kube: Kube): SidePlayer {
  const name = `${servedBy}-${index}`
  const player = new Player({name, steps: [], want: {}}, {kube, system, until: {}})
  const ports = {kube, system, uids: new Map<string, string>(), query: `?labelSelector=${PAIR}%3Dp${index}`}
  const look = async () => {
    await refresh()
    return withoutSide(await see(name, [name], ports), name, servedBy)
  }
  return {name, servedBy, player, look}
}

/** Looks until both sides are the same; what they are after a minute is the result. */
async function settled(look: () => Promise<Compared>): Promise<Compared> {
  let last = await look()
  const again = async () => {
    await new Promise(resolve => setTimeout(resolve, 500))
    return (last = await look())
  }
  if (!isSame(last)) await until(again, isSame, 60).catch(() => undefined)
  return last
}

function isSame({there, here}: Compared): boolean {
  const {events: missing} = differing({there, here}).there
  const {events: unexpected} = differing({there, here}).here
  return missing.length + unexpected.length === 0 && jsonEqual(partsOf(there), partsOf(here))
}

function partsOf({objects, external, calls}: Seen): JsonValue {
  return {objects, external, calls: [...calls]}
}

function differing({there, here}: Compared) {
  return {
    there: {...there, events: unexplained(there.events, here.events, 'there')},
    here: {...here, events: unexplained(here.events, there.events, 'here')},
  }
}
