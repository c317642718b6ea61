import {installKey, type Lock, mismatchKey} from '../declaration/lock.js'
import {isCrd} from '../kubernetes/crd-kind.js'
import {nameOf, objectText} from '../kubernetes/object-key.js'
import {movedCrds} from '../plan/folder/moved-crds.js'
import {objectIn} from '../plan/folder/object-in-file.js'
import type {Operation} from '../plan/plan.js'
import {present} from '../present.js'
import type {FirstOwner} from '../resolve/first-owners.js'
import type {JsonObject} from '../yaml/json-value.js'
import {imagesIn, type PlanSummary, rulesIn} from './plan-summary.js'

/** The effect of a change of rendered files on packages. */
export interface FolderSummary extends PlanSummary {
  /** The CRDs whose files change, by name. */
  readonly crds: readonly {readonly name: string; readonly change: 'added' | 'changed' | 'removed'}[]
}

/** What a change of rendered files is judged by. */
interface FolderChange {
  readonly operations: readonly Operation[]
  /** The current contents of files that are replaced or deleted, by path. */
  readonly before: ReadonlyMap<string, string>
  readonly oldLock?: Lock
  readonly newLock: Lock
  readonly owners: readonly FirstOwner[]
}

/** Summarizes a change of rendered files, from their contents and the locks before and after it. */
export function folderSummary({operations, before, ...change}: FolderChange): FolderSummary {
  const moved = movedCrds(operations, before)
  const former = new Set(moved.values())
  const isSame = ({path = '', content}: Operation) => before.get(moved.get(path) ?? '') === content
  const crds = operations.filter(
    operation => isCrd(operation.object) && !former.has(operation.path ?? '') && !isSame(operation),
  )
  // CRDs and the lock are large, and their content is of no importance here.
  const objects = operations
    .filter(({object}) => object !== undefined && !isCrd(object))
    .map(operation => ({old: objectIn(before.get(operation.path ?? '')), new: objectIn(operation.content)}))
  const oldRules = new Set(objects.flatMap(object => rulesIn(object.old)))
  const newRules = new Set(objects.flatMap(object => rulesIn(object.new)))
  return {
    packages: packageChanges(change.oldLock, change.newLock),
    crds: crds.flatMap(operation => crdChange(operation, moved.has(operation.path ?? ''))),
    gained: [...newRules].filter(words => !oldRules.has(words)),
    lost: [...oldRules].filter(words => !newRules.has(words)),
    images: objects.flatMap(imageChange),
    owners: change.owners,
    mismatches: newMismatches(change.oldLock, change.newLock),
  }
}

function newMismatches(old: Lock | undefined, next: Lock): PlanSummary['mismatches'] {
  const accepted = new Set((old?.acceptedMismatches ?? []).map(mismatchKey))
  return next.acceptedMismatches
    .filter(mismatch => !accepted.has(mismatchKey(mismatch)))
    .map(({crd, owner, requirer = 'the request'}) => ({crd, owner, install: requirer}))
}

interface ChangedObject {
  readonly old?: JsonObject
  readonly new?: JsonObject
}

const CRD_CHANGES: {readonly [action in Operation['action']]?: 'added' | 'removed'} = {
  'create-only': 'added',
  delete: 'removed',
}

function crdChange({object, action}: Operation, isMoved: boolean): FolderSummary['crds'] {
  const change = isMoved ? undefined : CRD_CHANGES[action]
  return object === undefined ? [] : [{name: object.name, change: change ?? 'changed'}]
}

function imageChange({old, new: next}: ChangedObject): PlanSummary['images'] {
  const object = next ?? old
  if (object?.kind !== 'Deployment') return []
  const [before, after] = [imagesIn(old), imagesIn(next)]
  if (before.join() === after.join()) return []
  return [{object: objectText(nameOf(object)), before, after}]
}

function packageChanges(old: Lock | undefined, next: Lock): PlanSummary['packages'] {
  const before = packagesByInstall(old)
  const after = packagesByInstall(next)
  const installs = [...new Set([...before.keys(), ...after.keys()])].sort()
  return installs.flatMap(install => {
    const [was, is] = [before.get(install), after.get(install)]
    if (was === is) return []
    return [
      {
        install,
        ...present({before: was, after: is}),
      },
    ]
  })
}

/** The package of each install, as repository and tag. */
function packagesByInstall(lock: Lock | undefined): ReadonlyMap<string, string> {
  return new Map(
    (lock?.packages ?? []).flatMap(({identity, tag, installs}) =>
      installs.map(install => [installKey(install), `${identity}:${tag}`] as const),
    ),
  )
}
