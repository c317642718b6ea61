import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import type {Found, Summaries, UnreadablePackage} from '../../index/summaries.js'
import {type Fact, factFor, factTable} from '../../resolve/facts.js'
import {type Identify, type Requirement, requirementOf} from '../../resolve/requirement.js'

/** What may become part of an answer. */
export interface Collected {
  readonly summaries: readonly PackageSummary[]
  readonly unreadable: readonly UnreadablePackage[]
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
  const open: Requirement[] = [...needs]
  const asked = new Set<string>()
  const ask = async (key: string, look: () => Promise<Found>) => {
    if (asked.has(key)) return
    asked.add(key)
    const found = await look()
    for (const summary of collection.add(found)) {
      open.push({form: 'package', text: '', identity: summary.identity})
      open.push(...summary.dependsOn.map(dependency => requirementOf(dependency, identify)))
    }
  }
  open.push(...given.flatMap(({dependsOn}) => dependsOn.map(each => requirementOf(each, identify))))
  for (let need = open.pop(); need !== undefined; need = open.pop()) {
    if (need.form === 'package') {
      const {identity} = need
      await ask(`package ${identity}`, () => from.ofPackage(identity))
    } else if (factFor(need, table) === undefined) {
      const {group} = need
      await ask(`group ${group}`, () => from.ofGroup(group))
    }
  }
  return collection
}

class Collection implements Collected {
  readonly summaries: PackageSummary[]
  readonly unreadable: UnreadablePackage[] = []
  readonly #given: ReadonlySet<string>
  readonly #seen = new Set<PackageSummary | string>()

  constructor(given: readonly PackageSummary[]) {
    this.summaries = [...given]
    this.#given = new Set(given.map(formatSummary))
  }

  /** Those that are new. */
  add({summaries, unreadable}: Found): PackageSummary[] {
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
