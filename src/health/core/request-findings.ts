import type {Diagnostic} from '../../diagnostic.js'
import {
  type CoreRequest,
  type CoreState,
  isPaused,
  resumeCommand,
} from '../../plan/cluster/state/core-state.js'
import type {PausedRequest} from '../../plan/cluster/core/paused-requests.js'
import {requestText, unhealthyText} from '../../plan/cluster/core/lock/problem-texts.js'
import {requestName} from '../../reference/named.js'
import {commandLine, escaped} from '../../text.js'
import {packageReadiness} from '../readiness/package-readiness.js'
import {currentRevision} from './package-health.js'

/** Returns, for each request that is not healthy, what is wrong and the next step; that it is paused hides the rest. */
export function requestFindings(core: Pick<CoreState, 'requests' | 'revisions'>): readonly Diagnostic[] {
  return core.requests.flatMap(request => {
    const finding = isPaused(request) ? pausedFinding(request) : unhealthyFinding(request, core)
    return finding === undefined
      ? []
      : [{severity: 'warning', subject: {package: request.repository}, ...finding}]
  })
}

/** What a change does not wait for: packages that were broken before it, those that are paused after it, and what requires these. */
export interface UnawaitedPackages {
  readonly broken: readonly CoreRequest[]
  readonly paused: readonly PausedRequest[]
  /** Packages that Crossplane does not install before a paused one, which is not installed. */
  readonly blocked: readonly BlockedRequest[]
}

interface BlockedRequest extends Pick<CoreRequest, 'kind' | 'name' | 'repository'> {
  readonly by: PausedRequest
}

/** Names the packages that a change does not wait for. */
export function unawaitedFindings(
  {broken, paused, blocked}: UnawaitedPackages,
  core: Pick<CoreState, 'revisions'>,
): readonly Diagnostic[] {
  return [
    ...paused.map(({resume, ...request}): Diagnostic => ({
      severity: 'warning',
      rule: 'xpkg-paused',
      message: `${requestText(request)} is paused, and is not waited for`,
      suggestions: resume,
    })),
    ...blocked.map(({by, ...request}): Diagnostic => ({
      severity: 'warning',
      rule: 'xpkg-paused',
      message: `${requestText(request)} requires ${requestText(by)}, which is paused and not installed, and is not waited for`,
    })),
    ...broken.flatMap((request): readonly Diagnostic[] => {
      const finding = unhealthyFinding(request, core, ', and is not waited for')
      return finding === undefined ? [] : [{...finding, severity: 'warning', rule: 'xpkg-unhealthy'}]
    }),
  ]
}

/** Returns why a paused package cannot change its version: its files would have a version that the cluster never gets. */
export function pausedRejection({resume, ...request}: PausedRequest, version: string): Diagnostic {
  return {
    severity: 'error',
    rule: 'xpkg-paused',
    message: `${requestText(request)} is paused, so that Crossplane would not install ${escaped(version)}`,
    subject: {package: request.repository},
    suggestions: resume,
  }
}

type Finding = Pick<Diagnostic, 'rule' | 'message' | 'suggestions'>

function pausedFinding(request: CoreRequest): Finding {
  return {
    rule: 'import-paused',
    message: `${requestText(request)} is paused: Crossplane does not install what its request says, and paused: true keeps that in the files`,
    suggestions: [resumeCommand(request)],
  }
}

function unhealthyFinding(
  request: CoreRequest,
  core: Pick<CoreState, 'revisions'>,
  more = '',
): Finding | undefined {
  const readiness = packageReadiness(request.object, undefined, currentRevision(request, core)?.object)
  if (readiness.state === 'healthy') return undefined
  return {
    rule: 'import-unhealthy',
    message: `${requestText(request)} ${unhealthyText(readiness.reason, more)}`,
    suggestions: [commandLine(['package', 'status', requestName(request)])],
  }
}
