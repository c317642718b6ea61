import {isDigest} from '../../reference/image-name.js'
import type {ConstraintRules} from '../../xpkg/constraints/constraint-rules.js'
import type {XpkgDependency} from '../../xpkg/content/xpkg.js'
import {type Constraints, type Demand, ROOT, type SolverNode} from '../solver/constraints.js'
import {firstPosition} from '../solver/nogood.js'
import {bitsOf, type VersionList, type VersionTable} from './version-table.js'
import type {NamedXpkg, Readable, XpkgContent, XpkgRepository, XpkgRoot} from './xpkg-catalog.js'

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

/** The requested packages, and how constraints are read. */
export type XpkgRequest = Omit<XpkgInput, 'repositories'>

/** A package as the solver sees it: its versions, in the order in which they are tried. */
export interface XpkgNode extends SolverNode {
  readonly repository: string
  readonly versions: readonly string[]
  readonly list: VersionList
  /** Whether it has versions that are no releases of it: requirements of these compare digests. */
  readonly isCompared: boolean
}

/** The name of the node for Crossplane itself, which is no repository. */
export const CORE = 'Crossplane'

const NOTHING: VersionList = {versions: [''], positions: new Map()}
const USER: XpkgNode = {
  ...{index: ROOT, count: 1, all: 1n, repository: ''},
  ...{versions: NOTHING.versions, list: NOTHING, isCompared: false},
}

/** What stands for all requirements of a version that cannot be read: it cannot be selected. */
const UNREADABLE: readonly Demand[] = [
  {
    requirement: {form: 'package', text: '', identity: ''},
    outcome: {kind: 'impossible', ownership: {kind: 'no-owner'}},
  },
]

/**
 * Evaluates packages to numbers and bits, on demand. A version that was not read yet has no requirements, so that a
 * selection of versions that were all read is a resolution, and no selection means that there is none.
 */
export class XpkgModel implements Constraints {
  readonly #input: XpkgInput
  readonly #table: VersionTable
  readonly #nodes: XpkgNode[] = [USER]
  readonly #indexes = new Map<string, number>()
  /** By node and position. */
  readonly #demands: (readonly Demand[])[][] = []
  readonly #otherKinds = new Map<Demand, string>()
  readonly #reasons = new Map<Demand, string>()
  /** The kinds as which each package is required. */
  readonly #kinds = new Map<string, Set<string>>()

  constructor(input: XpkgInput, table: VersionTable) {
    this.#input = input
    this.#table = table
  }

  get coreVersion(): string | undefined {
    return this.#input.coreVersion
  }

  node(index: number): XpkgNode {
    const node = this.#nodes[index]
    if (node === undefined) throw new RangeError(`there is no node ${index}`)
    return node
  }

  /** The name of a version; none for the user and Crossplane itself. */
  named(index: number, position: number): readonly NamedXpkg[] {
    const {repository, versions} = this.node(index)
    const version = versions[position]
    return version === undefined || !this.#input.repositories.has(repository) ? [] : [{repository, version}]
  }

  /** Reports whether all rules read a constraint, or it is a digest. */
  isConstraint(text: string): boolean {
    return isDigest(text) || this.#table.isConstraint(text)
  }

  /** Why a package is a root: `was requested`, unless the root states another reason. */
  reasonOf(demand: Demand): string {
    return this.#reasons.get(demand) ?? 'was requested'
  }

  /** The versions of a package that a constraint without a prerelease rejects because they are prereleases. */
  prereleases(repository: string, constraint: string): readonly string[] {
    const versions = this.#indexes.has(repository) ? this.node(this.indexOf(repository)).versions : []
    return versions.filter(version => this.#table.isOnlyPrerelease(version, constraint))
  }

  /** The versions of a package that the user requests. */
  requested(repository: string): readonly string[] {
    return this.#input.roots.flatMap(root => (root.repository === repository ? (root.version ?? []) : []))
  }

  /** The first version that the constraint of a demand accepts, and that is of another kind, in words. */
  otherKind(demand: Demand): string | undefined {
    return this.#otherKinds.get(demand)
  }

  /**
   * Reports whether a version that was read since has only requirements that are new: it changes neither the versions
   * of another package nor what was evaluated of them.
   */
  isExtendedBy({repository, version}: NamedXpkg): boolean {
    const content = this.#contentOf(repository, version)
    if (content === undefined) return true
    if (this.node(this.indexOf(repository)).isCompared) return false
    const isRequired = [...(this.#kinds.get(repository) ?? [])].every(kind => kind === content.kind)
    return isRequired && !content.dependencies.some(other => this.#adds(other))
  }

  #adds({package: name, version}: XpkgDependency): boolean {
    return isDigest(version) && this.#indexes.has(name)
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
    const cached = this.#demands[node]?.[position]
    if (cached !== undefined) return cached
    const demands = node === ROOT ? this.#rootDemands() : this.#versionDemands(node, position)
    // They stay unknown until the version is read.
    if (demands === undefined) return []
    const own = (this.#demands[node] ??= [])
    own[position] = demands
    return demands
  }

  #rootDemands(): readonly Demand[] {
    return this.#input.roots.map(({repository, version, constraint, because}) => {
      const node = this.node(this.indexOf(repository))
      const allowed =
        version === undefined
          ? this.#accepted(node, constraint ?? '*')
          : bitsOf(node.versions, candidate => this.#isRequested(repository, version, candidate))
      const demand = this.#demand(node, version ?? constraint ?? '', allowed)
      if (because !== undefined) this.#reasons.set(demand, because)
      return demand
    })
  }

  /** A digest or a tag such as `latest` is also satisfied by a version with the same bytes. */
  #isRequested(repository: string, requested: string, candidate: string): boolean {
    if (candidate === requested) return true
    const digest = this.#digestOf(repository, requested)
    return (
      !this.#table.isVersion(requested) &&
      digest !== undefined &&
      digest === this.#digestOf(repository, candidate)
    )
  }

  #versionDemands(node: number, position: number): readonly Demand[] | undefined {
    const {repository, versions} = this.node(node)
    const read = this.#input.repositories.get(repository)?.contents.get(versions[position] ?? '')
    if (read === undefined) return undefined
    if ('reason' in read) return UNREADABLE
    const demands = read.value.dependencies.map(dependency => this.#dependencyDemand(dependency))
    return [...demands, ...this.#coreDemands(read.value)]
  }

  #dependencyDemand({kind, package: name, version}: XpkgDependency): Demand {
    const node = this.node(this.indexOf(name))
    this.#kinds.set(name, (this.#kinds.get(name) ?? new Set()).add(kind))
    const accepted = this.#accepted(node, version)
    const others = this.#readBits(node, content => 'value' in content && content.value.kind !== kind)
    const demand = this.#demand(node, version, accepted & ~others)
    const first = firstPosition(accepted & others, node)
    const other = first === undefined ? '' : (node.versions[first] ?? '')
    const actual = this.#contentOf(name, other)?.kind
    if (actual !== undefined) this.#otherKinds.set(demand, `${other} is a ${actual}, not a ${kind}`)
    return demand
  }

  #coreDemands({crossplane}: XpkgContent): readonly Demand[] {
    if (crossplane === undefined || this.#input.coreVersion === undefined) return []
    const node = this.node(this.indexOf(CORE))
    return [this.#demand(node, crossplane, this.#accepted(node, crossplane))]
  }

  #demand(node: XpkgNode, text: string, accepted: bigint): Demand {
    const allowed = accepted & ~this.#readBits(node, content => 'reason' in content)
    return {
      requirement: {form: 'package', text, identity: node.repository},
      outcome: {kind: 'edge', to: node.index, because: 'root', allowed, relaxed: allowed},
    }
  }

  /** A digest is satisfied by a version with that digest, which the core accepts only where it does not resolve. */
  #accepted({repository, list}: XpkgNode, constraint: string): bigint {
    if (!isDigest(constraint)) return this.#table.accepted(list, constraint)
    return bitsOf(list.versions, candidate => constraint === this.#digestOf(repository, candidate))
  }

  /** The versions that were read and for which a condition holds. */
  #readBits(
    {repository, list: {positions}}: XpkgNode,
    holds: (content: Readable<XpkgContent>) => boolean,
  ): bigint {
    let bits = 0n
    for (const [version, content] of this.#input.repositories.get(repository)?.contents ?? []) {
      const position = positions.get(version)
      if (position !== undefined && holds(content)) bits |= 1n << BigInt(position)
    }
    return bits
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

  /** The node of a repository. */
  indexOf(repository: string): number {
    const cached = this.#indexes.get(repository)
    if (cached !== undefined) return cached
    const index = this.#nodes.length
    const candidates = this.#candidatesOf(repository)
    const named = this.#namedVersions(repository)
    const list = this.#table.list(repository, this.#ordered(repository, [...candidates, ...named]))
    const count = list.versions.length
    const isCompared = named.some(version => !candidates.includes(version))
    this.#nodes.push({
      list,
      versions: list.versions,
      index,
      count,
      all: (1n << BigInt(count)) - 1n,
      repository,
      isCompared,
    })
    this.#indexes.set(repository, index)
    return index
  }

  /** The preferred one and the newest first; then what only the user or a digest can name. */
  #ordered(repository: string, versions: readonly string[]): readonly string[] {
    const preferred = this.#input.preferred?.get(repository)
    const isKnown = preferred !== undefined && versions.includes(preferred)
    return [...new Set([...(isKnown ? [preferred] : []), ...versions])]
  }

  #candidatesOf(repository: string): readonly string[] {
    if (repository === CORE) return [this.#input.coreVersion ?? '']
    const read = this.#input.repositories.get(repository)
    return read !== undefined && 'value' in read.tags ? this.#table.candidates(read.tags.value) : []
  }

  #namedVersions(repository: string): readonly string[] {
    if (repository === CORE) return []
    const requested = this.#input.roots.filter(root => root.repository === repository)
    const digests = this.#input.repositories.get(repository)?.requiredDigests ?? []
    return [...requested.flatMap(({version}) => version ?? []), ...digests]
  }
}
