import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {CrossplaneError} from '../errors.js'
import {readinessOf} from '../cluster/readiness/readiness.js'
import {waitUntilReady, type WaitOptions} from '../cluster/readiness/wait.js'
import {isCrd} from '../kubernetes/crd-kind.js'
import {objectKey, objectText} from '../kubernetes/object-key.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import type {Operation} from '../plan/plan.js'
import {listCrds} from './list-crds.js'
import {readObjects} from './observe-cluster.js'
import {expectsAbsence, nameIn} from './operation-parts.js'

/** How to wait, with a client that lists objects for many at a time. */
interface WaitForOptions extends WaitOptions {
  readonly api: ClusterApi
}

/** Milliseconds between two looks at objects that are being deleted. */
const PAUSE = 250

/** Waits until the objects of operations are ready, or gone where an operation expects that. Throws `timeout`. */
export async function waitFor(operations: readonly Operation[], options: WaitForOptions): Promise<void> {
  await waitUntilReady(operations.filter(each => !expectsAbsence(each)).map(nameIn), options)
  await waitUntilGone(operations.filter(expectsAbsence).map(nameIn), options)
}

async function waitUntilGone(objects: readonly ObjectName[], options: WaitForOptions): Promise<void> {
  const {api, clock, timeout, signal} = options
  const end = clock.now() + timeout
  for (let left = objects; left.length > 0;) {
    signal?.throwIfAborted()
    left = await existing(left, api)
    const [first] = left
    if (first !== undefined && clock.now() >= end) throw await notDeleted(first, api)
    if (first !== undefined) await clock.sleep(PAUSE, signal)
  }
}

/** Returns those of the objects that exist, in their order. */
async function existing(names: readonly ObjectName[], api: ClusterApi): Promise<readonly ObjectName[]> {
  const crds = await listCrds(names, api)
  const others = await readObjects(crds === undefined ? names : names.filter(name => !isCrd(name)), api)
  return names.filter(name => others.has(objectKey(name)) || crds?.has(objectKey(name)) === true)
}

async function notDeleted(object: ObjectName, api: ClusterApi): Promise<CrossplaneError> {
  const found = await api.get(object)
  const readiness = found === undefined ? undefined : readinessOf(found)
  const why = readiness?.ready === false ? `: ${readiness.reason}` : ''
  return new CrossplaneError('timeout', `${objectText(object)} is not deleted${why}`, {
    suggestions: ['Fix the cause, and run the command again, or pass a longer --timeout.'],
  })
}
