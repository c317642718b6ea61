import {crdName, type OwnedCrd, type PackageSummary} from '../../index/package-summary.js'
import {factFor, factTable, type FactTable} from '../facts.js'
import {type Constraints, type Demand, type Edge, ROOT, type SolverNode, versionPart} from './constraints.js'
import {Owners, type Ownership} from './owners.js'
import type {SolverInput} from '../solver-input.js'
import {
  type CrdRequirement,
  isAllowedBy,
  offerOf,
  type PackageRequirement,
  type Requirement,
  requirementOf,
} from '../requirement.js'
import {SummaryTable, type Version, type Versions} from './summary-table.js'

/** A package as the solver sees it. Number 0 is the user, whose requirements are the roots. */
export interface PackageNode extends SolverNode, Versions {
  readonly identity: string
}

/** One requirement for which several roots can be the owner: selecting one requires a version of it that owns the CRD. */
interface OwnerNode extends SolverNode {
  readonly requirement: CrdRequirement
  readonly edges: readonly Edge[]
  /** The version part of the requirement; undefined for a root, whose version part is never ignored. */
  readonly part: string | undefined
}

/** Evaluates an input to numbers and bits, on demand. */
export class SolverModel implements Constraints {
  readonly table: SummaryTable
  readonly owners: Owners
  readonly #input: SolverInput
  readonly #facts: FactTable
  readonly #nodes: (PackageNode | OwnerNode)[] = []
  readonly #indexes = new Map<string, number>()
  readonly #ownerIndexes = new Map<string, number>()
  readonly #demands = new Map<string, readonly Demand[]>()
  readonly #offers = new Map<string, {readonly serves: bigint; readonly owns: bigint}>()
  readonly #rivals = new Map<number, readonly number[]>()
  readonly #conflicts = new Map<string, bigint>()

  constructor(input: SolverInput) {
    this.#input = input
    this.table = new SummaryTable(input)
    this.owners = new Owners(this.table, input)
    this.#facts = factTable(input.facts)
    this.#nodes.push({index: ROOT, identity: '', versions: [], rejected: [], count: 1, all: 1n})
  }

  node(index: number): PackageNode | OwnerNode {
    const node = this.#nodes[index]
    if (node === undefined) throw new RangeError(`there is no node ${index}`)
    return node
  }

  isPackage(index: number): boolean {
    return 'identity' in this.node(index)
  }

  packageNode(index: number): PackageNode {
    const node = this.node(index)
    if (!('identity' in node)) throw new RangeError(`node ${index} is not a package`)
    return node
  }

  indexOf(identity: string): number {
    const cached = this.#indexes.get(identity)
    if (cached !== undefined) return cached
    const {versions, rejected} = this.table.versions(identity)
    const index = this.#nodes.length
    this.#nodes.push({
      index,
      identity,
      versions,
      rejected,
      count: versions.length,
      all: bits(versions.length),
    })
    this.#indexes.set(identity, index)
    return index
  }

  version(node: number, position: number): Version {
    const version = this.packageNode(node).versions[position]
    if (version === undefined) throw new RangeError(`package ${node} has no version ${position}`)
    return version
  }

  /** Returns the requirements of a version, in the order of its file; of the user, the roots. */
  demands(node: number, position: number): readonly Demand[] {
    const key = `${node} ${position}`
    const cached = this.#demands.get(key)
    if (cached !== undefined) return cached
    const demands = this.#evaluate(node, position)
    this.#demands.set(key, demands)
    return demands
  }

  #evaluate(node: number, position: number): Demand[] {
    if (node === ROOT) {
      return this.#input.roots.map(({requirement}) => this.#demand(requirement, undefined))
    }
    const entry = this.node(node)
    if (!('identity' in entry)) {
      const outcome = entry.edges[position]
      return outcome === undefined ? [] : [{requirement: entry.requirement, outcome}]
    }
    const {summary} = this.version(node, position)
    const waived = this.#waivedBy(summary)
    return summary.dependsOn
      .map(dependency => requirementOf(dependency, this.#input.identify))
      .filter(({text}) => !waived.has(text))
      .map(requirement => this.#demand(requirement, summary))
  }

  /** The requirements of an installed version that nothing satisfies in the cluster either. */
  #waivedBy({identity, tag}: PackageSummary): ReadonlySet<string> {
    const kept = this.#input.preferences.filter(
      preference => preference.identity === identity && preference.tag === tag,
    )
    return new Set(kept.flatMap(({waived = []}) => waived))
  }

  #demand(requirement: Requirement, dependent: PackageSummary | undefined): Demand {
    if (requirement.form === 'package') {
      return {requirement, outcome: this.#packageEdge(requirement, dependent)}
    }
    const fact = factFor(requirement, this.#facts)
    if (fact !== undefined) return {requirement, outcome: {kind: 'fact', fact}}
    const ownership = this.owners.ownerOf(requirement, dependent)
    switch (ownership.kind) {
      case 'ambiguous':
        return {requirement, outcome: ownership}
      case 'owner':
        return {requirement, outcome: this.#edge(requirement, ownership, dependent)}
      case 'roots': {
        const edges = ownership.identities.map(identity =>
          this.#edge(requirement, {identity, because: 'root'}, dependent),
        )
        return {requirement, outcome: this.#choice(requirement, edges, dependent)}
      }
      default:
        return {requirement, outcome: {kind: 'impossible', ownership}}
    }
  }

  #edge(
    requirement: CrdRequirement,
    owner: Pick<Extract<Ownership, {readonly kind: 'owner'}>, 'identity' | 'because'>,
    dependent?: PackageSummary,
  ): Edge {
    const to = this.indexOf(owner.identity)
    const {serves, owns} = this.#offersOf(to, requirement)
    const placed = this.#placeable(to, dependent)
    return {kind: 'edge', to, because: owner.because, allowed: serves & placed, relaxed: owns & placed}
  }

  /** An edge to the choice between owners: a node of its own for each dependent and requirement. */
  #choice(requirement: CrdRequirement, edges: readonly Edge[], dependent?: PackageSummary): Edge {
    const key = `${dependent?.identity ?? ''} ${dependent?.permissionScope ?? ''} ${requirement.text}`
    const cached = this.#ownerIndexes.get(key)
    const index = cached ?? this.#nodes.length
    const all = bits(edges.length)
    if (cached === undefined) {
      const part = dependent === undefined ? undefined : versionPart(dependent.identity, requirement)
      this.#nodes.push({index, count: edges.length, all, requirement, edges, part})
      this.#ownerIndexes.set(key, index)
    }
    return {kind: 'edge', to: index, because: 'root', allowed: all, relaxed: all, alternatives: edges}
  }

  #packageEdge(requirement: PackageRequirement, dependent?: PackageSummary): Edge {
    const to = this.indexOf(requirement.identity)
    const because = dependent === undefined ? 'root' : 'depends-on-package'
    const allowed =
      this.#placeable(to, dependent) & this.#where(to, summary => isAllowedBy(requirement, summary))
    return {kind: 'edge', to, because, allowed, relaxed: allowed}
  }

  /** Versions that can be installed for a dependent: a Cluster package has no namespace for a Namespaced one. */
  #placeable(node: number, dependent: PackageSummary | undefined): bigint {
    const {dependencyNamespace} = this.#input
    if (dependent?.permissionScope !== 'Cluster' || dependencyNamespace !== undefined) {
      return this.node(node).all
    }
    return this.#where(
      node,
      ({identity, permissionScope}) => identity === dependent.identity || permissionScope === 'Cluster',
    )
  }

  #offersOf(node: number, requirement: CrdRequirement): {readonly serves: bigint; readonly owns: bigint} {
    const key = `${node} ${requirement.text}`
    const cached = this.#offers.get(key)
    if (cached !== undefined) return cached
    const offers = {
      serves: this.#where(node, summary => offerOf(requirement, summary) === 'serves'),
      owns: this.#where(node, summary => offerOf(requirement, summary) !== 'nothing'),
    }
    this.#offers.set(key, offers)
    return offers
  }

  #where(node: number, holds: (summary: PackageSummary) => boolean): bigint {
    const {versions} = this.packageNode(node)
    return versions.reduce((set, {summary, bit}) => (holds(summary) ? set | bit : set), 0n)
  }

  rivals(node: number): readonly number[] {
    const cached = this.#rivals.get(node)
    if (cached !== undefined) return cached
    const entry = this.node(node)
    const identities = 'identity' in entry ? this.table.rivalsOf(entry.identity) : []
    const rivals = identities.map(identity => this.indexOf(identity))
    this.#rivals.set(node, rivals)
    return rivals
  }

  /**
   * Versions of a package that own a CRD of this version of another. Where `owners:`, the lock or the cluster assigns the
   * CRD to one of the two packages, the other's versions that own it conflict with every version of that package: so
   * that an assigned owner is neither replaced nor held back by what other publishers release.
   */
  conflicting(node: number, rival: number, position: number): bigint {
    const key = `${node} ${rival} ${position}`
    const cached = this.#conflicts.get(key)
    if (cached !== undefined) return cached
    const {summary} = this.version(rival, position)
    const {identity, all} = this.packageNode(node)
    const names = new Set(summary.crds.map(crdName))
    const versions = this.#takes(summary, identity)
      ? all
      : this.#where(
          node,
          packageSummary =>
            packageSummary.crds.some(crd => names.has(crdName(crd))) ||
            this.#takes(packageSummary, summary.identity),
        )
    this.#conflicts.set(key, versions)
    return versions
  }

  /** Reports whether a version owns a CRD that is assigned to this other package. False for a locked version. */
  #takes(summary: PackageSummary, from: string): boolean {
    return !this.#isLocked(summary) && this.assigned(summary, from).length > 0
  }

  /** The CRDs of a version that are assigned to another package. */
  assigned({crds}: PackageSummary, to: string): OwnedCrd[] {
    return crds.filter(crd => this.owners.assignment(crd)?.identity === to)
  }

  #isLocked({identity, tag}: PackageSummary): boolean {
    return this.#input.preferences.some(
      preference =>
        preference.identity === identity && preference.tag === tag && preference.isUpgraded !== true,
    )
  }

  partOf(node: number, requirement: Requirement): string | undefined {
    if (node === ROOT) return undefined
    const entry = this.node(node)
    return 'identity' in entry ? versionPart(entry.identity, requirement) : entry.part
  }
}

function bits(count: number): bigint {
  return (1n << BigInt(count)) - 1n
}
