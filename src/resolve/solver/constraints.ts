import type {Fact} from '../facts.js'
import type {Requirement} from '../requirement.js'
import type {OwnerReason, Ownership} from './owners.js'

/** A choice of the solver: the version of a package, or the owner of a CRD among several roots. */
export interface SolverNode {
  readonly index: number
  /** The number of options, in the order in which they are tried. */
  readonly count: number
  /** All of them, as bits. */
  readonly all: bigint
}

/** A requirement of one version of a package, with its outcome for any selection. */
export interface Demand {
  readonly requirement: Requirement
  readonly outcome: Outcome
}

type Outcome =
  | {readonly kind: 'fact'; readonly fact: Fact}
  | {readonly kind: 'ambiguous'; readonly candidates: readonly string[]}
  | {
      readonly kind: 'impossible'
      readonly ownership: Exclude<Ownership, {readonly kind: 'owner' | 'roots' | 'ambiguous'}>
    }
  | Edge

/** A demand that one of the allowed versions of a package satisfies. */
export interface Edge {
  readonly kind: 'edge'
  readonly to: number
  readonly because: OwnerReason
  readonly allowed: bigint
  /** The allowed versions if the version part of the requirement were ignored. */
  readonly relaxed: bigint
  /** Edges to roots one of which has to hold, where `to` is the choice between them. */
  readonly alternatives?: readonly Edge[]
}

/** The inputs of the solver. */
export interface Constraints {
  node(index: number): SolverNode
  /** Reports whether a node is a package or the user, and not a choice between owners. */
  isPackage(index: number): boolean
  demands(node: number, position: number): readonly Demand[]
  /** Packages of which some version conflicts with some version of this one. */
  rivals(node: number): readonly number[]
  /** Versions of a package that conflict with this version of another. */
  conflicting(node: number, rival: number, position: number): bigint
  /** The version part that a requirement of a node has, if one has to be accepted to ignore it. */
  partOf(node: number, requirement: Requirement): string | undefined
}

/** A requirement of a package in any of its versions: the unit for which a mismatch is accepted. */
export function versionPart(identity: string, {text}: Pick<Requirement, 'text'>): string {
  return `${identity} ${text}`
}

/** The user, as a node. */
export const ROOT = 0
