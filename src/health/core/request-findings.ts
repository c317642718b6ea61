import type {Diagnostic} from '../../diagnostic.js'
import {type CoreRequest, isPaused, PAUSED, resumeCommand} from '../../plan/cluster/state/core-state.js'
import {requestText} from '../../plan/cluster/core/lock/problem-texts.js'
import {requestName} from '../../reference/named.js'
import {commandLine} from '../../text.js'
import {packageReadiness} from '../readiness/package-readiness.js'

/** Returns, for each request that is not healthy, what is wrong and the next step; that it is paused hides the rest. */
export function requestFindings(requests: readonly CoreRequest[]): readonly Diagnostic[] {
  return requests.flatMap(request => {
    const finding = isPaused(request) ? pausedFinding(request) : unhealthyFinding(request)
    return finding === undefined
      ? []
      : [{severity: 'warning', subject: {package: request.repository}, ...finding}]
  })
}

/** Names packages that a change does not wait for, because they were broken before. */
export function unawaitedFindings(requests: readonly CoreRequest[]): readonly Diagnostic[] {
  return requests.flatMap(request => {
    const finding = unhealthyFinding(request, ', and is not waited for')
    return finding === undefined ? [] : [{...finding, severity: 'warning', rule: 'xpkg-unhealthy'}]
  })
}

type Finding = Pick<Diagnostic, 'rule' | 'message' | 'suggestions'>

function pausedFinding(request: CoreRequest): Finding {
  return {
    rule: 'import-paused',
    message: `${requestText(request)} is paused: Crossplane does not install what its request says until the annotation ${PAUSED} is removed`,
    suggestions: [resumeCommand(request)],
  }
}

function unhealthyFinding(request: CoreRequest, more = ''): Finding | undefined {
  const readiness = packageReadiness(request.object)
  if (readiness.state === 'healthy') return undefined
  return {
    rule: 'import-unhealthy',
    message: `${requestText(request)} is not healthy${more}: ${readiness.reason}`,
    suggestions: [commandLine(['package', 'status', requestName(request)])],
  }
}
