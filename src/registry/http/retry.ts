import {CrossplaneError} from '../../errors.js'
import type {Clock} from '../clock.js'
import {FailedAnswer} from './failed-answer.js'
import type {ReportProgress} from '../progress.js'

/** How often something is tried in all. */
const ATTEMPTS = 5

const SECOND = 1000
const FIRST_WAIT = SECOND / 2
const LONGEST_WAIT = 16 * SECOND
/** Who asks for more patience than this is told so at once. */
const LONGEST_RETRY_AFTER = 60 * SECOND

/** What a server cannot do it cannot do a moment later either. */
const LASTING: readonly number[] = [501, 505]

/** Answers that may be others a moment later; those from 520 on are of proxies before a registry. */
function mayPass(status: number): boolean {
  return status === 429 || (status >= 500 && !LASTING.includes(status))
}

/** Whose attempts these are, for progress. */
export interface Retrying {
  readonly clock: Clock
  readonly name: string
  readonly report?: ReportProgress | undefined
}

/**
 * Does something that may fail for a moment until it does not, or has been tried often enough. Everything that is
 * done here may be done twice: what is read, what is stored under its own digest or as the same tag again; an upload
 * begun twice leaves one that the registry forgets, and a refresh token that was used up is refused either way.
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

/** Waits until another attempt is due after so many failures; throws the error when there is no point in one. */
export async function waitOrThrow(retrying: Retrying, error: unknown, failures: number): Promise<void> {
  const {clock, name, report} = retrying
  const asked = isRetryable(error) ? retryAfter(error, clock.now()) : undefined
  if (asked === undefined || asked > LONGEST_RETRY_AFTER || failures >= ATTEMPTS) throw error
  const wait = Math.round(asked + clock.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures))
  report?.({kind: 'retry', name, done: failures, total: ATTEMPTS, wait})
  await clock.sleep(wait)
}

function isRetryable(error: unknown): error is CrossplaneError {
  if (!(error instanceof CrossplaneError)) return false
  if (error.code === 'registry-unreachable') return true
  return error.cause instanceof FailedAnswer && (mayPass(error.cause.status) || isUnnoticed(error.cause))
}

/**
 * A manifest is stored when all of its blobs are. A registry that lacks one all the same may find it a moment later:
 * docker-registry does not see what somebody else is uploading once more.
 */
function isUnnoticed({message}: FailedAnswer): boolean {
  return message.includes('"MANIFEST_BLOB_UNKNOWN"')
}

/** Milliseconds that the server wants to be left alone: seconds or a date, 0 when it does not say. */
function retryAfter({cause}: CrossplaneError, now: number): number {
  const text = cause instanceof FailedAnswer ? (cause.retryAfter ?? '') : ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND
  const date = /^[A-Z][a-z]{2}, .{1,30} GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
