import type {Diagnostic} from '../../diagnostic.js'
import {meant} from '../requirement.js'
import type {ActiveEdge} from '../solver/nogood.js'
import type {SolverModel} from '../solver/solver-model.js'
import type {SolverInput} from '../solver-input.js'
import {OWNER_WORDS, some, dependentText} from './words.js'
import type {PackageSummary} from '../../index/package-summary.js'

/** A need that no version of its package meets, whatever else is chosen. */
export function explainRequirement(model: SolverModel, input: SolverInput, edge: ActiveEdge): Diagnostic[] {
  const who = dependentText(model, edge.from, edge.position, edge.requirement)
  const node = model.node(edge.to)
  const refused = node.refused.map(({summary, reason, rule}) => ({
    severity: 'error' as const,
    rule,
    message: `${node.identity}:${summary.tag} cannot be chosen: ${reason}`,
  }))
  const unreadable = input.unreadable
    .filter(({identity}) => identity === node.identity)
    .map(({identity, tag, reason}) => ({
      severity: 'error' as const,
      rule: 'unreadable-package',
      message: `${identity}:${tag} cannot be read: ${reason}`,
    }))
    .sort((a, b) => (a.message < b.message ? -1 : 1))
  return [headline(model, edge, {who, isUnreadable: unreadable.length > 0}), ...refused, ...unreadable]
}

function headline(
  model: SolverModel,
  edge: ActiveEdge,
  {who, isUnreadable}: {readonly who: string; readonly isUnreadable: boolean},
): Diagnostic {
  const {identity, versions} = model.node(edge.to)
  if (versions.length === 0) {
    return isUnreadable || model.table.has(identity)
      ? {
          severity: 'error' as const,
          rule: 'no-version',
          message: `${who}, and no version of ${identity} may be chosen`,
        }
      : {
          severity: 'error' as const,
          rule: 'missing-package',
          message: `${who}, and ${identity} is nowhere to be found`,
        }
  }
  const wrongScope = scopeFinding(model, edge, who)
  if (wrongScope !== undefined) return wrongScope
  if (edge.requirement.form === 'package') {
    const tags = some(versions.map(({summary}) => summary.tag))
    return {
      severity: 'error' as const,
      rule: 'missing-version',
      message: `${who}, and ${identity} is there as ${tags} only`,
    }
  }
  return staleFinding(model, edge, who)
}

/** A Cluster package that needs a Namespaced one: those that would do are Namespaced in every version. */
function scopeFinding(
  model: SolverModel,
  {from, position, requirement, to, relaxed}: ActiveEdge,
  who: string,
): Diagnostic | undefined {
  if (from === 0 || relaxed !== 0n) return undefined
  const {identity, versions} = model.node(to)
  const dependent = model.version(from, position).summary
  const meets = ({crds}: PackageSummary) =>
    requirement.form === 'package' || meant(requirement, crds).length > 0
  const scopes = versions.filter(({summary}) => meets(summary)).map(({summary}) => summary.permissionScope)
  if (dependent.permissionScope !== 'Cluster' || scopes.length === 0) return undefined
  const message = `${who}, and ${identity} is Namespaced: ${dependent.identity} is a Cluster package, which has no namespace to put that in`
  return {severity: 'error' as const, rule: 'scope', message}
}

/** The owner is known, and serves what is asked for in no version that may be chosen. */
function staleFinding(model: SolverModel, {requirement, to, because}: ActiveEdge, who: string): Diagnostic {
  const {identity, versions} = model.node(to)
  if (requirement.form === 'package') throw new RangeError('a package is no CRD')
  const served = versions.map(({summary}) => {
    const found = [...new Set(meant(requirement, summary.crds).flatMap(crd => crd.served))]
    return `${summary.tag} ${found.length === 0 ? 'does not own it' : `serves ${found.join(', ')}`}`
  })
  const message = `${who}, which ${identity} owns (${OWNER_WORDS[because]}), but ${some(served)}`
  return {severity: 'error' as const, rule: 'stale-version', message}
}
