import {isCrd} from '../../../kubernetes/crd-kind.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {ObjectState} from './cluster-snapshot.js'
import type {DesiredObject} from './desired-object.js'
import {readHash} from './live-object.js'
import {type RememberedObject, uidOf} from './ownership.js'

type Sent = Pick<DesiredObject, 'sent' | 'content'>

/**
 * Returns the record of an object in an inventory after it was applied. For a CRD its metadata is enough, so that one
 * list shows which of many are unchanged: the server counts the changes of the spec as `metadata.generation`.
 */
export function objectState({sent, content}: Sent, live: KubernetesObject): ObjectState {
  const uid = uidOf(live)
  const {generation} = live.metadata
  if (!isCrd(content) || typeof generation !== 'number') {
    return {uid, sent, read: readHash(live, content)}
  }
  return {uid, sent, read: readHash({metadata: live.metadata}, {metadata: content.metadata}), generation}
}

/** Reports whether an object is exactly as an install left it, so that applying it again would change nothing. */
export function isAsLeft(desired: Sent, live: KubernetesObject, {object}: RememberedObject): boolean {
  if (object.uid !== uidOf(live) || object.sent !== desired.sent) return false
  const {read, generation} = objectState(desired, live)
  return object.read === read && object.generation === generation
}
