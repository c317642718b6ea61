import {grouped} from '../../index/grouped.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import type {Found} from '../../index/summaries.js'
import type {Catalog} from './catalog.js'

/**
 * Several catalogs as one. A version that an earlier one has is that one's: what a later one says of it is not heard.
 * What any of them calls withdrawn is so for all.
 */
export function joinedCatalog(catalogs: readonly Catalog[]): Catalog {
  const [only] = catalogs
  return only !== undefined && catalogs.length === 1 ? only : new Joined(catalogs)
}

class Joined implements Catalog {
  readonly #catalogs: readonly Catalog[]
  readonly #packages = new Map<string, Promise<readonly Found[]>>()
  readonly #catalogOf = new Map<PackageSummary, Catalog>()

  constructor(catalogs: readonly Catalog[]) {
    this.#catalogs = catalogs
  }

  readonly summaries = {
    ofGroup: async (group: string): Promise<Found> => {
      const founds = await this.#ask(({summaries}) => summaries.ofGroup(group))
      // An earlier catalog may have a version of which it does not say that it owns anything here.
      const identities = [
        ...grouped(
          founds.slice(1).flatMap(({summaries}) => summaries),
          identityOf,
        ).keys(),
      ]
      const known = await Promise.all(identities.map(identity => this.#ofPackage(identity)))
      return this.#merged(founds, position =>
        known.flatMap(each => each.slice(0, position).flatMap(({summaries}) => summaries)),
      )
    },
    ofPackage: async (identity: string): Promise<Found> => {
      const founds = await this.#ofPackage(identity)
      return this.#merged(founds, position => founds.slice(0, position).flatMap(({summaries}) => summaries))
    },
  }

  async tagsOf(...[name]: Parameters<Catalog['tagsOf']>): Promise<readonly string[]> {
    return [...new Set((await this.#ask(catalog => catalog.tagsOf(name))).flat())]
  }

  async yankedOf(identity: string): ReturnType<Catalog['yankedOf']> {
    return (await this.#ask(catalog => catalog.yankedOf(identity))).flat()
  }

  async open(summary: PackageSummary): ReturnType<Catalog['open']> {
    const catalog = this.#catalogOf.get(summary)
    if (catalog === undefined) throw new RangeError(`${formatSummary(summary)} is of another catalog`)
    return await catalog.open(summary)
  }

  #ask<Answer>(question: (catalog: Catalog) => Promise<Answer>): Promise<Answer[]> {
    return Promise.all(this.#catalogs.map(question))
  }

  #ofPackage(identity: string): Promise<readonly Found[]> {
    const known = this.#packages.get(identity) ?? this.#ask(({summaries}) => summaries.ofPackage(identity))
    this.#packages.set(identity, known)
    return known
  }

  /** @param before - what the catalogs before a position have. */
  #merged(founds: readonly Found[], before: (position: number) => readonly PackageSummary[]): Found {
    const summaries = founds.flatMap((found, position) => {
      const earlier = new Set(position === 0 ? [] : before(position).map(formatSummary))
      const own = found.summaries.filter(summary => !earlier.has(formatSummary(summary)))
      const catalog = this.#catalogs[position]
      if (catalog !== undefined) for (const summary of own) this.#catalogOf.set(summary, catalog)
      return own
    })
    return {
      summaries,
      unreadable: founds.flatMap(({unreadable}) => unreadable),
      yanked: founds.flatMap(({yanked}) => yanked),
    }
  }
}

function identityOf({identity}: PackageSummary): string {
  return identity
}
