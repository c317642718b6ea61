import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {ROOT} from '../solver/constraints.js'
import {type Budget, Solver} from '../solver/solver.js'
import {explainRejection} from './explain-xpkgs.js'
import type {Readable, XpkgCatalog, XpkgContent, XpkgRepository, XpkgRoot} from './xpkg-catalog.js'
import {tagsToCompare} from './compared-tags.js'
import {Evaluations, type XpkgInput, XpkgModel} from './xpkg-model.js'

/** The requested packages, and how constraints are read. */
export type XpkgRequest = Omit<XpkgInput, 'repositories'>

/** A selected package. */
export interface SelectedXpkg extends XpkgContent {
  readonly repository: string
  /** A tag or digest. */
  readonly version: string
}

export type XpkgResolution =
  | {readonly kind: 'resolved'; readonly packages: readonly SelectedXpkg[]}
  /** The diagnostics name the requirements that cannot be satisfied together. */
  | {readonly kind: 'rejected'; readonly diagnostics: readonly Diagnostic[]}

/** The maximum number of versions that are read for one resolution. */
const MAX_READ = 5_000
const CONCURRENT = 4

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
  const reader = new Reader(catalog)
  const evaluations = new Evaluations()
  for (;;) {
    await reader.readTags(request.roots)
    await reader.readDigests(request)
    const model = new XpkgModel({...request, repositories: reader.repositories}, evaluations)
    const result = new Solver(model).run(budget)
    if (result.kind === 'spent')
      throw new CrossplaneError('limit-exceeded', 'cannot resolve the packages: the search takes too long')
    if (result.kind === 'none')
      return {
        kind: 'rejected',
        diagnostics: explainRejection(model, result.nogood, reader.repositories, budget),
      }
    const selected = [...result.selected].flatMap(([node, position]) => {
      const {repository, versions} = model.node(node)
      const version = versions[position]
      return node === ROOT || version === undefined || !reader.repositories.has(repository)
        ? []
        : [{repository, version}]
    })
    const unread = selected.filter(({repository, version}) => !reader.has(repository, version))
    if (unread.length === 0)
      return {kind: 'resolved', packages: selected.map(named => reader.selected(named))}
    await reader.read(unread)
  }
}

type Named = Pick<SelectedXpkg, 'repository' | 'version'>

/** Reads tags and versions, each once. */
class Reader {
  readonly repositories = new Map<
    string,
    XpkgRepository & {
      readonly contents: Map<string, Readable<XpkgContent>>
      readonly digests: Map<string, string>
    }
  >()
  readonly #catalog: XpkgCatalog
  #count = 0

  constructor(catalog: XpkgCatalog) {
    this.#catalog = catalog
  }

  has(repository: string, version: string): boolean {
    return this.repositories.get(repository)?.contents.has(version) === true
  }

  selected({repository, version}: Named): SelectedXpkg {
    const content = this.repositories.get(repository)?.contents.get(version)
    if (content === undefined || 'reason' in content)
      throw new RangeError(`${repository}:${version} was selected and not read`)
    return {repository, version, ...content.value}
  }

  /** Lists the tags of all repositories that the roots and the packages that were read name. */
  async readTags(roots: readonly XpkgRoot[]): Promise<void> {
    const contents = [...this.repositories.values()].flatMap(read => [...read.contents.values()])
    const required = contents.flatMap(content => ('value' in content ? content.value.dependencies : []))
    const names = new Set([
      ...roots.map(({repository}) => repository),
      ...required.map(dependency => dependency.package),
    ])
    const missing = [...names].filter(name => !this.repositories.has(name))
    this.#spend(missing.length)
    const listed = await allReadable(missing, name => this.#catalog.tags(name))
    for (const [name, tags] of listed)
      this.repositories.set(name, {tags, contents: new Map(), digests: new Map()})
  }

  /** Reads the digests of tags where a package is required by digest as well as by version. */
  async readDigests({roots, rules}: Pick<XpkgRequest, 'roots' | 'rules'>): Promise<void> {
    for (const [name, tags] of tagsToCompare(this.repositories, roots, rules)) {
      const digests = this.repositories.get(name)?.digests
      const missing = tags.filter(tag => digests?.has(tag) === false)
      this.#spend(missing.length)
      const read = await allReadable(missing, tag => this.#catalog.digestOf(name, tag))
      for (const [tag, digest] of read)
        digests?.set(tag, ('value' in digest ? digest.value : undefined) ?? '')
    }
  }

  async read(versions: readonly Named[]): Promise<void> {
    this.#spend(versions.length)
    const contents = await allReadable(versions, ({repository, version}) =>
      this.#catalog.read(repository, version),
    )
    for (const [{repository, version}, content] of contents)
      this.repositories.get(repository)?.contents.set(version, content)
  }

  #spend(count: number): void {
    this.#count += count
    if (this.#count <= MAX_READ) return
    throw new CrossplaneError(
      'limit-exceeded',
      `cannot resolve the packages: more than ${MAX_READ} repositories and versions have to be read`,
    )
  }
}

/** What can be wrong with one version, so that others are tried; any other failure ends the resolution. */
const SKIPPED = [
  'not-found',
  'package-invalid',
  'source-invalid',
  'source-unsafe',
  'unsupported',
  'reference-invalid',
]

async function readable<Value>(read: () => Promise<Value>): Promise<Readable<Value>> {
  try {
    return {value: await read()}
  } catch (error) {
    if (error instanceof CrossplaneError && SKIPPED.includes(error.code)) return {reason: error.message}
    throw error
  }
}

/** Reads all items, some at a time; the result is in their order. */
async function allReadable<Item, Value>(
  items: readonly Item[],
  read: (item: Item) => Promise<Value>,
): Promise<readonly (readonly [Item, Readable<Value>])[]> {
  const results = new Map<Item, Readable<Value>>()
  await mapConcurrent(items, CONCURRENT, async item => {
    results.set(item, await readable(() => read(item)))
  })
  return items.flatMap(item => {
    const result = results.get(item)
    return result === undefined ? [] : [[item, result] as const]
  })
}
