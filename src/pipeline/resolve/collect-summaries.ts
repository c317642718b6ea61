import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import type {Found, Summaries, UnreadablePackage, YankedVersion} from '../../index/summaries.js'
import {type Fact, factFor, type FactTable, factTable} from '../../resolve/facts.js'
import {type Identify, type Requirement, requirementOf} from '../../resolve/requirement.js'

/** What may become part of an answer. */
export interface Collected {
  readonly summaries: readonly PackageSummary[]
  readonly unreadable: readonly UnreadablePackage[]
  readonly yanked: readonly YankedVersion[]
}

/**
 * Everything that needs lead to, in any version: the packages of their groups, what these need, and so on. What is
 * there already is not asked about. `given` are packages that are at hand, and take the place of their like.
 */
export async function collectSummaries(
  needs: readonly Requirement[],
  given: readonly PackageSummary[],
  facts: readonly Fact[],
  identify: Identify,
  from: Summaries,
): Promise<Collected> {
  const table = factTable(facts)
  const collection = new Collection(given)
  const needsOf = ({dependsOn}: PackageSummary) => dependsOn.map(each => requirementOf(each, identify))
  const asked = new Set<string>()
  let open = [...needs, ...given.flatMap(needsOf)]
  while (open.length > 0) {
    const lookups = open.flatMap(need => lookupFor(need, table, from)).filter(({key}) => isNew(key, asked))
    const founds = await Promise.all(lookups.map(({look}) => look()))
    const fresh = founds.flatMap(found => collection.add(found))
    open = fresh.flatMap(summary => [wholePackage(summary), ...needsOf(summary)])
  }
  return collection
}

interface Lookup {
  readonly key: string
  readonly look: () => Promise<Found>
}

function lookupFor(need: Requirement, facts: FactTable, from: Summaries): Lookup[] {
  if (need.form === 'package') {
    const {identity} = need
    return [{key: `package ${identity}`, look: () => from.ofPackage(identity)}]
  }
  if (factFor(need, facts) !== undefined) return []
  const {group} = need
  return [{key: `group ${group}`, look: () => from.ofGroup(group)}]
}

function isNew(key: string, asked: Set<string>): boolean {
  return !asked.has(key) && asked.add(key).has(key)
}

/** The other versions of a package that came into sight. */
function wholePackage({identity}: PackageSummary): Requirement {
  return {form: 'package', text: '', identity}
}

class Collection implements Collected {
  readonly summaries: PackageSummary[]
  readonly unreadable: UnreadablePackage[] = []
  readonly yanked: YankedVersion[] = []
  readonly #given: ReadonlySet<string>
  readonly #seen = new Set<PackageSummary | string>()

  constructor(given: readonly PackageSummary[]) {
    this.summaries = [...given]
    this.#given = new Set(given.map(formatSummary))
  }

  /** Those that are new. */
  add({summaries, unreadable, yanked}: Found): PackageSummary[] {
    this.yanked.push(...yanked)
    const fresh = summaries.filter(each => !this.#seen.has(each) && !this.#given.has(formatSummary(each)))
    for (const summary of fresh) this.#seen.add(summary)
    this.summaries.push(...fresh)
    for (const each of unreadable) {
      const name = formatSummary(each)
      if (this.#seen.has(name) || this.#given.has(name)) continue
      this.#seen.add(name)
      this.unreadable.push(each)
    }
    return fresh
  }
}
