import {isDigest} from '../../reference/image-name.js'
import {type ConstraintRules} from '../../xpkg/constraints/constraint-rules.js'
import {readConstraint, satisfies} from '../../xpkg/constraints/constraint.js'
import {candidateVersion, comparePrecedence, readVersion} from '../../xpkg/constraints/version.js'
import {compareText} from '../../reference/compare-text.js'
import {type Constraints, type Demand, type Edge, ROOT, type SolverNode} from '../solver/constraints.js'
import type {XpkgDependency} from '../../xpkg/content/xpkg.js'
import type {XpkgContent, XpkgRepository, XpkgRoot} from './xpkg-catalog.js'

/** The input of the solver: what is requested, and what was read so far. */
export interface XpkgInput {
  readonly roots: readonly XpkgRoot[]
  readonly repositories: ReadonlyMap<string, XpkgRepository>
  /** The rules by which constraints are read; a version has to satisfy them under all. */
  readonly rules: readonly ConstraintRules[]
  /** The version of Crossplane; without one, constraints on it are not checked. */
  readonly coreVersion?: string
  /** The version of each repository to try first. */
  readonly preferred?: ReadonlyMap<string, string>
}

/** A package as the solver sees it: its versions, in the order in which they are tried. */
export interface XpkgNode extends SolverNode {
  readonly repository: string
  readonly versions: readonly string[]
}

/** What the models of one resolution evaluate once: it depends on texts only. */
export class Evaluations {
  /** Whether a version satisfies a constraint, by both texts. */
  readonly answers = new Map<string, boolean>()
  /** The candidates among tags, newest first. */
  readonly candidates = new Map<readonly string[], readonly string[]>()
}

/** The name of the node for Crossplane itself, which is no repository. */
const CORE = 'Crossplane'

/**
 * Evaluates packages to numbers and bits, on demand. A version that was not read yet has no requirements, so that a
 * selection of versions that were all read is a resolution, and no selection means that there is none.
 */
export class XpkgModel implements Constraints {
  readonly #input: XpkgInput
  readonly #nodes: XpkgNode[] = [{index: ROOT, count: 1, all: 1n, repository: '', versions: ['']}]
  readonly #indexes = new Map<string, number>()
  readonly #demands = new Map<string, readonly Demand[]>()
  readonly #otherKinds = new Map<Demand, string>()

  readonly #answers: Evaluations['answers']
  readonly #sorted: Evaluations['candidates']

  constructor(input: XpkgInput, {answers, candidates} = new Evaluations()) {
    this.#input = input
    this.#answers = answers
    this.#sorted = candidates
  }

  get coreVersion(): string | undefined {
    return this.#input.coreVersion
  }

  node(index: number): XpkgNode {
    const node = this.#nodes[index]
    if (node === undefined) throw new RangeError(`there is no node ${index}`)
    return node
  }

  /** Reports whether all rules read a constraint, or it is a digest. */
  isConstraint(text: string): boolean {
    return isDigest(text) || this.#input.rules.every(rules => readConstraint(text, rules) !== undefined)
  }

  /** The first version that the constraint of a demand accepts, and that is of another kind, in words. */
  otherKind(demand: Demand): string | undefined {
    return this.#otherKinds.get(demand)
  }

  isPackage(): boolean {
    return true
  }

  rivals(): readonly number[] {
    return []
  }

  conflicting(): bigint {
    return 0n
  }

  partOf(): undefined {
    return undefined
  }

  /** Returns the requirements of a version, in the order of its metadata; of the user, the roots. */
  demands(node: number, position: number): readonly Demand[] {
    const key = `${node} ${position}`
    const cached = this.#demands.get(key)
    if (cached !== undefined) return cached
    const demands = node === ROOT ? this.#rootDemands() : this.#versionDemands(node, position)
    this.#demands.set(key, demands)
    return demands
  }

  #rootDemands(): readonly Demand[] {
    return this.#input.roots.map(({repository, version, constraint}) => {
      const accepts =
        version === undefined
          ? (candidate: string) => this.#accepts(repository, constraint ?? '*', candidate)
          : (candidate: string) => this.#isRequested(repository, version, candidate)
      return this.#demand(repository, version ?? constraint ?? '', accepts)
    })
  }

  /** A digest or a tag such as `latest` is also satisfied by a version with the same bytes. */
  #isRequested(repository: string, requested: string, candidate: string): boolean {
    if (candidate === requested) return true
    const isVersion = this.#input.rules.every(rules => candidateVersion(requested, rules) !== undefined)
    const digest = this.#digestOf(repository, requested)
    return !isVersion && digest !== undefined && digest === this.#digestOf(repository, candidate)
  }

  #versionDemands(node: number, position: number): readonly Demand[] {
    const {repository, versions} = this.node(node)
    const content = this.#contentOf(repository, versions[position] ?? '')
    if (content === undefined) return []
    const demands = content.dependencies.map(dependency => this.#dependencyDemand(dependency))
    return [...demands, ...this.#coreDemands(content)]
  }

  #dependencyDemand({kind, package: name, version}: XpkgDependency): Demand {
    let other: string | undefined
    const demand = this.#demand(name, version, candidate => {
      if (!this.#accepts(name, version, candidate)) return false
      const actual = this.#contentOf(name, candidate)?.kind
      if (actual === undefined || actual === kind) return true
      other ??= `${candidate} is a ${actual}, not a ${kind}`
      return false
    })
    if (other !== undefined) this.#otherKinds.set(demand, other)
    return demand
  }

  #coreDemands({crossplane}: XpkgContent): readonly Demand[] {
    if (crossplane === undefined || this.#input.coreVersion === undefined) return []
    return [this.#demand(CORE, crossplane, candidate => this.#accepts(CORE, crossplane, candidate))]
  }

  #demand(repository: string, constraint: string, accepts: (version: string) => boolean): Demand {
    const to = this.#indexOf(repository)
    const {versions} = this.node(to)
    let allowed = 0n
    for (const [position, version] of versions.entries())
      if (this.#isReadable(repository, version) && accepts(version)) allowed |= 1n << BigInt(position)
    const outcome: Edge = {kind: 'edge', to, because: 'root', allowed, relaxed: allowed}
    return {requirement: {form: 'package', text: constraint, identity: repository}, outcome}
  }

  /** A digest is satisfied by a version with that digest, which the core accepts only where it does not resolve. */
  #accepts(repository: string, constraint: string, candidate: string): boolean {
    if (isDigest(constraint)) return constraint === this.#digestOf(repository, candidate)
    if (isDigest(candidate)) return false
    const key = `${constraint} ${candidate}`
    const cached = this.#answers.get(key)
    if (cached !== undefined) return cached
    const isAccepted = this.#input.rules.every(rules => {
      const version = readVersion(candidate, rules)
      const read = readConstraint(constraint, rules)
      return version !== undefined && read !== undefined && satisfies(read, version)
    })
    this.#answers.set(key, isAccepted)
    return isAccepted
  }

  #contentOf(repository: string, version: string): XpkgContent | undefined {
    const content = this.#input.repositories.get(repository)?.contents.get(version)
    return content !== undefined && 'value' in content ? content.value : undefined
  }

  #digestOf(repository: string, version: string): string | undefined {
    if (isDigest(version)) return version
    const read = this.#input.repositories.get(repository)
    // A tag without a digest is recorded as empty text.
    return this.#contentOf(repository, version)?.digest ?? (read?.digests.get(version) || undefined)
  }

  #isReadable(repository: string, version: string): boolean {
    const content = this.#input.repositories.get(repository)?.contents.get(version)
    return content === undefined || 'value' in content
  }

  #indexOf(repository: string): number {
    const cached = this.#indexes.get(repository)
    if (cached !== undefined) return cached
    const index = this.#nodes.length
    const versions = this.#versionsOf(repository)
    const count = versions.length
    this.#nodes.push({index, count, all: (1n << BigInt(count)) - 1n, repository, versions})
    this.#indexes.set(repository, index)
    return index
  }

  /** The preferred one and the newest first; then what only the user or a digest can name. */
  #versionsOf(repository: string): readonly string[] {
    if (repository === CORE) return [this.#input.coreVersion ?? '']
    const read = this.#input.repositories.get(repository)
    const tags = read !== undefined && 'value' in read.tags ? read.tags.value : []
    const versions = new Set([...this.#candidates(tags), ...this.#namedVersions(repository)])
    const preferred = this.#input.preferred?.get(repository)
    return [
      ...new Set([...(preferred !== undefined && versions.has(preferred) ? [preferred] : []), ...versions]),
    ]
  }

  #candidates(tags: readonly string[]): readonly string[] {
    const cached = this.#sorted.get(tags)
    if (cached !== undefined) return cached
    const candidates = tags
      .filter(tag => this.#input.rules.every(rules => candidateVersion(tag, rules)))
      .sort(newestFirst)
    this.#sorted.set(tags, candidates)
    return candidates
  }

  #namedVersions(repository: string): readonly string[] {
    const requested = this.#input.roots.filter(root => root.repository === repository)
    const contents = [...this.#input.repositories.values()].flatMap(read => [...read.contents.values()])
    const required = contents.flatMap(content => ('value' in content ? content.value.dependencies : []))
    return [
      ...requested.flatMap(({version}) => version ?? []),
      ...required
        .filter(dependency => dependency.package === repository)
        .map(({version}) => version)
        .filter(isDigest),
    ]
  }
}

function newestFirst(a: string, b: string): number {
  const [first, second] = [readVersion(a, 'v1'), readVersion(b, 'v1')]
  if (first === undefined || second === undefined) return 0
  return comparePrecedence(second, first) || compareText(a, b)
}
