import type {Diagnostic} from '../../../diagnostic.js'
import type {XpkgSettings} from '../../../render/xpkg/xpkg-settings.js'
import type {CoreState} from '../state/core-state.js'
import {isOurs} from './requested-as.js'
import {resolverCommandIn} from './resolver-change.js'

/** How packages are pinned, and whether the core resolves what they require. */
export type Pinning = Required<Pick<XpkgSettings, 'pin' | 'resolver'>>

/**
 * Returns how the packages of a cluster are pinned. All are pinned in the same way: those that skip the resolver are missing
 * for the others. Tags that other programs or the core requested do not decide.
 */
export function clusterPinning({requests}: Pick<CoreState, 'requests'>): Pinning {
  const skipping = requests.filter(({isResolved}) => !isResolved)
  if (skipping.length > 0) {
    const isByDigest = skipping.every(({digest}) => digest !== undefined)
    return {pin: isByDigest ? 'digest' : 'config', resolver: 'off'}
  }
  const own = requests.filter(({object, digest}) => isOurs(object) && digest === undefined)
  // Until the core has read a request, it does not say whether an ImageConfig applies.
  const isByTag = own.every(({resolved}) => resolved !== undefined && !resolved.includes('@'))
  return {pin: own.length > 0 && isByTag ? 'tag' : 'config', resolver: 'on'}
}

/** Returns how requested packages are pinned: as the user says, otherwise as those of the cluster. */
export function pinningIn(core: Pick<CoreState, 'requests'>, {pin, resolver}: Partial<Pinning>): Pinning {
  const cluster = clusterPinning(core)
  const usual = pin === undefined ? cluster.resolver : pin === 'digest' ? 'off' : 'on'
  const next = resolver ?? usual
  const excluded = next === 'off' ? 'tag' : 'digest'
  return {resolver: next, pin: pin ?? (cluster.pin === excluded ? 'config' : cluster.pin)}
}

/** Returns why packages cannot be pinned as a user says: in one cluster, all use the resolver, or all skip it. */
export function pinRejections(
  settings: Partial<Pinning>,
  core: Pick<CoreState, 'requests'>,
): readonly Diagnostic[] {
  if (core.requests.length === 0) return []
  const isSkipping = clusterPinning(core).resolver === 'off'
  const {pin, resolver} = pinningIn(core, settings)
  if (isSkipping === (resolver === 'off')) return []
  const flag = settings.resolver === undefined ? `--pin=${pin}` : `--resolver=${resolver}`
  const other = isSkipping ? 'skip' : 'use'
  const usable = settings.resolver === undefined ? ['Pass --pin=config or --pin=tag.'] : []
  return [
    {
      severity: 'error',
      rule: 'xpkg-mixed-pins',
      message: `${flag} cannot be used in this cluster: its packages ${other} the resolver of Crossplane, so that these would not find each other`,
      suggestions: [
        ...(isSkipping ? ['Pass --resolver=off or --pin=digest.'] : usable),
        resolverCommandIn(core, resolver),
      ],
    },
  ]
}
