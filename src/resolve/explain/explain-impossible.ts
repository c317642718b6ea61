import {grouped} from '../../index/grouped.js'
import {crdName, formatSummary, type OwnedCrd} from '../../index/package-summary.js'
import {factsAbout, factTable} from '../facts.js'
import {isNear} from './near-text.js'
import type {Demand, Problem} from '../search/problem.js'
import type {Question} from '../question.js'
import {type CrdNeed, isWildcard, meant} from '../requirement.js'
import type {Finding} from '../resolution.js'
import {needText, some} from './words.js'

/** A need that nothing meets, whatever is chosen: `who` says whose it is. */
export function explainImpossible(
  who: string,
  {requirement, outcome}: Demand,
  problem: Problem,
  question: Question,
): Finding[] {
  if (requirement.form !== 'crd' || outcome.kind !== 'impossible') return []
  const {ownership} = outcome
  if (ownership.kind === 'distrusted') {
    const {rule, candidates} = ownership
    const message = `${who}, which ${some(candidates)} owns, and you trust only ${rule.identity} with ${rule.group}`
    return [{rule: 'distrusted-owner', message}]
  }
  return [missing(who, requirement, problem, question), ...unknowns(requirement, question)]
}

function missing(who: string, need: CrdNeed, problem: Problem, question: Question): Finding {
  const group = needText({text: need.group})
  if (question.emptyGroups.includes(need.group)) {
    return {rule: 'never-existed-group', message: `${who}, and ${group} never had a kind in any release`}
  }
  const facts = factsAbout(need, factTable(question.facts))
  if (facts.length > 0) {
    const served = [...new Set(facts.flatMap(fact => fact.served ?? []))].sort()
    const origins = [...new Set(facts.map(fact => fact.origin))]
    const where = origins.includes('cluster') ? 'the cluster' : 'what is taken to be there'
    return {rule: 'stale-version', message: `${who}, and ${where} serves it as ${served.join(', ')} only`}
  }
  const owners = problem.table.ownersOf(need.group)
  if (owners.length > 0) {
    const crds = ownedCrds(question).filter(crd => crd.group === need.group)
    const names = [...new Set(crds.map(({plural}) => plural))].sort()
    const message = `${who}, and nobody owns that kind: ${some(owners)} owns ${some(names)} of ${group}`
    return {rule: 'missing-crd', message}
  }
  const near = nearest(need, question)
  const hint = near.length === 0 ? '' : `; near to it are ${some(near)}`
  return {rule: 'missing-group', message: `${who}, and nobody at hand owns a kind of ${group}${hint}`}
}

/** The same kind in another group, which it may have moved to, and groups that are spelled nearly alike. */
function nearest(need: CrdNeed, question: Question): string[] {
  const crds = ownedCrds(question)
  const moved = isWildcard(need)
    ? []
    : crds.filter(crd => meant({...need, group: crd.group}, [crd]).length > 0)
  const groups = crds.map(({group}) => group).filter(group => isNear(group, need.group))
  return [...new Set([...moved.map(crdName), ...groups])].sort()
}

/** What is owned as far as it is believed. */
function ownedCrds({summaries, excluded}: Question): OwnedCrd[] {
  const liars = new Set(excluded.filter(({kind}) => kind === 'lying').map(formatSummary))
  return summaries.filter(summary => !liars.has(formatSummary(summary))).flatMap(({crds}) => crds)
}

/** What might own it, and cannot be looked into or is not believed. */
function unknowns(need: CrdNeed, {unreadable, excluded, summaries}: Question): Finding[] {
  const hidden = grouped(excluded, ({identity, tag}) => `${identity}:${tag}`)
  const liars = summaries.filter(
    summary =>
      meant(need, summary.crds).length > 0 &&
      (hidden.get(formatSummary(summary)) ?? []).some(({kind}) => kind === 'lying'),
  )
  const findings = [
    ...liars.map(summary => ({
      rule: 'lying-candidate',
      message: `${formatSummary(summary)} claims to own it, and does not: its entry is not what the package is`,
    })),
    ...unreadable.map(each => ({
      rule: 'unreadable-candidate',
      message: `${formatSummary(each)} may own it, and cannot be read: ${each.reason}`,
    })),
  ]
  return findings.sort((a, b) => (a.message < b.message ? -1 : 1))
}
