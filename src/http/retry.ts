import {CrossplaneError} from '../errors.js'
import type {Clock} from './clock.js'
import {FailedAnswer} from './failed-answer.js'

/** All attempts, the first included. */
const ATTEMPTS = 5

const SECOND = 1000
const FIRST_WAIT = SECOND / 2
const LONGEST_WAIT = 16 * SECOND
/** A longer `Retry-After` fails at once. */
const LONGEST_RETRY_AFTER = 60 * SECOND

/** Statuses of servers that retrying does not change. */
const LASTING: readonly number[] = [501, 505]

/** Statuses from 520 are of proxies in front of a registry. */
function isTemporary(status: number): boolean {
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

/** What is retried, for progress. */
export interface Retrying {
  readonly clock: Clock
  readonly name: string
  readonly report?: ((event: RetryEvent) => void) | undefined
}

/**
 * Retries something that may fail temporarily. Everything done here can be done twice: reading, storing under a digest or
 * as the same tag again; an upload that is begun twice leaves one that the registry discards, and a refresh token that
 * was used up is rejected either way.
 */
export async function retried<T>(retrying: Retrying, act: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await act()
    } catch (error) {
      await waitOrThrow(retrying, error, failures)
    }
  }
}

/** Waits until the next attempt is due; throws the error if there is none. */
export async function waitOrThrow(retrying: Retrying, error: unknown, failures: number): Promise<void> {
  const {clock, name, report} = retrying
  const minimum = isRetryable(error) ? retryAfter(error, clock.now()) : undefined
  if (minimum === undefined || minimum > LONGEST_RETRY_AFTER || failures >= ATTEMPTS) throw error
  const wait = Math.round(minimum + clock.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures))
  report?.({kind: 'retry', name, done: failures, total: ATTEMPTS, wait})
  await clock.sleep(wait)
}

function isRetryable(error: unknown): error is CrossplaneError {
  if (!(error instanceof CrossplaneError)) return false
  if (error.code === 'registry-unreachable') return true
  return error.cause instanceof FailedAnswer && (isTemporary(error.cause.status) || isUnnoticed(error.cause))
}

/**
 * A manifest is stored after all of its blobs. A registry that misses one may find it a moment later: docker-registry does
 * not see a blob while another client uploads it again.
 */
function isUnnoticed({message}: FailedAnswer): boolean {
  return message.includes('"MANIFEST_BLOB_UNKNOWN"')
}

/** Returns the `Retry-After` of an answer in milliseconds: seconds or a date, 0 for none. */
function retryAfter({cause}: CrossplaneError, now: number): number {
  const text = cause instanceof FailedAnswer ? (cause.retryAfter ?? '') : ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND
  const date = /^[A-Z][a-z]{2}, .{1,30} GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
