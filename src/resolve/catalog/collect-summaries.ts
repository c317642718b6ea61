import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import type {Found, Summaries, UnreadablePackage, YankedVersion} from '../../index/summaries.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {type Fact, factFor, type FactTable, factTable} from '../facts.js'
import {type Identify, type Requirement, requirementOf} from '../requirement.js'

/** Lookups at a time: an index can list thousands of packages for a group. */
const MAX_LOOKUPS = 16

const NOTHING: Found = {summaries: [], unreadable: [], yanked: []}

/** Versions that can be selected. */
export interface Collected {
  readonly summaries: readonly PackageSummary[]
  readonly unreadable: readonly UnreadablePackage[]
  readonly yanked: readonly YankedVersion[]
}

/**
 * Collects all versions of the packages that requirements lead to: those that own CRDs of their groups, what these
 * require, and so on. CRDs that exist are not looked up. `readSummaries` replace the entries for their versions.
 */
export async function collectSummaries(
  requirements: readonly Requirement[],
  readSummaries: readonly PackageSummary[],
  facts: readonly Fact[],
  identify: Identify,
  from: Summaries,
): Promise<Collected> {
  const table = factTable(facts)
  const collection = new Collection(readSummaries)
  const requirementsOf = ({dependsOn}: PackageSummary) =>
    dependsOn.map(dependency => requirementOf(dependency, identify))
  const requested = new Set<string>()
  let open = [...requirements, ...readSummaries.flatMap(requirementsOf)]
  while (open.length > 0) {
    const lookups = open
      .flatMap(requirement => lookupFor(requirement, table, from))
      .filter(({key}) => isNew(key, requested))
    const founds = new Map<Lookup, Found>()
    await mapConcurrent(lookups, MAX_LOOKUPS, async lookup => {
      founds.set(lookup, await lookup.look())
    })
    const fresh = lookups.flatMap(lookup => collection.add(founds.get(lookup) ?? NOTHING))
    open = fresh.flatMap(summary => [wholePackage(summary), ...requirementsOf(summary)])
  }
  return collection
}

interface Lookup {
  readonly key: string
  readonly look: () => Promise<Found>
}

function lookupFor(requirement: Requirement, facts: FactTable, from: Summaries): Lookup[] {
  if (requirement.form === 'package') {
    const {identity} = requirement
    return [{key: `package ${identity}`, look: () => from.ofPackage(identity)}]
  }
  if (factFor(requirement, facts) !== undefined) return []
  const {group} = requirement
  return [{key: `group ${group}`, look: () => from.ofGroup(group)}]
}

function isNew<Key>(key: Key, seen: Set<Key>): boolean {
  return !seen.has(key) && seen.add(key).has(key)
}

/** A requirement for all versions of a package. */
function wholePackage({identity}: PackageSummary): Requirement {
  return {form: 'package', text: '', identity}
}

class Collection implements Collected {
  readonly summaries: PackageSummary[]
  readonly unreadable: UnreadablePackage[] = []
  readonly yanked: YankedVersion[] = []
  readonly #readVersions: ReadonlySet<string>
  readonly #seen = new Set<PackageSummary | YankedVersion | string>()

  constructor(readSummaries: readonly PackageSummary[]) {
    this.summaries = [...readSummaries]
    this.#readVersions = new Set(readSummaries.map(formatSummary))
  }

  /** Adds what is new and returns it. Lists can be too long for spread arguments, and can repeat at each lookup. */
  add({summaries, unreadable, yanked}: Found): PackageSummary[] {
    for (const version of yanked) if (this.#isNew(version)) this.yanked.push(version)
    const fresh = summaries.filter(
      summary => !this.#readVersions.has(formatSummary(summary)) && this.#isNew(summary),
    )
    for (const summary of fresh) this.summaries.push(summary)
    for (const unreadablePackage of unreadable) {
      const name = formatSummary(unreadablePackage)
      if (!this.#readVersions.has(name) && this.#isNew(name)) this.unreadable.push(unreadablePackage)
    }
    return fresh
  }

  #isNew(item: PackageSummary | YankedVersion | string): boolean {
    return isNew(item, this.#seen)
  }
}
