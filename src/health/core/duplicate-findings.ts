import type {Diagnostic} from '../../diagnostic.js'
import {grouped} from '../../grouped.js'
import {duplicateRepositories} from '../../plan/cluster/core/lock/lock-problems.js'
import {requestText} from '../../plan/cluster/core/lock/problem-texts.js'
import type {CoreRequest, CoreState} from '../../plan/cluster/state/core-state.js'
import {unfinishedMoves} from '../../plan/cluster/state/move-state.js'
import {compareText} from '../../reference/compare-text.js'
import {requestName} from '../../reference/named.js'
import {commandLine, escaped, listNames, plural} from '../../text.js'
import {packageReadiness} from '../readiness/package-readiness.js'

/** Names the packages that several requests are for, with the command that repairs it; a move has two on purpose. */
export function duplicateFindings(core: CoreState): readonly Diagnostic[] {
  const moving = new Set(unfinishedMoves(core).map(({to}) => to.repository))
  const inLock = new Set(duplicateRepositories(core))
  const groups = grouped(
    core.requests.filter(({isTerminating}) => !isTerminating),
    ({repository}) => repository,
  )
  return [...groups].flatMap(([repository, requests]): readonly Diagnostic[] => {
    const [kept, ...others] = requests.toSorted(keptFirst)
    if (kept === undefined || others.length === 0 || moving.has(repository)) return []
    return [inLock.has(repository) ? stopping(requests) : beside(kept, others)]
  })
}

/** The repair of doctor reads first what is lost with each of them. */
function stopping(requests: readonly CoreRequest[]): Diagnostic {
  const [{repository} = {repository: ''}] = requests
  return {
    severity: 'warning',
    rule: 'xpkg-duplicate',
    message: `${listNames(requests.map(requestText))} request ${escaped(repository)}, which stops all packages`,
    subject: {package: repository},
    suggestions: ['kubectl crossplane doctor --repair'],
  }
}

function beside(kept: CoreRequest, others: readonly CoreRequest[]): Diagnostic {
  return {
    severity: 'warning',
    rule: 'xpkg-duplicate',
    message: `${listNames(others.map(requestText))} ${plural(others.length, 'requests', 'request')} ${escaped(kept.repository)}, as ${requestText(kept)} does: Crossplane can install only one of them`,
    subject: {package: kept.repository},
    suggestions: others.map(other => commandLine(['package', 'uninstall', requestName(other)])),
  }
}

/** What a user requested, what works, and what is older stays. */
function keptFirst(a: CoreRequest, b: CoreRequest): number {
  return (
    Number(a.isByCore) - Number(b.isByCore) ||
    Number(isHealthy(b)) - Number(isHealthy(a)) ||
    compareText(a.created, b.created) ||
    compareText(a.name, b.name)
  )
}

function isHealthy({object}: CoreRequest): boolean {
  return packageReadiness(object).state === 'healthy'
}
