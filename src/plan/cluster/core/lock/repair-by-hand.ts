import {requestName} from '../../../../reference/named.js'
import {plural, shellWord} from '../../../../text.js'
import {moveWays} from '../../state/move-state.js'
import type {LockProblem} from './lock-problems.js'

/** Returns what the user can do about a problem that has no safe repair. */
export function byHand(problem: LockProblem): readonly string[] {
  switch (problem.kind) {
    case 'requests':
      return ['Back up the custom resources of these kinds before you delete a request by hand.']
    case 'leftover':
      return [
        `Remove ${plural(problem.entries.length, 'this entry', 'these entries')} of the Lock: kubectl edit locks.pkg.crossplane.io lock`,
      ]
    case 'cycle':
      return ['Install a version of one of these packages that does not require the others.']
    case 'failure':
      return ['Correct the constraint, the tag or the registry that Crossplane names.']
    case 'move':
      return moveWays(problem.move)
    case 'name': {
      const {kind, repository} = problem.request
      return kind === 'Provider'
        ? [
            `kubectl crossplane package move ${shellWord(requestName(problem.request))} ${shellWord(repository)}`,
          ]
        : []
    }
    case 'revisions':
      return []
  }
}
