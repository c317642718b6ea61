import {listSome, quoted} from '../../text.js'
import {formatSummary} from '../../index/package-summary.js'
import type {FactOrigin} from '../facts.js'
import {positionsIn} from '../solver/nogood.js'
import type {OwnerReason} from '../solver/owners.js'
import {type SolverModel, ROOT} from '../solver/solver-model.js'
import type {Requirement} from '../requirement.js'

/** The most versions, packages or kinds that one sentence lists. */
const MANY = 6

/** `a, b and 3 more`. */
export function some(texts: readonly string[]): string {
  return listSome(texts, MANY)
}

/** `a`, `a and b`, `a, b and c`. */
export function all(texts: readonly string[]): string {
  const last = texts.at(-1) ?? ''
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`
}

/** A requirement as its author wrote it, without anything that moves a cursor. */
export function requirementText({text}: Pick<Requirement, 'text'>): string {
  return quoted(text).slice(1, -1)
}

/** `example/app:v1 needs x`, or for what a person asks for `x was asked for`. */
export function dependentText(
  model: SolverModel,
  from: number,
  position: number,
  requirement: Requirement,
): string {
  if (from === ROOT) return `${requirementText(requirement)} was asked for`
  return `${versionName(model, from, position)} needs ${requirementText(requirement)}`
}

export function versionName(model: SolverModel, node: number, position: number): string {
  return formatSummary(model.version(node, position).summary)
}

/** The tags of a set of versions, in the order in which they are tried. */
export function tagsOf(model: SolverModel, node: number, versions: bigint): string[] {
  const positions = positionsIn(versions, model.node(node))
  return positions.map(position => model.version(node, position).summary.tag)
}

/** Why a package was taken for an owner. */
export const OWNER_WORDS: Readonly<Record<OwnerReason, string>> = {
  itself: 'it is its own kind',
  root: 'it was asked for',
  'depends-on-package': 'the same package depends on it',
  locked: 'it is locked',
  installed: 'it is installed',
  owners: 'you named it as owner',
  'only-candidate': 'nobody else owns it',
}

/** Why a kind was taken to be there. */
export const FACT_WORDS: Readonly<Record<FactOrigin, string>> = {
  assumed: 'taken to be there, because you said so',
  cluster: 'the cluster has it',
  crossplane: 'taken to be there, because Crossplane itself brings it',
  kubernetes: 'taken to be there, because it is part of Kubernetes',
  'never-existed': 'that group never had a kind, so nothing is missing',
}
