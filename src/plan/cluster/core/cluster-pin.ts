import type {XpkgPin} from '../../../xpkg/pins.js'
import type {CoreState} from './core-state.js'
import {isOurs} from './requested-as.js'

/**
 * Returns how the packages of a cluster are pinned. All are pinned in the same way: those that skip the resolver are missing
 * for the others. Tags that other programs or the core requested do not decide.
 */
export function clusterPin({requests}: Pick<CoreState, 'requests'>): XpkgPin {
  if (requests.some(({isResolved}) => !isResolved)) return 'digest'
  const own = requests.filter(({object, digest}) => isOurs(object) && digest === undefined)
  // Until the core has read a request, it does not say whether an ImageConfig applies.
  const isByTag = own.every(({resolved}) => resolved !== undefined && !resolved.includes('@'))
  return own.length > 0 && isByTag ? 'tag' : 'config'
}
