import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {Clock} from '../../http/clock.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {count, escaped} from '../../text.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {explained} from './explain.js'
import {observe} from './observe.js'
import type {Pending} from './observe.js'

/** The options of a wait. */
export interface WaitOptions {
  readonly api: Pick<ClusterApi, 'get' | 'list' | 'resource' | 'now'>
  readonly clock: Clock
  /** In milliseconds. */
  readonly timeout: number
  readonly signal?: AbortSignal
  /** Receives the objects that are not ready yet, after each read. */
  readonly report?: (pending: readonly Pending[]) => void
  /** Done again and again as long as the wait lasts: what another program can have undone. */
  readonly again?: () => Promise<void>
}

const CONCURRENT = 8
/** Milliseconds between two reads: short at first, since CRDs are established at once. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 2000

/**
 * Waits until objects are ready: CRDs established and served, Deployments available, Namespaces active. Throws
 * `timeout` with the reasons as diagnostics, at once if waiting cannot help; the signal's reason when it is aborted;
 * and the failures of requests.
 */
export async function waitUntilReady(objects: readonly ObjectName[], options: WaitOptions): Promise<void> {
  const {clock, timeout, signal, report, again} = options
  const end = clock.elapsed() + timeout
  let left = objects
  for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, pause * 1.5)) {
    signal?.throwIfAborted()
    const pending = await lookAt(left, options)
    if (pending.length === 0) return
    report?.(pending)
    const isHopeless = again === undefined && pending.some(({isFinal}) => isFinal === true)
    if (isHopeless || clock.elapsed() >= end) throw await notReady(pending, isHopeless, options)
    left = pending.map(({object}) => object)
    if (pause === LONGEST_PAUSE) await again?.()
    await clock.sleep(Math.min(pause, end - clock.elapsed()), signal)
  }
}

async function lookAt(objects: readonly ObjectName[], {api}: WaitOptions): Promise<readonly Pending[]> {
  const open = new Map<ObjectName, Pending>()
  await mapConcurrent(objects, CONCURRENT, async object => {
    const pending = await observe(api, object)
    if (pending !== undefined) open.set(object, pending)
  })
  return objects.flatMap(object => open.get(object) ?? [])
}

async function notReady(
  pending: readonly Pending[],
  isHopeless: boolean,
  {api, timeout}: WaitOptions,
): Promise<CrossplaneError> {
  const reasons = [...pending]
  await mapConcurrent([...pending.entries()], CONCURRENT, async ([index, object]) => {
    reasons[index] = await explained(api, object, api.now())
  })
  const objects = count(pending.length, 'object')
  const be = pending.length === 1 ? 'is' : 'are'
  const when = isHopeless ? '' : ` after ${Math.round(timeout / 1000)}s`
  const again = 'Fix the cause, and run the command again'
  return new CrossplaneError('timeout', `${objects} ${be} not ready${when}`, {
    diagnostics: reasons.map(diagnosticOf),
    suggestions: [
      ...pending.flatMap(({suggestions = []}) => suggestions),
      isHopeless ? `${again}.` : `${again}, or pass a longer --timeout.`,
    ],
  })
}

function diagnosticOf({object: {kind, namespace, name}, reason}: Pending): Diagnostic {
  const object = escaped(`${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`)
  return {
    severity: 'error',
    rule: 'not-ready',
    message: `${object} is not ready: ${reason}`,
    subject: {object},
  }
}
