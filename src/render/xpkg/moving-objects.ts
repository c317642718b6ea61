import type {MovingRequest} from '../../declaration/moving.js'
import {inStages} from './render-xpkgs.js'
import type {XpkgSet} from './xpkg-set.js'

/** Adds what stays of requests from which packages move: in the first stage, since the new requests wait for them to stop. */
export function withMovingRequests<Set extends XpkgSet>(set: Set, moving: readonly MovingRequest[]): Set {
  if (moving.length === 0) return set
  const added = moving.flatMap(({from, objects}) =>
    objects.map(object => ({stage: 0, object, ...(object.kind === 'ImageConfig' ? {fileName: from} : {})})),
  )
  return {...set, objects: [...set.objects, ...added].sort(inStages)}
}
