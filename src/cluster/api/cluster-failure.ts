import {CrossplaneError} from '../../errors.js'
import {FailedAnswer} from '../../http/failed-answer.js'
import type {HttpResponse} from '../../http/http.js'
import {quoted} from '../../text.js'
import type {ServerStatus, StatusCause} from './server-status.js'

/** A field that another manager owns. Both are the server's text. */
export interface FieldConflict {
  readonly manager: string
  /** Such as `.spec.replicas`. */
  readonly field: string
}

/**
 * A response of an API server that is not a success, as the cause of a `CrossplaneError`. The message is for users; all
 * other text is as the server sent it, and untrusted.
 */
export class ClusterFailure extends FailedAnswer {
  /** The reason of the server's `Status`, such as `NotFound`; empty without one. */
  readonly reason: string
  /** The message of the server's `Status`, shortened. */
  readonly serverMessage: string
  readonly causes: readonly StatusCause[]

  constructor(request: string, response: Pick<HttpResponse, 'status' | 'headers'>, status: ServerStatus) {
    super(failureText(request, response, status), response)
    this.reason = status.reason
    this.serverMessage = status.message
    this.causes = status.causes
  }

  /** Whether the kind is not served: soon after a CRD is established, some servers of a cluster do not know it yet. */
  get isUnserved(): boolean {
    const {status, reason, serverMessage} = this
    return status === 404 && (reason === '' || serverMessage === UNSERVED)
  }

  /**
   * Whether an admission webhook did not answer, or answered incorrectly. The server has waited for it already, as long
   * as its configuration says, and nothing is changed.
   */
  get isWebhookFailure(): boolean {
    return this.serverMessage.includes(WEBHOOK_FAILURE)
  }

  /** Whether an applied object does not have the types of its fields, which some servers report as a failure of theirs. */
  get isTypeError(): boolean {
    return this.serverMessage.startsWith(TYPE_ERROR)
  }

  /** The fields that kept a server-side apply from being applied. */
  get conflicts(): readonly FieldConflict[] {
    return this.causes
      .filter(({reason}) => reason === 'FieldManagerConflict')
      .map(({field, message}) => ({field, manager: managerIn(message)}))
  }
}

const WEBHOOK_FAILURE = 'failed calling webhook'
const TYPE_ERROR = 'failed to create typed patch object'
const UNSERVED = 'the server could not find the requested resource'

/** Returns the response that an error is about; undefined for any other error. */
export function failureOf(error: unknown): ClusterFailure | undefined {
  const cause = error instanceof CrossplaneError ? error.cause : undefined
  return cause instanceof ClusterFailure ? cause : undefined
}

const MAX_SHOWN = 8

function failureText(
  request: string,
  {status, headers}: Pick<HttpResponse, 'status' | 'headers'>,
  {message, causes}: ServerStatus,
): string {
  const wait = headers['retry-after'] ?? ''
  return [
    `${request}: status ${status}`,
    ...(/^\d{1,9}$/.test(wait) ? [`Retry-After is ${wait}`] : []),
    ...(message === '' ? [] : [quoted(message)]),
    ...causes.slice(0, MAX_SHOWN).map(cause => quoted(`${cause.field}: ${cause.message}`)),
  ].join('; ')
}

/** `conflict with "kubectl" using apps/v1`: managers are quoted as Go does. */
function managerIn(message: string): string {
  const [, name] = /^conflict with ("(?:[^"\\]|\\.)*")/.exec(message) ?? []
  try {
    return name === undefined ? message : String(JSON.parse(name))
  } catch {
    return message
  }
}
