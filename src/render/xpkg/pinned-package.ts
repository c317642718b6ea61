import {isDigest} from '../../reference/image-name.js'
import {derivedName} from '../../xpkg/package-name.js'
import type {XpkgPin} from '../../xpkg/pins.js'
import type {ClosurePackage} from './closure.js'

/** A package under the name of its request, and how the request names its content. */
export interface PinnedPackage {
  readonly selected: ClosurePackage
  readonly name: string
  /** The text of `spec.package`. */
  readonly reference: string
  /** The digest that an ImageConfig rewrites the reference to. */
  readonly rewrittenTo?: string
}

/** A package that is required by digest is requested by digest: Crossplane compares the texts. */
export function pinnedPackage(selected: ClosurePackage, name: string, pin: XpkgPin): PinnedPackage {
  const {repository, version} = selected
  const digest = isDigest(version) ? version : selected.digest
  if (isDigest(version) || (pin === 'digest' && digest !== undefined))
    return {selected, name, reference: `${repository}@${digest}`}
  const reference = `${repository}:${version}`
  return {
    selected,
    name,
    reference,
    ...(pin === 'config' && digest !== undefined ? {rewrittenTo: digest} : {}),
  }
}

/**
 * Returns the names of requests by repository: those that Crossplane would derive. Of two packages that get the same one,
 * the second has the registry in its name, which works only where Crossplane resolves no dependencies.
 */
export function requestNames(packages: readonly ClosurePackage[]): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  return new Map(
    packages.map(({repository, kind}) => {
      const derived = derivedName(repository)
      const name = taken.has(`${kind} ${derived}`) ? derivedName(`/${repository}`) : derived
      taken.add(`${kind} ${name}`)
      return [repository, name]
    }),
  )
}
