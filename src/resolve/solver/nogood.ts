import {type Demand, type Edge, ROOT, type SolverNode} from './constraints.js'

/** An edge and the version of a package that it starts from. */
export interface ActiveEdge extends Edge {
  readonly from: number
  readonly position: number
  readonly demand: Demand
}

/** The reason why versions of a package cannot be selected, under the terms of a nogood. */
export type Rejection =
  | {readonly kind: 'edge'; readonly versions: bigint; readonly edge: ActiveEdge}
  | {readonly kind: 'rival'; readonly versions: bigint; readonly rival: number; readonly position: number}
  | {readonly kind: 'nogood'; readonly versions: bigint; readonly nogood: Nogood}

/** The proof of a nogood. */
export type Cause =
  | {readonly kind: 'impossible'; readonly node: number; readonly position: number; readonly demand: Demand}
  | {readonly kind: 'conflict'; readonly node: number; readonly rejection: Rejection}
  | {
      /** A package is required and every version of it is rejected. */
      readonly kind: 'exhausted'
      readonly node: number
      readonly edge: ActiveEdge
      readonly rejections: readonly Rejection[]
    }

/**
 * Versions that cannot be selected together: as long as one version of each of its packages' sets is selected, there
 * is no resolution. It follows from the input alone, so it holds at every step of the solver. Without terms there is
 * no resolution at all.
 */
export interface Nogood {
  readonly terms: ReadonlyMap<number, bigint>
  readonly cause: Cause
  /** Version parts of requirements that it rests on. */
  readonly parts: ReadonlySet<string>
}

/** Builds a nogood. */
export class Terms {
  readonly terms = new Map<number, bigint>()
  readonly parts = new Set<string>()

  /** Adds the condition that a version of this set is selected. The roots always hold. */
  add(node: number, versions: bigint): void {
    if (node === ROOT) return
    const before = this.terms.get(node)
    this.terms.set(node, before === undefined ? versions : before & versions)
  }

  /** Adds all conditions of another, except for one package. */
  addAll({terms, parts}: Pick<Nogood, 'terms' | 'parts'>, but: number): void {
    for (const [node, versions] of terms) if (node !== but) this.add(node, versions)
    for (const part of parts) this.parts.add(part)
  }
}

/** The positions of the versions in a set, in the order in which they are tried. */
export function positionsIn(versions: bigint, {count}: Pick<SolverNode, 'count'>): number[] {
  const positions: number[] = []
  for (let position = 0; position < count; position += 1) {
    if ((versions & (1n << BigInt(position))) !== 0n) positions.push(position)
  }
  return positions
}

/** The position of the version in a set that is tried first. */
export function firstPosition(versions: bigint, {count}: Pick<SolverNode, 'count'>): number | undefined {
  for (let position = 0; position < count; position += 1) {
    if ((versions & (1n << BigInt(position))) !== 0n) return position
  }
  return undefined
}
