import type {InventoryObject} from '../cluster/inventory/inventory.js'
import type {LockedInstance} from '../declaration/lock.js'
import {isCrd} from '../kubernetes/crd-kind.js'
import {objectKey, objectText} from '../kubernetes/object-key.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import {uidOf} from '../plan/cluster/state/ownership.js'
import {present} from '../present.js'
import {escaped, listNames} from '../text.js'
import type {HealthSnapshot} from './health-snapshot.js'
import type {ObservedObject} from './observed-object.js'

/** A difference from what was applied, or from a lock file. */
export interface Drift {
  readonly from: 'applied' | 'lock'
  readonly object?: ObjectName
  /** States the fact. */
  readonly message: string
}

/** Compares the objects of an install with its inventory, and the install with a lock. */
export function driftOf(snapshot: HealthSnapshot): readonly Drift[] {
  const {inventory, crds, live, lock, denials} = snapshot
  const observed = new Map([...live, ...crds.map(object => [objectKey(nameIn(object)), object] as const)])
  // It is unknown which objects a change has applied that was not completed.
  const applied = inventory?.phase === 'complete' ? inventory.objects : []
  const isDenied = (object: ObjectName) =>
    denials.has(objectKey(object)) || (isCrd(object) && denials.has('crds'))
  return [
    ...applied
      .filter(object => !isDenied(object))
      .flatMap(object => objectDrift(object, observed.get(objectKey(object)))),
    ...(lock === undefined ? [] : lockDrift(liveInstall(snapshot), lock)),
  ]
}

function nameIn({object: {apiVersion, kind, metadata}}: ObservedObject): ObjectName {
  const {name, namespace} = metadata
  return {apiVersion, kind, name, ...present({namespace})}
}

function objectDrift(remembered: InventoryObject, observed: ObservedObject | undefined): Drift[] {
  const {uid, read, generation, sent: _sent, created: _created, ...object} = remembered
  const text = escaped(objectText(object))
  if (observed === undefined) return [{from: 'applied', object, message: `${text} does not exist`}]
  if (read === undefined) return []
  if (uid !== uidOf(observed.object)) {
    return [{from: 'applied', object, message: `${text} was deleted and created again`}]
  }
  const isSameSpec = generation === undefined || generation === observed.object.metadata.generation
  if (isSameSpec && observed.applied.includes(read)) return []
  const by = observed.managers.length === 0 ? '' : ` by ${listNames(observed.managers)}`
  return [{from: 'applied', object, message: `${text} was changed${by}`}]
}

function liveInstall({install: {namespace, name}, inventory}: HealthSnapshot): LiveInstance {
  return {namespace, name, ...present({installed: inventory?.install.package})}
}

/** What a cluster has, as far as its version is known. */
type LiveInstance = Pick<LockedInstance, 'kind' | 'namespace' | 'name'> & {
  readonly installed?: Pick<LockedInstance, 'identity' | 'tag' | 'digest'>
}

/** Compares an install, or a request for a current Crossplane, with a lock. */
export function lockDrift(live: LiveInstance, lock: readonly LockedInstance[]): readonly Drift[] {
  const drift = (message: string): readonly Drift[] => [{from: 'lock', message}]
  const locked = lock.find(one => instanceKey(one) === instanceKey(live))
  if (locked === undefined)
    return drift(`the lock does not have the ${live.kind === undefined ? 'install' : 'request'}`)
  const {installed} = live
  const want = packageText(locked)
  if (installed === undefined) return drift(`the lock has ${want}; the installed version is unknown`)
  const installedText = packageText(installed)
  return installedText === want ? [] : drift(`the lock has ${want}; installed: ${installedText}`)
}

/** Returns what of a lock is not among what a cluster has. */
export function absentInstances(
  lock: readonly LockedInstance[],
  live: readonly Pick<LockedInstance, 'kind' | 'namespace' | 'name'>[],
): readonly LockedInstance[] {
  const keys = new Set(live.map(instanceKey))
  return lock.filter(one => !keys.has(instanceKey(one)))
}

function instanceKey({
  kind = '',
  namespace = '',
  name,
}: Pick<LockedInstance, 'kind' | 'namespace' | 'name'>): string {
  return [kind, namespace, name].join('/')
}

function packageText({identity, tag, digest}: Pick<LockedInstance, 'identity' | 'tag' | 'digest'>): string {
  return escaped(
    `${identity}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`,
  )
}
