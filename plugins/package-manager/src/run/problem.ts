import {CrossplaneError, type Diagnostic} from 'kubectl-crossplane/plugin'

/** Why a request is not fulfilled. */
export interface Problem {
  /** CamelCase, for conditions and Events. */
  readonly reason: string
  readonly message: string
  /** Whether it can pass by itself, so that the request is tried again soon. */
  readonly isTransient?: true
  /** Whether a pull secret can end it, which cannot be watched without rights on all Secrets. */
  readonly needsSecret?: true
  /** The installs, as NAMESPACE/NAME, whose change can end it. */
  readonly waitsFor?: readonly string[]
}

/** Stops a pass with a problem. */
export class Stopped extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message)
  }
}

/** More than anyone reads. */
const MAX_TEXTS = 10
const MAX_MESSAGE = 4096

/** The reasons of failures, by their codes. What is not listed is a failure of the pass itself. */
const REASONS: Readonly<Record<string, string>> = {
  usage: 'InvalidRequest',
  'reference-invalid': 'InvalidRequest',
  'reference-incomplete': 'InvalidRequest',
  'input-invalid': 'InvalidRequest',
  'package-invalid': 'InvalidPackage',
  'source-invalid': 'InvalidPackage',
  'source-unsafe': 'InvalidPackage',
  'limit-exceeded': 'InvalidPackage',
  'digest-mismatch': 'InvalidPackage',
  unsupported: 'InvalidPackage',
  'scope-mismatch': 'ScopeMismatch',
  'permissions-refused': 'PermissionRefused',
  'policy-refused': 'PolicyRefused',
  'signature-refused': 'PolicyRefused',
  'not-found': 'PullFailed',
  'access-denied': 'PullFailed',
  'tls-refused': 'PullFailed',
  'registry-unreachable': 'PullFailed',
  'registry-failed': 'PullFailed',
  'credentials-failed': 'PullFailed',
  offline: 'PullFailed',
  'index-invalid': 'PullFailed',
  unresolvable: 'WaitingForDependency',
  'ambiguous-owner': 'AmbiguousOwner',
  conflict: 'Conflict',
  'cluster-refused': 'PolicyRefused',
  'conflict-with-manager': 'Conflict',
}

const TRANSIENT: readonly string[] = ['registry-unreachable', 'registry-failed', 'timeout', 'plan-outdated']

/** Returns why a pass failed; rethrows bugs. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Stopped) return error.problem
  if (!(error instanceof CrossplaneError)) throw error
  const {code, message, diagnostics, suggestions} = error
  const reason = REASONS[code]
  const texts = [message, ...diagnostics.map(textOf), ...suggestions.map(withoutCommand).filter(isSentence)]
  const isTransient = reason === undefined || TRANSIENT.includes(code)
  return {
    reason: reason ?? (code === 'timeout' ? 'PullFailed' : 'ReconcileError'),
    message: joined(texts),
    ...(isTransient ? {isTransient: true as const} : {}),
    ...(code === 'credentials-failed' ? {needsSecret: true as const} : {}),
  }
}

/** Throws the error of an apply: its time limits are those of Leases and objects, not of registries. */
export function rethrowOfApply(error: unknown): never {
  const isTimeLimit = error instanceof CrossplaneError && error.code === 'timeout'
  throw isTimeLimit ? new Stopped({...problemOf(error), reason: 'ReconcileError'}) : error
}

/** Returns why a plan is not applied. */
export function rejectedBy(rejections: readonly Diagnostic[], reason: string): Problem {
  return {reason, message: joined(rejections.map(textOf))}
}

function textOf({message, subject}: Diagnostic): string {
  const object = subject !== undefined && 'object' in subject ? subject.object : undefined
  return object === undefined || message.includes(object) ? message : `${object}: ${message}`
}

/** Suggestions for a terminal are commands and flags, which a condition has no use for: the manager tries again by itself. */
function isSentence(text: string): boolean {
  return /^[A-Z]/.test(text) && !text.includes('--') && !/\b(?:command|printed)\b/.test(text)
}

function withoutCommand(suggestion: string): string {
  return suggestion.replace(/, and run the command again\b/, '')
}

/** Joins texts, each once, in an order that does not change while nothing does. */
export function joined(texts: readonly string[]): string {
  const all = [...new Set(texts.filter(text => text !== ''))]
  const more = all.length > MAX_TEXTS ? [`and ${all.length - MAX_TEXTS} more`] : []
  return [...all.slice(0, MAX_TEXTS), ...more].join('; ').slice(0, MAX_MESSAGE)
}
