import {
  CrossplaneError,
  mapConcurrent,
  type Progress,
  readClusterState,
  readHomeState,
} from 'kubectl-crossplane/plugin'
import {join} from 'node:path'
import type {FleetHome} from './fleet-rows.js'
import type {RingHome} from './rings.js'

/** Where homes are, and how their clusters are reached. */
export interface FleetPlace {
  /** The folder that paths are relative to. */
  readonly root: string
  /** The flags that select a user and a kubeconfig. */
  readonly flags: Omit<Parameters<typeof readClusterState>[1]['flags'], 'context'>
  readonly timeoutMs: number
  readonly version: string
  readonly progress: Progress
}

const MAX_CLUSTERS = 64

/** Reads homes and their clusters side by side: one that is slow or fails delays and stops no other. */
export async function readFleet(
  homes: readonly RingHome[],
  place: FleetPlace,
): Promise<readonly FleetHome[]> {
  const read = new Map<RingHome, FleetHome>()
  await mapConcurrent(homes, MAX_CLUSTERS, async home => {
    read.set(home, await readOne(home, place))
  })
  return homes.flatMap(home => read.get(home) ?? [])
}

async function readOne(home: RingHome, place: FleetPlace): Promise<FleetHome> {
  const {path, context} = home
  let own: FleetHome = {...home, packages: []}
  try {
    const {lock, packages} = await readHomeState(join(place.root, path))
    own = {...own, lock, packages}
    if (context === undefined) return own
    const flags = {...place.flags, context}
    return {...own, live: await readClusterState(lock, {...place, flags})}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return {...own, error}
  }
}
