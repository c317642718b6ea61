import {CrossplaneError} from '../errors.js'
import type {ErrorCode} from '../errors.js'
import {parseJson} from '../fetch/json-document.js'
import {quoted} from '../text.js'
import {isJsonObject} from '../yaml/json-value.js'
import type {JsonValue} from '../yaml/json-value.js'
import {FailedAnswer, beginningOf} from '../http/failed-answer.js'
import {hidden} from '../http/hidden.js'
import type {HttpResponse} from '../http/http.js'
import {shownUrl} from '../http/shown-url.js'

/** A request, for the message about its failure. `aim` completes the sentence "cannot …". */
export interface FailedRequest {
  readonly method: string
  readonly url: URL
  readonly aim: string
  /** The registry that the request is for, not its token server; suggestions name it. */
  readonly registry: string
  /** Whether credentials were sent. */
  readonly isAuthenticated: boolean
  /** The secrets of the request, which must not be shown, should the server repeat them. */
  readonly secrets: readonly string[]
}

/** Turns a response into an error. Reads the start of its body, for the reasons of the registry. */
export async function failedAnswer(response: HttpResponse, request: FailedRequest): Promise<CrossplaneError> {
  const {status} = response
  const isSafe = (text: string) => !request.secrets.some(secret => text.includes(secret))
  const reasons = await reasonsIn(response, isSafe)
  const cause = new FailedAnswer(
    [
      `${request.method} ${hidden(shownUrl(request.url), request.secrets)}: status ${status}`,
      ...retryAfterOf(response).filter(isSafe),
      ...reasons,
    ].join('; '),
    response,
  )
  const {code, why, suggestions = []} = meaningOf(status, request)
  const message = `cannot ${request.aim}: ${why} (${request.url.host})`
  return new CrossplaneError(code, message, {cause, suggestions})
}

/** The wait that the server requires: the reason for not retrying, if it is very long. */
function retryAfterOf({headers}: HttpResponse): readonly string[] {
  const wait = headers['retry-after'] ?? ''
  return !/^(?:\d{1,9}|[A-Z][a-z]{2}, [\w: ]{1,30} GMT)$/.test(wait) ? [] : [`Retry-After is ${quoted(wait)}`]
}

interface Meaning {
  readonly code: ErrorCode
  readonly why: string
  readonly suggestions?: readonly string[]
}

function meaningOf(status: number, {registry, isAuthenticated}: FailedRequest): Meaning {
  const login = `kubectl crossplane registry login ${registry}`
  switch (status) {
    case 401:
      return isAuthenticated
        ? {
            code: 'access-denied',
            why: 'authentication failed',
            suggestions: [`Check the repository name, or log in again: ${login}`],
          }
        : {code: 'access-denied', why: 'authentication required', suggestions: [`Log in: ${login}`]}
    case 403:
      return {
        code: 'access-denied',
        why: 'permission denied',
        suggestions: [
          isAuthenticated
            ? `Check the repository name, or log in with an account that has access: ${login}`
            : `Check the repository name, or log in: ${login}`,
        ],
      }
    case 404:
      return {
        code: 'not-found',
        why: 'not found',
        suggestions: ['Check the host, and the name of the repository.'],
      }
    case 429:
      return {
        code: 'registry-failed',
        why: 'too many requests',
        suggestions: isAuthenticated
          ? ['Try again later.']
          : [`Try again later, or log in, since many registries then allow more requests: ${login}`],
      }
    default:
      return {
        code: 'registry-failed',
        why: `unexpected status ${status}`,
        suggestions: ['Check that the host is a registry, or try again later.'],
      }
  }
}

const MAX_REASONS = 3

/** https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#error-codes */
async function reasonsIn(
  response: HttpResponse,
  isSafe: (text: string) => boolean,
): Promise<readonly string[]> {
  const errors = errorsIn(await beginningOf(response))
  return errors.slice(0, MAX_REASONS).flatMap(error => {
    if (!isJsonObject(error)) return []
    const texts = [error['code'], error['message']].filter(text => typeof text === 'string')
    return texts.every(isSafe) && texts.length > 0 ? [texts.map(quoted).join(' ')] : []
  })
}

function errorsIn(bytes: Uint8Array): readonly JsonValue[] {
  try {
    const body = parseJson(bytes, 'the answer')
    const errors = isJsonObject(body) ? body['errors'] : undefined
    return Array.isArray(errors) ? (errors as readonly JsonValue[]) : []
  } catch {
    return []
  }
}
