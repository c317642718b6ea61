import type {Diagnostic} from '../../diagnostic.js'
import {meant} from '../requirement.js'
import type {Need} from '../solver/nogood.js'
import type {Problem} from '../solver/problem.js'
import type {Question} from '../question.js'
import {OWNER_WORDS, some, whoNeeds} from './words.js'
import type {PackageSummary} from '../../index/package-summary.js'

/** A need that no version of its package meets, whatever else is chosen. */
export function explainNeed(problem: Problem, question: Question, need: Need): Diagnostic[] {
  const who = whoNeeds(problem, need.from, need.position, need.demand.requirement)
  const node = problem.node(need.edge.to)
  const refused = node.refused.map(({summary, reason, rule}) => ({
    severity: 'error' as const,
    rule,
    message: `${node.identity}:${summary.tag} cannot be chosen: ${reason}`,
  }))
  const unreadable = question.unreadable
    .filter(({identity}) => identity === node.identity)
    .map(({identity, tag, reason}) => ({
      severity: 'error' as const,
      rule: 'unreadable-package',
      message: `${identity}:${tag} cannot be read: ${reason}`,
    }))
    .sort((a, b) => (a.message < b.message ? -1 : 1))
  return [headline(problem, need, {who, isUnreadable: unreadable.length > 0}), ...refused, ...unreadable]
}

function headline(
  problem: Problem,
  need: Need,
  {who, isUnreadable}: {readonly who: string; readonly isUnreadable: boolean},
): Diagnostic {
  const {requirement} = need.demand
  const {identity, versions} = problem.node(need.edge.to)
  if (versions.length === 0) {
    return isUnreadable || problem.table.has(identity)
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
  const wrongScope = scopeFinding(problem, need, who)
  if (wrongScope !== undefined) return wrongScope
  if (requirement.form === 'package') {
    const tags = some(versions.map(({summary}) => summary.tag))
    return {
      severity: 'error' as const,
      rule: 'missing-version',
      message: `${who}, and ${identity} is there as ${tags} only`,
    }
  }
  return staleFinding(problem, need, who)
}

/** A Cluster package that needs a Namespaced one: those that would do are Namespaced in every version. */
function scopeFinding(
  problem: Problem,
  {from, position, demand, edge}: Need,
  who: string,
): Diagnostic | undefined {
  if (from === 0 || edge.relaxed !== 0n) return undefined
  const {identity, versions} = problem.node(edge.to)
  const requirer = problem.version(from, position).summary
  const {requirement} = demand
  const meets = ({crds}: PackageSummary) =>
    requirement.form === 'package' || meant(requirement, crds).length > 0
  const scopes = versions.filter(({summary}) => meets(summary)).map(({summary}) => summary.permissionScope)
  if (requirer.permissionScope !== 'Cluster' || scopes.length === 0) return undefined
  const message = `${who}, and ${identity} is Namespaced: ${requirer.identity} is a Cluster package, which has no namespace to put that in`
  return {severity: 'error' as const, rule: 'scope', message}
}

/** The owner is known, and serves what is asked for in no version that may be chosen. */
function staleFinding(problem: Problem, {demand, edge}: Need, who: string): Diagnostic {
  const {requirement} = demand
  const {identity, versions} = problem.node(edge.to)
  if (requirement.form === 'package') throw new RangeError('a package is no CRD')
  const served = versions.map(({summary}) => {
    const found = [...new Set(meant(requirement, summary.crds).flatMap(crd => crd.served))]
    return `${summary.tag} ${found.length === 0 ? 'does not own it' : `serves ${found.join(', ')}`}`
  })
  const message = `${who}, which ${identity} owns (${OWNER_WORDS[edge.because]}), but ${some(served)}`
  return {severity: 'error' as const, rule: 'stale-version', message}
}
