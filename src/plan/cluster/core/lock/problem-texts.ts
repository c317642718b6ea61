import {count, escaped, listNames, listSome, plural} from '../../../../text.js'
import type {CoreRequest} from '../../state/core-state.js'
import type {DuplicateRequests, LockProblem} from './lock-problems.js'
import type {OwnedObject} from './lost-objects.js'

/** Names a request as kubectl does: `provider/sql`. */
export function requestText({kind, name}: {readonly kind: string; readonly name: string}): string {
  return `${kind.toLowerCase()}/${escaped(name)}`
}

/** Says that a package is not healthy, with a reason that can begin with the same words. @param more - what follows from it. */
export function unhealthyText(reason: string, more = ''): string {
  const [, state, cause] = /^it (is not healthy(?: yet)?)(.*)$/s.exec(reason) ?? []
  return state === undefined ? `is not healthy${more}: ${reason}` : `${state}${more}${cause ?? ''}`
}

/** The cells of tables are short: what to do comes first. */
const STOPS = 'which stops all packages'

/** Returns what is wrong with a Lock, for users. */
export function problemText(problem: LockProblem): string {
  switch (problem.kind) {
    case 'requests':
      return duplicateText(problem)
    case 'revisions': {
      const {kept, others} = problem
      const older = listNames(others.map(({name}) => name))
      const request = requestText({...kept, name: kept.request})
      return `keep ${escaped(kept.name)} and deactivate ${older}: several revisions of ${request} are in the Lock, ${STOPS}`
    }
    case 'leftover': {
      const names = listNames(problem.entries.map(({name}) => name))
      const verb = plural(problem.entries.length, 'does', 'do')
      return `the Lock has ${names}, which ${verb} not exist, beside another revision of ${escaped(problem.repository)}, ${STOPS}`
    }
    case 'cycle':
      return `packages require each other in a cycle, so that no missing dependency is installed: ${problem.repositories.map(escaped).join(' → ')}`
    case 'failure':
      return `Crossplane cannot resolve the dependencies of packages: ${escaped(problem.message)}`
    case 'move': {
      const {to, record} = problem.move
      return `the move of ${requestText({kind: to.kind, name: record.from})} to ${requestText(to)} is not finished`
    }
    case 'name': {
      const {request, derived} = problem
      return `${requestText(request)} should be named ${derived}: while it is upgraded, Crossplane can request ${escaped(request.repository)} a second time, ${STOPS}`
    }
  }
}

function duplicateText({kept, others, repository, because, owned, lost}: DuplicateRequests): string {
  const both = `${plural(others.length, 'both', 'all')} request ${escaped(repository)}, ${STOPS}`
  const names = listSome(others.map(withOrigin))
  if (lost.length > 0) return `${withOrigin(kept)} and ${names} ${both}; ${lostText(lost)} with either`
  return `keep ${requestText(kept)} (${REASONS[because](owned)}) and delete ${names}: ${both}`
}

function withOrigin(request: CoreRequest): string {
  return `${requestText(request)}${request.isByCore ? ' (created by Crossplane)' : ''}`
}

const REASONS: Readonly<Record<DuplicateRequests['because'], (owned: number) => string>> = {
  owner: owned => `it owns ${count(owned, 'object')} of the package`,
  'by-user': () => 'Crossplane did not create it',
  older: () => 'it is older',
}

/** Returns what is deleted together with requests, as the rest of a sentence. */
function lostText(lost: readonly OwnedObject[]): string {
  const names = listSome(lost.map(({kind, name}) => `${kind} ${escaped(name)}`))
  return `Kubernetes deletes ${names}`
}
