import type {Diagnostic} from '../../diagnostic.js'
import {listAll, listSome} from '../../text.js'
import {grouped} from '../../grouped.js'
import {crdName} from '../../index/package-summary.js'
import {type Demand, type Edge, ROOT} from '../solver/constraints.js'
import type {SolverModel} from '../solver/solver-model.js'
import type {SolverInput} from '../solver-input.js'
import {explainImpossible} from './explain-impossible.js'
import {explainRequirement} from './explain-requirement.js'
import type {CitedConflict, CitedEdge, MinimalRejection} from './minimal-rejection.js'
import {positionsIn} from '../solver/nogood.js'
import {dependentText, OWNER_WORDS, requirementSubject, tagsOf, versionName, versionsName} from './words.js'

/**
 * Explains a rejection in sentences, from the request to the conflict: each cited requirement, then each conflict.
 */
export function explainRejection(
  {edges, conflicts}: MinimalRejection,
  model: SolverModel,
  input: SolverInput,
): Diagnostic[] {
  const contested = contestedNodes(edges)
  const alike = grouped(edges, ({node, demand}) => `${node} ${demand.requirement.text} ${effectOf(demand)}`)
  const pairs = grouped(conflicts, ({node, rival}) => `${Math.min(node, rival)} ${Math.max(node, rival)}`)
  return [
    ...[...alike.values()].flatMap(group => explainEdges(group, contested, model, input)),
    ...[...pairs.values()].flatMap(group => explainConflict(group, model)),
  ]
}

/** Reports whether no selection can satisfy a demand. */
export function isDead({outcome}: Demand): boolean {
  if (outcome.kind !== 'edge') return outcome.kind === 'impossible'
  const {alternatives = [outcome]} = outcome
  return alternatives.every(({allowed}) => allowed === 0n)
}

/**
 * Identifies the effect of a demand, so that versions of a package with the same requirement and effect are one
 * sentence.
 */
function effectOf({outcome}: Demand): string {
  return outcome.kind === 'edge' ? `${outcome.to} ${outcome.allowed}` : outcome.kind
}

/** Packages that several dependents restrict. */
function contestedNodes(edges: readonly CitedEdge[]): ReadonlySet<number> {
  const dependents = new Map<number, Set<string>>()
  for (const {node, demand} of edges) {
    if (demand.outcome.kind !== 'edge') continue
    const {to, alternatives = []} = demand.outcome
    for (const target of [to, ...alternatives.map(edge => edge.to)]) {
      const others = dependents.get(target) ?? new Set()
      dependents.set(target, others.add(`${node} ${demand.requirement.text}`))
    }
  }
  return new Set([...dependents].filter(([, value]) => value.size > 1).map(([node]) => node))
}

/** One sentence for versions of a package that have the same requirement with the same effect. */
function explainEdges(
  group: readonly CitedEdge[],
  contested: ReadonlySet<number>,
  model: SolverModel,
  input: SolverInput,
): Diagnostic[] {
  const [first, ...others] = group
  if (first === undefined) return []
  const {node, position, demand} = first
  const tags = others.map(edge => model.version(node, edge.position).summary.tag)
  const also = tags.length === 0 ? '' : ` (also ${listSome(tags)})`
  const who = `${dependentText(model, node, position, demand.requirement)}${also}`
  const subject = requirementSubject(model, node, position, demand.requirement)
  return sentences(who, first, contested, model, input).map((diagnostic, index) =>
    index === 0 ? {...diagnostic, subject: {...subject, ...diagnostic.subject}} : diagnostic,
  )
}

function sentences(
  who: string,
  cited: CitedEdge,
  contested: ReadonlySet<number>,
  model: SolverModel,
  input: SolverInput,
): Diagnostic[] {
  const {demand} = cited
  const {outcome} = demand
  if (outcome.kind === 'impossible') return explainImpossible(who, demand, model, input)
  if (outcome.kind !== 'edge') return []
  const {alternatives} = outcome
  if (isDead(demand)) {
    return (alternatives ?? [outcome]).flatMap(edge => explainRequirement(who, cited, {edge, model, input}))
  }
  const candidates = (alternatives ?? [outcome]).filter(({allowed}) => allowed !== 0n)
  const isContested = candidates.some(({to}) => contested.has(to))
  const isRestricting = candidates.some(({to, allowed}) => allowed !== model.node(to).all)
  const message = `${who}${owners(cited, candidates, model)}`
  return [
    {
      severity: 'error',
      rule: isContested && isRestricting ? 'version-conflict' : 'requirement-path',
      message,
      subject: {candidates: candidates.map(({to, allowed}) => versionsName(model, to, allowed))},
    },
  ]
}

/** Ends a sentence on a requirement: its owner, and the versions that satisfy it. */
function owners(
  {node, demand: {requirement, outcome}}: CitedEdge,
  edges: readonly Edge[],
  model: SolverModel,
): string {
  const [edge, ...others] = edges
  if (edge === undefined || outcome.kind !== 'edge') return ''
  if (others.length > 0) {
    const names = edges.map(({to, allowed}) => versionsName(model, to, allowed))
    return `, which of the requested packages only ${listAll(names, 'or')} can satisfy`
  }
  const {identity, all} = model.packageNode(edge.to)
  const isRestricting = edge.allowed !== all
  const tags = listSome(tagsOf(model, edge.to, edge.allowed))
  if (requirement.form === 'package') {
    const isPinned = requirement.tag !== undefined || requirement.digest !== undefined
    return isRestricting && !(node === ROOT && isPinned) ? `, which only ${tags} can satisfy` : ''
  }
  const reason = OWNER_WORDS[edge.because]
  return isRestricting
    ? `, which only ${versionsName(model, edge.to, edge.allowed)} serves (owner: ${reason})`
    : `, which ${identity} owns (${reason})`
}

/** Versions of two packages that cannot be installed together, in one sentence. */
function explainConflict(conflicts: readonly CitedConflict[], model: SolverModel): Diagnostic[] {
  const [first] = conflicts
  if (first === undefined) return []
  const [node, rival] = [Math.min(first.node, first.rival), Math.max(first.node, first.rival)]
  let [versions, rivalVersions] = [0n, 0n]
  for (const conflict of conflicts) {
    const bit = 1n << BigInt(conflict.position)
    if (conflict.node === node)
      [versions, rivalVersions] = [versions | conflict.versions, rivalVersions | bit]
    else [versions, rivalVersions] = [versions | bit, rivalVersions | conflict.versions]
  }
  const [one, other] = [versionsName(model, node, versions), versionsName(model, rival, rivalVersions)]
  const shared = conflicts.flatMap(conflict =>
    positionsIn(conflict.versions, model.node(conflict.node)).flatMap(position =>
      sharedCrds(model, conflict.node, position, conflict.rival, conflict.position),
    ),
  )
  const subject = {candidates: [one, other]}
  if (shared.length === 0) return [assignedConflict(first, model)]
  const message = `${one} and ${other} both own ${listSome([...new Set(shared)].sort())}, and a CRD can have only one owner`
  return [{severity: 'error', rule: 'ownership-conflict', message, subject}]
}

/** A version that owns a CRD which is assigned to the other package, of which another version is considered. */
function assignedConflict({node, versions, rival, position}: CitedConflict, model: SolverModel): Diagnostic {
  const pairs = [
    [firstOf(versions), node, rival],
    [position, rival, node],
  ] as const
  const moved = pairs
    .map(([at, from, to]) => {
      const {identity} = model.packageNode(to)
      const {summary} = model.version(from, at)
      return {name: versionName(model, from, at), identity, crds: model.assigned(summary, identity)}
    })
    .find(({crds}) => crds.length > 0)
  const {name, identity, crds} = moved ?? {name: '', identity: '', crds: []}
  const [crd] = crds
  const because = crd === undefined ? undefined : model.owners.assignment(crd)?.because
  const reason = because === undefined ? '' : ` (${OWNER_WORDS[because]})`
  const message = `${name} owns ${listSome(crds.map(crdName))}, whose owner is ${identity}${reason}`
  return {severity: 'error', rule: 'ownership-conflict', message, subject: {candidates: [name, identity]}}
}

function firstOf(versions: bigint): number {
  let position = 0
  while (versions !== 0n && (versions & (1n << BigInt(position))) === 0n) position += 1
  return position
}

/** Names of the CRDs that two versions both own. */
export function sharedCrds(
  model: SolverModel,
  node: number,
  position: number,
  rival: number,
  rivalPosition: number,
): string[] {
  const names = new Set(model.version(rival, rivalPosition).summary.crds.map(crdName))
  const own = model.version(node, position).summary.crds.map(crdName)
  return own.filter(name => names.has(name))
}
