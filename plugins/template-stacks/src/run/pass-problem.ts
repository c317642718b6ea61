import {CrossplaneError, type ErrorCode, failureOf} from 'kubectl-crossplane/plugin'

/** A reason why a pass is not complete: for the condition, the Event and the log. */
export interface PassProblem {
  /** CamelCase. */
  readonly reason: string
  readonly message: string
}

/** Words a failure, and names the rule of RBAC that is missing. */
export function problemOf(error: CrossplaneError): PassProblem {
  const rule = missingRule(failureOf(error)?.serverMessage ?? '')
  const details = error.diagnostics.map(({file, line, message}) =>
    [file, line, ` ${message}`].filter(part => part !== undefined).join(':'),
  )
  const text =
    details.length === 0 ? error.message : `${error.message}: ${details.slice(0, MAX_SHOWN).join('; ')}`
  if (rule !== undefined) return {reason: 'PermissionDenied', message: `${text}; ${rule}`}
  return {reason: REASONS[error.code] ?? 'ReconcileError', message: text}
}

const MAX_SHOWN = 3

const REASONS: Partial<Record<ErrorCode, string>> = {
  'package-invalid': 'TemplateError',
  'input-invalid': 'TemplateError',
  'source-unsafe': 'TemplateError',
  unsupported: 'TemplateError',
  'limit-exceeded': 'LimitExceeded',
  timeout: 'Timeout',
  'not-found': 'KindNotServed',
  'cluster-rejected': 'Rejected',
  'cluster-denied': 'PermissionDenied',
}

/** `… cannot patch resource "things" in API group "example.org" in the namespace "team"`, as Kubernetes writes it. */
const DENIED = /cannot \w+ resource "([^"/]+)(?:\/[^"]*)?" in API group "([^"]*)"/

function missingRule(serverMessage: string): string | undefined {
  const [, resource, group = ''] = DENIED.exec(serverMessage) ?? []
  if (resource === undefined) return undefined
  const rule = `{apiGroups: ["${group}"], resources: ["${resource}"], verbs: ["*"]}`
  const crd = group === '' ? '' : `, which "crd: ${resource}.${group}" in dependsOn of the package adds`
  return `the role of the stack lacks the rule ${rule}${crd}`
}

/** Joins the problems of several objects. */
export function joined([first, ...others]: readonly PassProblem[]): PassProblem | undefined {
  if (first === undefined) return undefined
  const shown = others.slice(0, MAX_SHOWN).map(({message}) => message)
  const more = others.length > MAX_SHOWN ? [`and ${others.length - MAX_SHOWN} more`] : []
  return {reason: first.reason, message: [first.message, ...shown, ...more].join('; ')}
}

/** Runs work, and returns the failure that the user can fix. */
export async function attempt(work: () => Promise<void>): Promise<CrossplaneError | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof CrossplaneError) return error
    throw error
  }
}
