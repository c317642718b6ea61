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
  /** Whether what the last commit has is read as well. */
  readonly readsCommits?: boolean
}

const MAX_CLUSTERS = 64

/** Reads homes and their clusters side by side: one that is slow or fails delays and stops no other. */
export async function readFleet(
  homes: readonly RingHome[],
  place: FleetPlace,
): Promise<readonly FleetHome[]> {
  const read = new Map<RingHome, FleetHome>()
  const heads: Heads | undefined = place.readsCommits === true ? new Map() : undefined
  await mapConcurrent(homes, MAX_CLUSTERS, async home => {
    read.set(home, await readOne(home, place, heads))
  })
  return homes.flatMap(home => read.get(home) ?? [])
}

type Heads = NonNullable<Parameters<typeof readHomeState>[1]>

async function readOne(home: RingHome, place: FleetPlace, heads: Heads | undefined): Promise<FleetHome> {
  const {path, context} = home
  let own: FleetHome = {...home, packages: []}
  try {
    const state = await readHomeState(join(place.root, path), heads)
    const {lock} = state
    own = {...own, ...state}
    if (context === undefined) return own
    const flags = {...place.flags, context}
    return {...own, live: await readClusterState(lock, {...place, flags})}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return {...own, error}
  }
}
