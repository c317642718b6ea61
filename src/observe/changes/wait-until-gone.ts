import type {ClusterApi, ResourceKind} from '../../cluster/api/cluster-api.js'
import type {WaitOptions} from '../readiness/wait.js'
import {CrossplaneError} from '../../errors.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import {nameOf, objectKey, objectText} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {explainHanging} from '../../plan/cluster/uninstall/hanging-deletion.js'
import {uidOf} from '../../plan/cluster/state/ownership.js'
import {count} from '../../text.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {listCrds} from '../objects/list-crds.js'
import {readObjects} from '../objects/read-live.js'
import {observeHanging} from './observe-hanging.js'

/** The options of a wait, with a client that reads many objects with one list. */
export interface GoneOptions extends WaitOptions {
  readonly api: ClusterApi
}

/** An object that is being deleted; another one of its name does not count if the uid is known. */
export interface DeletedObject {
  readonly name: ObjectName
  readonly uid?: string
}

/** Milliseconds between two reads of objects: few of them are gone soon, many take longer. */
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 2000

/** Waits until objects are gone. Throws `timeout`, and the signal's reason when it is aborted. */
export async function waitUntilGone(objects: readonly DeletedObject[], options: GoneOptions): Promise<void> {
  const {api, clock, timeout, signal, report} = options
  const end = clock.elapsed() + timeout
  let left = objects
  for (let pause = FIRST_PAUSE; left.length > 0; pause = Math.min(LONGEST_PAUSE, pause * 1.2)) {
    signal?.throwIfAborted()
    left = await existing(left, api)
    if (left.length === 0) return
    report?.(left.map(({name}) => ({object: name, reason: 'it is being deleted'})))
    if (clock.elapsed() >= end) throw await notDeleted(left, api)
    await clock.sleep(Math.min(pause, end - clock.elapsed()), signal)
  }
}

/** The number of objects of one kind above which these are listed rather than read. */
const MAX_READS = 8

/** Returns the objects that exist, in their order. */
async function existing(
  objects: readonly DeletedObject[],
  api: ClusterApi,
): Promise<readonly DeletedObject[]> {
  const names = objects.map(({name}) => name)
  const crds = await listCrds(names, api)
  const others = crds === undefined ? names : names.filter(name => !isCrd(name))
  const isFew = isOfFew(others)
  const live = new Map([
    ...(crds ?? []),
    ...(await readObjects(others.filter(isFew), api)),
    ...(await listed(
      others.filter(name => !isFew(name)),
      api,
    )),
  ])
  return objects.filter(({name, uid}) => {
    const object = live.get(objectKey(name))
    return object !== undefined && (uid === undefined || uidOf(object) === uid)
  })
}

function isOfFew(names: readonly ObjectName[]): (name: ObjectName) => boolean {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(kindText(name), (counts.get(kindText(name)) ?? 0) + 1)
  return name => (counts.get(kindText(name)) ?? 0) <= MAX_READS
}

/** Reads the metadata of the objects that exist, by one list for each kind. */
async function listed(
  names: readonly ObjectName[],
  api: ClusterApi,
): Promise<ReadonlyMap<string, KubernetesObject>> {
  const requested = new Set(names.map(objectKey))
  const live = new Map<string, KubernetesObject>()
  for (const kind of new Map(names.map(name => [kindText(name), name])).values()) {
    const namespace = onlyNamespace(names.filter(name => kindText(name) === kindText(kind)))
    for await (const object of api.list(kind, {namespace, metadataOnly: true})) {
      const key = objectKey(nameOf(object))
      if (requested.has(key)) live.set(key, object)
    }
  }
  return live
}

/** The namespace that all objects are in: a user may be allowed to list them there only. */
function onlyNamespace(names: readonly ObjectName[]): string | undefined {
  const [first, ...others] = new Set(names.map(({namespace}) => namespace))
  return others.length === 0 ? first : undefined
}

function kindText({apiVersion, kind}: ResourceKind): string {
  return `${apiVersion} ${kind}`
}

/** The error for objects that still exist at the time limit: the first with the reason. */
async function notDeleted(left: readonly DeletedObject[], api: ClusterApi): Promise<CrossplaneError> {
  const [first] = left
  if (first === undefined) throw new RangeError('everything is deleted')
  const hanging = await observeHanging(first.name, api)
  const why = hanging && explainHanging(hanging)
  const more = left.length === 1 ? '' : ` (and ${count(left.length - 1, 'more object')})`
  const reason = why === undefined ? '' : `: ${why.reason}`
  return new CrossplaneError('timeout', `cannot delete ${objectText(first.name)}${more}${reason}`, {
    suggestions: why?.suggestions ?? ['Run the command again.'],
  })
}
