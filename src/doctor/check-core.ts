import {type CoreState, isPaused} from '../plan/cluster/state/core-state.js'
import type {LockProblem} from '../plan/cluster/core/lock/lock-problems.js'
import {problemText} from '../plan/cluster/core/lock/problem-texts.js'
import {byHand} from '../plan/cluster/core/lock/repair-by-hand.js'
import {resolverWarnings} from '../plan/cluster/core/resolver-change.js'
import {duplicateFindings} from '../health/core/duplicate-findings.js'
import {requestFindings} from '../health/core/request-findings.js'
import {count} from '../text.js'
import {type Check, okCheck} from './check.js'

/** Checks the Lock of a current Crossplane. */
export function checkCoreLock(problems: readonly LockProblem[], core: CoreState): readonly Check[] {
  const named = problems.flatMap(problem => (problem.kind === 'requests' ? [problem.repository] : []))
  const duplicates = duplicateFindings(core).filter(({subject}) => !named.includes(subject?.package ?? ''))
  const mixed = [...duplicates, ...resolverWarnings(core)]
  if (problems.length + mixed.length === 0)
    return [okCheck('core-lock', `${count(core.requests.filter(isRead).length, 'package')}, all resolved`)]
  return [
    ...problems.map((problem): Check => ({
      id: 'core-lock',
      state: problem.kind === 'name' || problem.kind === 'failure' ? 'warning' : 'broken',
      message: problemText(problem),
      suggestion: remedy(problem),
    })),
    ...mixed.map(({message, suggestions = []}): Check => ({
      ...{id: 'core-lock', state: 'warning', message},
      // Of several commands, each is for a state that the one before leads to.
      suggestion: suggestions.length === 1 ? (suggestions[0] ?? '') : 'kubectl crossplane package status',
    })),
  ]
}

function isRead({revision}: CoreState['requests'][number]): boolean {
  return revision !== undefined
}

/** Checks whether the packages of a current Crossplane work; what is paused, a user has stopped. */
export function checkPackages(core: CoreState): readonly Check[] {
  const requests = core.requests.filter(request => !isPaused(request))
  return requestFindings({...core, requests}).map(
    ({message, suggestions: [suggestion = ''] = []}): Check => ({
      ...{id: 'package', state: 'warning', message, suggestion},
    }),
  )
}

function remedy(problem: LockProblem): string {
  const [first] = byHand(problem)
  if (first !== undefined && !isRepairable(problem)) return first
  return problem.kind === 'name'
    ? 'Run doctor again after its next upgrade, and then: kubectl crossplane doctor --repair'
    : 'kubectl crossplane doctor --repair'
}

function isRepairable(problem: LockProblem): boolean {
  return problem.kind === 'revisions' || (problem.kind === 'requests' && problem.lost.length === 0)
}
