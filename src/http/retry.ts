import {CrossplaneError} from '../errors.js'
import type {ErrorCode} from '../errors.js'
import type {Clock} from './clock.js'
import {FailedAnswer} from './failed-answer.js'

/** All attempts, including the first, unless the caller limits them. */
const ATTEMPTS = 5

const SECOND = 1000
const FIRST_WAIT = SECOND / 2
const LONGEST_WAIT = 16 * SECOND
/** A longer `Retry-After` fails at once. */
const LONGEST_RETRY_AFTER = 60 * SECOND

/** Statuses of a server that a retry does not change. */
const LASTING: readonly number[] = [501, 505]

/** There was no response, or an incomplete one. */
const NO_ANSWER: readonly ErrorCode[] = ['registry-unreachable', 'cluster-unreachable']

/** Statuses from 520 are of proxies in front of a server. */
function isTemporaryStatus(status: number): boolean {
  return status === 429 || (status >= 500 && !LASTING.includes(status))
}

/** An attempt that failed and is made again; `done` and `total` are the failed and the allowed attempts. */
export interface RetryEvent {
  readonly kind: 'retry'
  readonly name: string
  readonly done: number
  readonly total: number
  /** Milliseconds until the next attempt. */
  readonly wait: number
}

/** The operation to retry, with its name for progress. */
export interface Retrying {
  readonly clock: Clock
  readonly name: string
  /** All attempts, including the first; 5 by default. */
  readonly attempts?: number | undefined
  /** Reports whether a failure is temporary regardless of its status; its cause is the response. */
  readonly isTemporary?: (answer: FailedAnswer) => boolean
  /** Reports whether a failure is permanent although its status is a temporary one. */
  readonly isLasting?: (answer: FailedAnswer) => boolean
  /**
   * Reports whether the server has answered before. A connection that it rejects before it did is one to a wrong address, not to a
   * server that starts again.
   */
  readonly hasAnswered?: (() => boolean) | undefined
  readonly report?: ((event: RetryEvent) => void) | undefined
  /** Once aborted, no other attempt is made. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Retries after 429, 5xx, a lost connection, and other temporary failures. A request whose response was lost may have
 * been executed, so `act` must be idempotent. Throws the last failure, or the signal's reason when it is aborted.
 */
export async function retried<T>(retrying: Retrying, act: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await act()
    } catch (error) {
      await waitOrThrow(retrying, error, failures)
      retrying.signal?.throwIfAborted()
    }
  }
}

/** Waits until the next attempt, or until the signal is aborted; throws the error if there is no attempt left. */
export async function waitOrThrow(retrying: Retrying, error: unknown, failures: number): Promise<void> {
  const {clock, name, report, signal, attempts = ATTEMPTS} = retrying
  const minimum = isRetryable(error, retrying) ? retryAfter(error, clock.now()) : undefined
  if (minimum === undefined || minimum > LONGEST_RETRY_AFTER || failures >= attempts) throw error
  const wait = Math.round(minimum + clock.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures))
  report?.({kind: 'retry', name, done: failures, total: attempts, wait})
  await clock.sleep(wait, signal)
}

function isRetryable(
  error: unknown,
  {isTemporary, isLasting, hasAnswered}: Retrying,
): error is CrossplaneError {
  if (!(error instanceof CrossplaneError)) return false
  const {cause} = error
  if (NO_ANSWER.includes(error.code)) {
    if (systemCodeOf(cause) === 'ECONNREFUSED') return hasAnswered?.() !== false
    return !isUnknownHost(cause)
  }
  if (!(cause instanceof FailedAnswer) || isLasting?.(cause) === true) return false
  return isTemporaryStatus(cause.status) || isTemporary?.(cause) === true
}

/** A name that has no address does not get one within seconds. */
function isUnknownHost(cause: unknown): boolean {
  return systemCodeOf(cause) === 'ENOTFOUND'
}

function systemCodeOf(cause: unknown): unknown {
  return (cause as {readonly code?: unknown} | undefined)?.code
}

/** Returns the `Retry-After` of an answer in milliseconds: seconds or a date, 0 for none. */
function retryAfter({cause}: CrossplaneError, now: number): number {
  const text = cause instanceof FailedAnswer ? (cause.retryAfter ?? '') : ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND
  const date = /^[A-Z][a-z]{2}, .{1,30} GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
