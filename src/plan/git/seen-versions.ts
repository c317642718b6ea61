import {isNewer, isStable} from '../../reference/newest-version.js'
import {asObject, asText, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'

/** When versions were first seen, in milliseconds since the epoch, by home, repository and tag. */
type SeenVersions = Readonly<Record<string, Readonly<Record<string, number>>>>

/**
 * Reads what was written before; anything else counts for nothing. A user who can push can forge it: with an earlier time, a version is
 * old enough at once, and with a later one or none it waits as if it were new.
 */
function readSeen(text: string): SeenVersions {
  try {
    const homes = Object.entries(asObject(JSON.parse(text) as JsonValue))
    return Object.fromEntries(homes.map(([home, versions]) => [home, timesIn(versions)]))
  } catch {
    return {}
  }
}

function timesIn(versions: JsonValue): Readonly<Record<string, number>> {
  const entries = Object.entries(asObject(versions)).map(
    ([name, time]) => [name, Date.parse(asText(time))] as const,
  )
  return Object.fromEntries(entries.filter(([, time]) => !Number.isNaN(time)))
}

function textsOf(versions: Readonly<Record<string, number>>): JsonObject {
  return Object.fromEntries(
    Object.entries(versions).map(([name, time]) => [name, new Date(time).toISOString()]),
  )
}

/** Of packages that a run has not asked about, versions are remembered as long. */
const REMEMBERED = 365 * 24 * 60 * 60 * 1000

/** The versions that one home has seen for one target branch, by the start of the names of its update branches. */
export class SeenByHome {
  readonly #all: SeenVersions
  readonly #home: string
  readonly #now: number
  readonly #seen = new Map<string, number>()
  readonly #asked = new Set<string>()

  /** @param home - the start of the names of its branches. */
  constructor(text: string, home: string, now: number) {
    this.#all = readSeen(text)
    this.#home = home
    this.#now = now
  }

  /** How many versions this run has seen. */
  get size(): number {
    return this.#seen.size
  }

  /**
   * Returns how long a newer version than the locked one, or any of a package that is not locked, is known, in milliseconds; a time in
   * the future is none.
   */
  age(repository: string, tag: string, locked: string | undefined): number {
    this.#asked.add(repository)
    if (!isStable(tag) || (locked !== undefined && !isNewer(tag, locked))) return Infinity
    const key = `${repository}:${tag}`
    const former = this.#all[this.#home]?.[key] ?? this.#now
    const first = Math.min(former, this.#now)
    this.#seen.set(key, first)
    return this.#now - first
  }

  /** Returns the versions that this run has seen, with the times that another state has. */
  after(others: SeenByHome): SeenByHome {
    for (const repository of this.#asked) others.#asked.add(repository)
    for (const [key, first] of this.#seen)
      others.#seen.set(key, Math.min(first, others.#all[others.#home]?.[key] ?? first))
    return others
  }

  /** Returns the text to write; undefined if it is as it was. Versions that are locked by now are left out. */
  text(before: string): string | undefined {
    // Which packages a run has asked about depends on its groups: what a version newly requires is only known once it is resolved.
    const rest = Object.entries(this.#all[this.#home] ?? {}).filter(
      ([key, time]) => !this.#asked.has(key.slice(0, key.lastIndexOf(':'))) && this.#now - time < REMEMBERED,
    )
    const homes = {...this.#all, [this.#home]: Object.fromEntries([...rest, ...this.#seen])}
    const times = Object.entries(homes).map(([home, versions]) => [home, textsOf(versions)] as const)
    const text = writeJson(Object.fromEntries(times))
    return text === before ? undefined : text
  }
}
