import {derivedName} from '../../../xpkg/package-name.js'
import {XPKG_PINS, type XpkgPin} from '../../../xpkg/pins.js'
import type {DeclaredXpkgSettings} from '../../../declaration/xpkg-settings.js'
import type {ImageConfigNames} from './imported-image-configs.js'
import type {ImportedPackage, RequiringContent} from './imported-packages.js'
import type {CoreRequest} from '../state/core-state.js'

/** How the packages of a cluster are declared, so that the rendered set is what the cluster has. */
export interface ImportChoices {
  /** Whether no package is left to Crossplane's resolver. */
  readonly isUnresolved: boolean
  /** Whether activation policies are left to the cluster. */
  readonly activatesNone: boolean
  /** Whether the set has the mirrors of the cluster. */
  readonly hasMirrors: boolean
  /** The names that the cluster has for ImageConfigs of the set. */
  readonly imageConfigs: ImageConfigNames
}

/**
 * Returns whether packages can only be declared without Crossplane's resolver: where all skip it, where a package requires one that has
 * a name other than the derived one, and where only one of both skips it.
 */
export function needsNoResolver(
  packages: readonly ImportedPackage[],
  contents: readonly RequiringContent[],
): boolean {
  if (packages.every(({request}) => !request.isResolved))
    return packages.some(({request}) => requestPin(request) !== 'digest')
  return unresolvablePairs(packages, contents).length > 0
}

/** A package that another one requires, in a way that Crossplane's resolver does not handle. */
interface RequiredPair {
  readonly required: ImportedPackage
  readonly by: ImportedPackage
}

/** Returns the packages with names other than the derived ones that others require, and pairs of which only one is resolved. */
export function unresolvablePairs(
  packages: readonly ImportedPackage[],
  contents: readonly RequiringContent[],
): readonly RequiredPair[] {
  const byName = new Map(packages.map(one => [one.repository, one]))
  return contents.flatMap(({repository, requires}) =>
    Object.keys(requires).flatMap((name): readonly RequiredPair[] => {
      const [required, by] = [byName.get(name), byName.get(repository)]
      if (required === undefined || by === undefined || required === by) return []
      const isSafe = by.request.isResolved === required.request.isResolved && hasDerivedName(required)
      const skips = !by.request.isResolved && !required.request.isResolved
      return isSafe || skips ? [] : [{required, by}]
    }),
  )
}

function hasDerivedName({request: {name}, repository}: ImportedPackage): boolean {
  return name === derivedName(repository)
}

/** Returns how a request is pinned; undefined for one by digest that Crossplane resolves, which every pin renders as it is. */
export function requestPin({isResolved, tag, digest, resolved = ''}: CoreRequest): XpkgPin | undefined {
  if (tag === undefined || digest !== undefined) return isResolved ? undefined : 'digest'
  return resolved.includes('@') ? 'config' : 'tag'
}

/** How packages are pinned: most of them, and those that are pinned in another way. */
export interface ImportedPins {
  readonly pin: XpkgPin
  readonly own: ReadonlyMap<CoreRequest, XpkgPin>
}

/** Returns how the packages of a cluster are declared to be pinned. Without the resolver, a tag would not be checked by anyone. */
export function importedPins(
  requests: readonly CoreRequest[],
  {isUnresolved}: Pick<ImportChoices, 'isUnresolved'>,
): ImportedPins {
  const pinOf = (request: CoreRequest) => {
    const pin = requestPin(request)
    if (!isUnresolved) return pin
    return pin === 'tag' ? 'config' : (pin ?? 'digest')
  }
  const pins = requests.flatMap(request => pinOf(request) ?? [])
  const countOf = (pin: XpkgPin) => pins.filter(other => other === pin).length
  const [most = 'config'] = [...XPKG_PINS].sort((a, b) => countOf(b) - countOf(a))
  // By digest, a package would be left out by the resolver.
  const other = (request: CoreRequest) => pinOf(request) ?? (most === 'digest' ? 'tag' : most)
  return {
    pin: most,
    own: new Map(
      requests.filter(request => other(request) !== most).map(request => [request, other(request)]),
    ),
  }
}

/** Returns the settings of all packages. */
export function importedXpkgSettings(
  {isUnresolved, activatesNone, hasMirrors, imageConfigs}: ImportChoices,
  pin: XpkgPin,
): DeclaredXpkgSettings {
  return {
    pin,
    ...(isUnresolved ? {resolver: 'off' as const} : {}),
    ...(activatesNone ? {activate: 'none' as const} : {}),
    ...(hasMirrors ? {mirrors: true} : {}),
    ...(Object.keys(imageConfigs).length === 0 ? {} : {imageConfigs}),
  }
}

/** Reports whether choices are the same. */
export function sameChoices(one: ImportChoices, other: ImportChoices): boolean {
  const textOf = ({imageConfigs, ...rest}: ImportChoices) =>
    JSON.stringify([rest, Object.entries(imageConfigs).sort()])
  return textOf(one) === textOf(other)
}
