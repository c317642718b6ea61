import {crdName, type PackageSummary} from '../../index/package-summary.js'
import {type Fact, factFor, factTable, type FactTable} from '../facts.js'
import {Owners, type OwnerReason, type Ownership} from './owners.js'
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

/** A package as the search sees it: a number, and versions as bits. Number 0 is who asks for the whole. */
export interface PackageNode extends Versions {
  readonly index: number
  readonly identity: string
  /** All its versions. */
  readonly all: bigint
}

/** A requirement of one version of a package, with what becomes of it whatever else is chosen. */
export interface Demand {
  readonly requirement: Requirement
  readonly outcome: Outcome
}

export type Outcome =
  | {readonly kind: 'fact'; readonly fact: Fact}
  | {readonly kind: 'ambiguous'; readonly candidates: readonly string[]}
  | {
      readonly kind: 'impossible'
      readonly ownership: Exclude<Ownership, {readonly kind: 'owner' | 'ambiguous'}>
    }
  | Edge

/** A demand that a package meets, by one of the versions that are allowed. */
export interface Edge {
  readonly kind: 'edge'
  readonly to: number
  readonly because: OwnerReason
  readonly allowed: bigint
  /** What would be allowed if the version part of the requirement were ignored. */
  readonly relaxed: bigint
}

/** The requirement of a package as one thing, whatever version of the package has it: what a mismatch is accepted for. */
export function versionPart(identity: string, {text}: Pick<Requirement, 'text'>): string {
  return `${identity} ${text}`
}

/** Who asks for the whole, as a package. */
export const ROOT = 0

/** A question as numbers and bits, worked out as far as it is asked about. */
export class SolverModel {
  readonly table: SummaryTable
  readonly owners: Owners
  readonly #input: SolverInput
  readonly #ignored: ReadonlySet<string>
  readonly #facts: FactTable
  readonly #nodes: PackageNode[] = []
  readonly #indexes = new Map<string, number>()
  readonly #demands = new Map<string, readonly Demand[]>()
  readonly #offers = new Map<string, {readonly serves: bigint; readonly owns: bigint}>()
  readonly #rivals = new Map<number, readonly number[]>()
  readonly #conflicts = new Map<string, bigint>()

  /** @param ignored - version parts that need not hold, as `versionPart` writes them. */
  constructor(input: SolverInput, ignored: ReadonlySet<string>) {
    this.#input = input
    this.#ignored = ignored
    this.table = new SummaryTable(input)
    this.owners = new Owners(this.table, input)
    this.#facts = factTable(input.facts)
    this.#nodes.push({index: ROOT, identity: '', versions: [], refused: [], all: 1n})
  }

  node(index: number): PackageNode {
    const node = this.#nodes[index]
    if (node === undefined) throw new RangeError(`there is no package ${index}`)
    return node
  }

  indexOf(identity: string): number {
    const known = this.#indexes.get(identity)
    if (known !== undefined) return known
    const {versions, refused} = this.table.versions(identity)
    const index = this.#nodes.length
    const all = (1n << BigInt(versions.length)) - 1n
    this.#nodes.push({index, identity, versions, refused, all})
    this.#indexes.set(identity, index)
    return index
  }

  version(node: number, position: number): Version {
    const version = this.node(node).versions[position]
    if (version === undefined) throw new RangeError(`package ${node} has no version ${position}`)
    return version
  }

  /** What a version requires, in the order of its file; of the reader, what is asked for. */
  demands(node: number, position: number): readonly Demand[] {
    const key = `${node} ${position}`
    const known = this.#demands.get(key)
    if (known !== undefined) return known
    const demands = this.#workOut(node, position)
    this.#demands.set(key, demands)
    return demands
  }

  #workOut(node: number, position: number): Demand[] {
    if (node === ROOT) {
      return this.#input.roots.map(({requirement}) => this.#demand(requirement, undefined))
    }
    const {summary} = this.version(node, position)
    return summary.dependsOn.map(dependency =>
      this.#demand(requirementOf(dependency, this.#input.identify), summary),
    )
  }

  #demand(requirement: Requirement, dependent: PackageSummary | undefined): Demand {
    if (requirement.form === 'package') {
      return {requirement, outcome: this.#packageOutcome(requirement, dependent)}
    }
    const fact = factFor(requirement, this.#facts)
    if (fact !== undefined) return {requirement, outcome: {kind: 'fact', fact}}
    const ownership = this.owners.ownerOf(requirement, dependent)
    if (ownership.kind === 'ambiguous') return {requirement, outcome: ownership}
    if (ownership.kind !== 'owner') return {requirement, outcome: {kind: 'impossible', ownership}}
    return {requirement, outcome: this.#edge(requirement, ownership, dependent)}
  }

  #edge(
    requirement: CrdRequirement,
    owner: Extract<Ownership, {readonly kind: 'owner'}>,
    dependent?: PackageSummary,
  ): Edge {
    const to = this.indexOf(owner.identity)
    const {serves, owns} = this.#offersOf(to, requirement)
    const placed = this.#placeable(to, dependent)
    const relaxed = owns & placed
    const isIgnored =
      dependent !== undefined && this.#ignored.has(versionPart(dependent.identity, requirement))
    const allowed = isIgnored ? relaxed : serves & placed
    return {kind: 'edge', to, because: owner.because, allowed, relaxed}
  }

  #packageOutcome(requirement: PackageRequirement, dependent?: PackageSummary): Outcome {
    const to = this.indexOf(requirement.identity)
    const because = dependent === undefined ? 'root' : 'depends-on-package'
    const allowed = this.#placeable(to, dependent) & this.#where(to, each => isAllowedBy(requirement, each))
    return {kind: 'edge', to, because, allowed, relaxed: allowed}
  }

  /** Versions of a package that may be installed for a requirer: a Cluster one has no namespace for a Namespaced one. */
  #placeable(node: number, dependent: PackageSummary | undefined): bigint {
    const {dependencyNamespace} = this.#input
    if (dependent?.permissionScope !== 'Cluster' || dependencyNamespace !== undefined)
      return this.node(node).all
    return this.#where(
      node,
      ({identity, permissionScope}) => identity === dependent.identity || permissionScope === 'Cluster',
    )
  }

  #offersOf(node: number, requirement: CrdRequirement): {readonly serves: bigint; readonly owns: bigint} {
    const key = `${node} ${requirement.text}`
    const known = this.#offers.get(key)
    if (known !== undefined) return known
    const offers = {
      serves: this.#where(node, summary => offerOf(requirement, summary) === 'serves'),
      owns: this.#where(node, summary => offerOf(requirement, summary) !== 'nothing'),
    }
    this.#offers.set(key, offers)
    return offers
  }

  #where(node: number, holds: (summary: PackageSummary) => boolean): bigint {
    return this.node(node).versions.reduce((set, {summary, bit}) => (holds(summary) ? set | bit : set), 0n)
  }

  /** Packages that, in some version, own a CRD of some version of this one. */
  rivals(node: number): readonly number[] {
    const known = this.#rivals.get(node)
    if (known !== undefined) return known
    const rivals = this.table.rivalsOf(this.node(node).identity).map(identity => this.indexOf(identity))
    this.#rivals.set(node, rivals)
    return rivals
  }

  /** Versions of a package that own a CRD which this version of another owns, too: both cannot be installed. */
  conflicting(node: number, rival: number, position: number): bigint {
    const key = `${node} ${rival} ${position}`
    const known = this.#conflicts.get(key)
    if (known !== undefined) return known
    const names = new Set(this.version(rival, position).summary.crds.map(crdName))
    const conflicting = this.#where(node, ({crds}) => crds.some(crd => names.has(crdName(crd))))
    this.#conflicts.set(key, conflicting)
    return conflicting
  }
}
