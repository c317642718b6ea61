import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {Nogood} from '../solver/nogood.js'
import {type Budget, type SearchResult, Solver} from '../solver/solver.js'
import {explainRejection, type Narrowings} from './explain-xpkgs.js'
import {type PassedOver, passedOver, type Repositories} from './passed-over-xpkgs.js'
import type {NamedXpkg, XpkgCatalog, XpkgContent} from './xpkg-catalog.js'
import {XpkgModel, type XpkgRequest} from './xpkg-model.js'
import {XpkgReader} from './xpkg-reader.js'
import {VersionTable} from './version-table.js'

/** A selected package. */
export type SelectedXpkg = NamedXpkg & XpkgContent

export type XpkgResolution =
  | {
      readonly kind: 'resolved'
      readonly packages: readonly SelectedXpkg[]
      /** Versions that could not be read, for which others were selected. */
      readonly passedOver: readonly PassedOver[]
    }
  | RejectedXpkgs

/** The diagnostics name the requirements that cannot be satisfied together. */
export interface RejectedXpkgs {
  readonly kind: 'rejected'
  readonly diagnostics: readonly Diagnostic[]
  /** The errors of packages that may not be read, or not here. */
  readonly blocked: readonly CrossplaneError[]
  /** The repositories that have no tags, or cannot be read. */
  readonly missing: ReadonlySet<string>
}

/**
 * Selects one version of each package so that all requirements hold: the newest ones, breadth-first from the roots.
 * Only versions that are about to be selected are read. Throws `limit-exceeded` when the search or the number of
 * packages is too large.
 */
export async function resolveXpkgs(
  request: XpkgRequest,
  catalog: XpkgCatalog,
  budget: Budget,
): Promise<XpkgResolution> {
  const reader = new XpkgReader(catalog, request.roots)
  const table = new VersionTable(request.rules)
  const newSearch = () => new Search(new XpkgModel({...request, repositories: reader.repositories}, table))
  await reader.readTags()
  await reader.readDigests(request)
  for (let search = newSearch(); ;) {
    const result = search.run(budget)
    if (result.kind === 'none') {
      const proof = search.isContinued ? proofOf(newSearch(), budget) : {model: search.model, ...result}
      const {repositories} = reader
      const narrowings = await narrowingsOf(repositories, catalog)
      const diagnostics = explainRejection(proof.model, proof.nogood, repositories, budget, narrowings)
      return {kind: 'rejected', diagnostics, blocked: reader.blocked(), missing: missingIn(repositories)}
    }
    const selected = search.selected(result.selected)
    const unread = selected.filter(named => !reader.has(named))
    if (unread.length === 0) {
      // What may not be read could be a version to select.
      const [first] = reader.blocked()
      if (first !== undefined) throw first
      const packages = selected.map(named => reader.selected(named))
      return {kind: 'resolved', packages, passedOver: passedOver(packages, reader.repositories)}
    }
    const isBlocked = await reader.read(unread)
    await reader.readTags()
    const isComparing = await reader.readDigests(request)
    if (isBlocked || isComparing || !search.canContinue(unread)) search = newSearch()
  }
}

async function narrowingsOf(repositories: Repositories, catalog: XpkgCatalog): Promise<Narrowings> {
  const narrowings = new Map<string, readonly string[]>()
  for (const repository of repositories.keys())
    narrowings.set(repository, (await catalog.narrowings?.(repository)) ?? [])
  return repository => narrowings.get(repository) ?? []
}

function missingIn(repositories: Repositories): ReadonlySet<string> {
  const missing = [...repositories].filter(([, {tags}]) => 'reason' in tags || tags.value.length === 0)
  return new Set(missing.map(([repository]) => repository))
}

/** The proof of a search that knows everything from its start: it names the fewest versions. */
function proofOf(search: Search, budget: Budget): {readonly model: XpkgModel; readonly nogood: Nogood} {
  const result = search.run(budget)
  if (result.kind !== 'none') throw new RangeError('what has no resolution cannot have one in another order')
  return {model: search.model, nogood: result.nogood}
}

/** A search that continues after versions were read, without a repetition of the choices before them. */
class Search {
  readonly model: XpkgModel
  isContinued = false
  readonly #solver: Solver

  constructor(model: XpkgModel) {
    this.model = model
    this.#solver = new Solver(model)
  }

  run(budget: Budget): Exclude<SearchResult, {readonly kind: 'spent'}> {
    const result = this.#solver.run(budget)
    if (result.kind !== 'spent') return result
    throw new CrossplaneError('limit-exceeded', 'cannot resolve the packages: the search takes too long')
  }

  selected(selected: ReadonlyMap<number, number>): readonly NamedXpkg[] {
    return [...selected].flatMap(([node, position]) => this.model.named(node, position))
  }

  /** Takes back the choices from the first version that was read on; false if more than its requirements is new. */
  canContinue(read: readonly NamedXpkg[]): boolean {
    if (!read.every(named => this.model.isExtendedBy(named))) return false
    this.isContinued = true
    this.#solver.reconsider(read.map(({repository}) => this.model.indexOf(repository)))
    return true
  }
}
