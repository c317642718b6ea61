import type {SetObject} from './install-set.js'
import {withoutClaims} from './labels.js'
import type {Part} from './render-part.js'

/** Returns the part of an install that is being uninstalled from rendered files: it claims no CRD. */
export function removedPart({install, objects}: Part, removal: 'draining' | 'crds-only'): Part {
  const kept = removal === 'draining' ? objects : objects.filter(({phase}) => phase === 'crds')
  return {install, objects: kept.map(unclaimed)}
}

function unclaimed({claims, object, ...rest}: SetObject): SetObject {
  if (claims === undefined) return {...rest, object}
  const {labels = {}, ...metadata} = object.metadata
  return {...rest, object: {...object, metadata: {...metadata, labels: withoutClaims(labels)}}}
}
