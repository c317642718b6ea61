import {asText, type JsonObject} from 'kubectl-crossplane/plugin'
import {type Kube, until} from '../../../../test/cluster/kube.js'
import type {ExternalSystem} from '../stories/external-system.js'
import {see, type Seen} from '../stories/snapshot.js'
import {Player, type Steered} from '../stories/story.js'
import {differences} from './differences.js'
import {explained, unexplained, withoutSide} from './explained.js'
import {type Failing, isLost, isQuiet} from './quiet.js'
import {PAIR, type Scenario} from './scenario.js'

/** What serves one of two claims. */
export interface Side {
  readonly servedBy: string
  readonly system: Pick<ExternalSystem, 'calls' | 'instances'> & Steered
  /** Reads the external system again. */
  readonly refresh: () => Promise<void>
}

/** The longest waits, in seconds: crossplane-runtime repeats some passes after half a minute only. */
const PATIENCE = 120
/** How often a scenario is played of which crossplane-runtime loses the claim. */
const ATTEMPTS = 3

interface PairPorts {
  readonly kube: Kube
  readonly sides: readonly [Side, Side]
}

/** Plays a scenario on both sides, step by step; returns the first differences that no rule explains. */
export async function playPair(
  scenario: Scenario,
  index: number,
  {kube, sides}: PairPorts,
): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt++) {
    const players = sides.map(side => new SidePlayer(side, index, attempt, kube))
    const [there, here] = players as [SidePlayer, SidePlayer]
    const result = await new Pair(there, here)
      .play(scenario)
      .catch((error: unknown): readonly string[] => [String(error)])
    const isAgain = result.length > 0 && attempt < ATTEMPTS && isLost(await there.look())
    await Promise.all(players.map(each => each.deleteAll()))
    if (!isAgain) return result
  }
}

class Pair {
  readonly #there: SidePlayer
  readonly #here: SidePlayer

  constructor(there: SidePlayer, here: SidePlayer) {
    this.#there = there
    this.#here = here
  }

  async play({steps}: Scenario): Promise<readonly string[]> {
    const sides = [this.#there, this.#here] as const
    const own = sides.map(({name, servedBy}) => steps(name, servedBy))
    await Promise.all(sides.map(({player}) => player.begin()))
    for (const [at, {snapshot}] of (own[0] ?? []).entries()) {
      const taken = sides.map((side, index) =>
        side.player.take(own[index]?.[at] ?? {}, () => Promise.resolve()),
      )
      await Promise.all(taken)
      if (snapshot === undefined) continue
      await Promise.all(sides.map(({player}) => player.remember()))
      const result = await this.#settled(asText(snapshot) as Failing)
      if (result.length > 0) return [`at step ${at}`, ...result]
    }
    return []
  }

  /** Looks until all has happened and both sides are the same; what differs after a long time is the result. */
  async #settled(failing: Failing): Promise<readonly string[]> {
    let last = await this.#compare(failing)
    const again = async () => {
      await new Promise(resolve => setTimeout(resolve, 500))
      return (last = await this.#compare(failing))
    }
    if (last.length > 0) await until(again, ({length}) => length === 0, PATIENCE).catch(() => undefined)
    return last
  }

  async #compare(failing: Failing): Promise<readonly string[]> {
    const [original, here] = await Promise.all([this.#there.look(), this.#here.look()])
    const there = explained(original)
    const restless = [
      ...(isQuiet(original, failing, this.#there.passwords()) ? [] : ['not settled there']),
      ...(isQuiet(here, failing, this.#here.passwords()) ? [] : ['not settled here']),
    ]
    const events: JsonObject = {
      there: unexplained(there, here, 'there'),
      here: unexplained(here, there, 'here'),
    }
    return [
      ...restless,
      ...differences(partsOf(there), partsOf(here)),
      ...differences({there: [], here: []}, events, 'Events'),
    ]
  }
}

function partsOf({objects, external, calls}: Seen): JsonObject {
  return {objects, external, calls: [...calls]}
}

class SidePlayer {
  readonly name: string
  readonly servedBy: string
  readonly player: Player
  readonly #side: Side
  readonly #ports: Parameters<typeof see>[2]

  constructor(side: Side, index: number, attempt: number, kube: Kube) {
    const {servedBy, system} = side
    this.name = `${servedBy}-${index}${attempt === 1 ? '' : `x${attempt}`}`
    this.servedBy = servedBy
    this.#side = side
    this.player = new Player(
      {name: this.name, steps: [], want: {}},
      {kube, system, until: {}, patience: PATIENCE},
    )
    this.#ports = {kube, system, uids: new Map(), query: `?labelSelector=${PAIR}%3Dp${index}`}
  }

  /** What stays would be observed every two seconds while others are compared. */
  async deleteAll(): Promise<void> {
    const all: readonly JsonObject[] = [{FancySQLInstance: 'db'}, {FavouriteDBInstance: '$db'}]
    for (const names of all) await this.player.take({delete: names}, () => Promise.resolve())
  }

  async look(): Promise<Seen> {
    await this.#side.refresh()
    return withoutSide(await see(this.name, [this.name], this.#ports), this.name, this.servedBy)
  }

  /** Those that the external system reports for instances of this side. */
  passwords(): readonly string[] {
    const own = [...this.#side.system.instances].filter(([name]) => name.startsWith(`${this.name}-`))
    return own.map(([, {password}]) => password)
  }
}
