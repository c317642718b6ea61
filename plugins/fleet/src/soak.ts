import {formatAge, timeText} from 'kubectl-crossplane/plugin'
import {type FleetHome, type FleetRow, fleetRows} from './fleet-rows.js'

/** A home whose packages are not to be promoted yet. */
export interface WaitingHome {
  readonly path: string
  readonly reason: string
}

/** Returns the homes of a ring that are not ready, each with its first reason. @param now - in milliseconds since the epoch. */
export function waitingHomes(
  ring: readonly FleetHome[],
  soakMs: number,
  now: number,
): readonly WaitingHome[] {
  return ring.flatMap(home => {
    const reason = reasonOf(home, soakMs, now) ?? disagreement(home, ring)
    return reason === undefined ? [] : [{path: home.path, reason}]
  })
}

/** Reports whether a package of a home is not healthy in its cluster, or the cluster cannot be read. */
export function isUnhealthy(home: FleetHome): boolean {
  return home.error !== undefined || fleetRows([home]).some(({state = 'healthy'}) => state !== 'healthy')
}

function reasonOf(home: FleetHome, soakMs: number, now: number): string | undefined {
  if (home.error !== undefined) return home.error.message
  if (home.live === undefined) return 'the rings name no context of its cluster'
  const rows = fleetRows([home])
  if (rows.length === 0) return 'it has no packages'
  const waiting = rows.find(({waits}) => waits !== undefined)
  if (waiting !== undefined) return `${waiting.package}: ${waiting.waits ?? ''}`
  const unknown = rows.find(({since}) => since === undefined)
  if (unknown !== undefined) return `${unknown.package}: its conditions do not say since when it is healthy`
  return youngest(rows, soakMs, now)
}

/** The age of the set is that of its youngest package. */
function youngest(rows: readonly FleetRow[], soakMs: number, now: number): string | undefined {
  const [last] = [...rows].sort((one, other) => (other.since ?? 0) - (one.since ?? 0))
  if (last?.since === undefined || last.since + soakMs <= now) return undefined
  const age = formatAge(now - last.since)
  return `${last.package} has been healthy for ${age}; ready at ${timeText(last.since + soakMs)}`
}

/** Homes of one ring with different packages or versions: none of the sets was tried in all of them. */
function disagreement(home: FleetHome, ring: readonly FleetHome[]): string | undefined {
  const others = ring.filter(other => other.path !== home.path && other.error === undefined)
  return others.flatMap(other => differences(home, other))[0]
}

function differences({packages}: FleetHome, {path, packages: theirs}: FleetHome): readonly string[] {
  return packages.flatMap(({package: name, locked = '', digest}) => {
    const other = theirs.find(one => one.package === name)
    if (other === undefined) return [`it has ${name} ${locked}, which ${path} does not have`]
    if (other.locked !== locked)
      return [`it has ${name} ${locked}, and ${path} has ${other.locked ?? 'none'}`]
    if (other.digest === digest) return []
    return [`it has ${name} ${locked}, and ${path} has ${locked} with another digest`]
  })
}
