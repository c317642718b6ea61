import {CrossplaneError} from '../../errors.js'
import type {ErrorCode} from '../../errors.js'
import type {HttpResponse} from '../../http/http.js'
import {listNames, listSome, quoted, shellWord} from '../../text.js'
import {ClusterFailure} from './cluster-failure.js'
import type {ServerStatus} from './server-status.js'

/** The action of a request, for messages about its failure. */
export interface RequestAim {
  /** Completes the sentence "cannot …": `apply Deployment system/controller`. */
  readonly aim: string
  /** As RBAC names it. */
  readonly verb: string
  /** `deployments.apps`; undefined for a request that is not about a resource. */
  readonly resource?: string
  readonly namespace?: string
  /** Whether a request is for a namespaced resource in all namespaces. */
  readonly isEverywhere?: boolean
}

/** A failed exchange; `request` is its method and URL, as they can be shown. */
export interface FailedRequest {
  readonly request: string
  readonly aim: RequestAim
  readonly response: Pick<HttpResponse, 'status' | 'headers'>
  readonly status: ServerStatus
}

/**
 * Creates the error for a response that is not a success: `cluster-denied`, `conflict-with-manager`, `cluster-rejected`
 * (invalid, exists already, changed in the meantime, rejected by admission), `not-found` or `cluster-failed`.
 */
export function statusError({request, aim, response, status}: FailedRequest): CrossplaneError {
  const cause = new ClusterFailure(request, response, status)
  const {code, why, suggestions = []} = meaningOf(cause, aim)
  return new CrossplaneError(code, `cannot ${aim.aim}: ${why}`, {cause, suggestions})
}

interface Meaning {
  readonly code: ErrorCode
  readonly why: string
  readonly suggestions?: readonly string[]
}

function meaningOf(failure: ClusterFailure, aim: RequestAim): Meaning {
  const webhook = webhookIn(failure.serverMessage)
  if (webhook !== undefined) return webhookMeaning(webhook, failure)
  return failure.isTypeError ? rejected(failure) : statusMeaning(failure, aim)
}

function statusMeaning(failure: ClusterFailure, aim: RequestAim): Meaning {
  switch (failure.status) {
    case 400:
    case 413:
    case 422:
      return rejected(failure)
    case 401:
      return {
        code: 'cluster-denied',
        why: 'authentication failed',
        suggestions: [CHECK_USER],
      }
    case 403:
      return forbidden(failure, aim)
    case 404:
      return {code: 'not-found', why: `not found${afterColon(failure)}`}
    case 409:
      return conflicting(failure)
    case 429:
      return {code: 'cluster-failed', why: `too many requests${afterColon(failure)}`}
    default:
      return {code: 'cluster-failed', why: `unexpected status ${failure.status}${afterColon(failure)}`}
  }
}

function rejected(failure: ClusterFailure): Meaning {
  return {code: 'cluster-rejected', why: `rejected by the API server${afterColon(failure)}`}
}

function webhookMeaning(webhook: string, failure: ClusterFailure): Meaning {
  const suggestions = failure.isWebhookFailure ? [LIST_WEBHOOKS] : []
  return {code: 'cluster-rejected', why: `${webhook}${afterColon(failure)}`, suggestions}
}

/** Admission rejects with 403 too, for quotas and namespaces that are terminating; authorization names a user. */
function forbidden(failure: ClusterFailure, aim: RequestAim): Meaning {
  const {serverMessage} = failure
  const [, user, verb] = /\b[Uu]ser ("(?:[^"\\]|\\.)*") cannot ([a-z]+) /.exec(serverMessage) ?? []
  const isDenied = user !== undefined || /attempting to grant|^forbidden: |^$/.test(serverMessage)
  if (!isDenied) return rejected(failure)
  const {resource, namespace} = aim
  if (user === undefined) return {code: 'cluster-denied', why: `permission denied${afterColon(failure)}`}
  if (resource === undefined) return deniedPath(user, failure)
  const where = namespace === undefined ? '' : ` in namespace ${quoted(namespace)}`
  const denied = verb ?? aim.verb
  return {
    code: 'cluster-denied',
    why: `permission denied: user ${quoted(unquoted(user))} cannot ${denied} ${resource}${where}`,
    suggestions: [`Request the permission, and check it: ${canI(denied, resource, aim)}`],
  }
}

/** Every user that is authenticated can read most paths by default: the user is often not the intended one. */
function deniedPath(user: string, failure: ClusterFailure): Meaning {
  const [, verb, path] = /" cannot ([a-z]+) path "([^"]+)"/.exec(failure.serverMessage) ?? []
  const denied =
    path === undefined ? undefined : `: user ${quoted(unquoted(user))} cannot ${verb} path ${quoted(path)}`
  return {
    code: 'cluster-denied',
    why: `permission denied${denied ?? afterColon(failure)}`,
    suggestions: [CHECK_USER],
  }
}

function canI(verb: string, resource: string, {namespace, isEverywhere = false}: RequestAim): string {
  const everywhere = isEverywhere ? ['--all-namespaces'] : []
  const place = namespace === undefined ? everywhere : ['-n', shellWord(namespace)]
  return ['kubectl auth can-i', verb, shellWord(resource), ...place].join(' ')
}

function conflicting(failure: ClusterFailure): Meaning {
  const {conflicts} = failure
  if (conflicts.length === 0) return {code: 'cluster-rejected', why: `conflict${afterColon(failure)}`}
  const fields = listSome(
    conflicts.map(({field}) => quoted(field)),
    3,
  )
  const managers = [...new Set(conflicts.map(({manager}) => manager))]
  return {
    code: 'conflict-with-manager',
    why: `${listNames(managers)} ${managers.length === 1 ? 'manages' : 'manage'} ${fields}`,
    suggestions: ['Take the fields over with --force-conflicts.'],
  }
}

const CHECK_USER = 'Check the credentials of the kubeconfig: kubectl auth whoami'
const LIST_WEBHOOKS = 'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations'
const DENIED = /^admission webhook ("(?:[^"\\]|\\.){1,300}") denied the request/
const FAILED = /failed calling webhook ("(?:[^"\\]|\\.){1,300}")/

function webhookIn(message: string): string | undefined {
  const denied = DENIED.exec(message)?.[1]
  if (denied !== undefined) return `rejected by admission webhook ${quoted(unquoted(denied))}`
  const failed = FAILED.exec(message)?.[1]
  return failed === undefined ? undefined : `admission webhook ${quoted(unquoted(failed))} failed`
}

function unquoted(text: string): string {
  return text.slice(1, -1)
}

function afterColon({serverMessage}: ClusterFailure): string {
  return serverMessage === '' ? '' : `: ${quoted(serverMessage)}`
}
