import type {LockProblem} from '../plan/cluster/core/lock/lock-problems.js'
import {problemText} from '../plan/cluster/core/lock/problem-texts.js'
import {byHand} from '../plan/cluster/core/lock/repair-by-hand.js'
import {count} from '../text.js'
import {type Check, okCheck} from './check.js'

/** Checks the Lock of a current Crossplane. */
export function checkCoreLock(problems: readonly LockProblem[], packages: number): readonly Check[] {
  if (problems.length === 0) return [okCheck('core-lock', `${count(packages, 'package')}, all resolved`)]
  return problems.map(problem => ({
    id: 'core-lock',
    state: problem.kind === 'name' || problem.kind === 'failure' ? 'warning' : 'broken',
    message: problemText(problem),
    suggestion: remedy(problem),
  }))
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
