import {escaped, listSome} from '../../text.js'
import type {Subject} from '../../diagnostic.js'
import {formatSummary} from '../../index/package-summary.js'
import type {FactOrigin} from '../facts.js'
import {positionsIn} from '../solver/nogood.js'
import type {OwnerReason} from '../solver/owners.js'
import {ROOT} from '../solver/constraints.js'
import type {SolverModel} from '../solver/solver-model.js'
import type {Requirement} from '../requirement.js'

/** Returns the text of a requirement, in the author's spelling, without control characters. */
export function requirementText({text}: Pick<Requirement, 'text'>): string {
  return escaped(text)
}

/** `example/app:v1 requires x`, or for a root `x was requested`. */
export function dependentText(
  model: SolverModel,
  from: number,
  position: number,
  requirement: Requirement,
): string {
  if (from === ROOT) return rootText(requirement)
  return `${versionName(model, from, position)} requires ${requirementText(requirement)}`
}

function rootText(requirement: Requirement): string {
  const range = requirement.form === 'package' ? requirement.range : undefined
  const name = requirementText(requirement)
  return `${range === undefined ? name : `${name} in range ${escaped(range)}`} was requested`
}

/** The subject of a requirement, as data. */
export function requirementSubject(
  model: SolverModel,
  from: number,
  position: number,
  requirement: Requirement,
): Subject {
  return {
    ...(requirement.form === 'package' && {package: requirement.identity}),
    requirement: requirementText(requirement),
    ...(from !== ROOT && {requiredBy: versionName(model, from, position)}),
  }
}

export function versionName(model: SolverModel, node: number, position: number): string {
  return formatSummary(model.version(node, position).summary)
}

/** The tags of a set of versions, in the order in which they are tried. */
export function tagsOf(model: SolverModel, node: number, versions: bigint): string[] {
  const positions = positionsIn(versions, model.node(node))
  return positions.map(position => model.version(node, position).summary.tag)
}

/** Versions of one package: `example/sql:v1.0.0`, `example/sql (v1.0.0, v1.1.0)`. */
export function versionsName(model: SolverModel, node: number, versions: bigint): string {
  const {identity} = model.packageNode(node)
  const [tag, ...others] = tagsOf(model, node, versions)
  if (tag === undefined) return identity
  return others.length === 0 ? `${identity}:${tag}` : `${identity} (${listSome([tag, ...others])})`
}

/** The reasons for which a package is the owner. */
export const OWNER_WORDS: Readonly<Record<OwnerReason, string>> = {
  owners: 'assigned by owners',
  locked: 'locked',
  installed: 'installed',
  root: 'requested',
  itself: 'its own CRD',
  'depends-on-package': 'in the same dependsOn',
  'only-candidate': 'the only candidate',
}

/** The reasons for which a CRD is assumed to exist. */
export const FACT_WORDS: Readonly<Record<FactOrigin, string>> = {
  assumed: 'assumed to exist (--assume)',
  cluster: 'served by the cluster',
  crossplane: 'provided by Crossplane',
  kubernetes: 'part of Kubernetes',
  'never-existed': 'the group never had a CRD, so nothing is missing',
}
