import {isDigest} from '../../reference/image-name.js'
import {derivedName} from '../../xpkg/package-name.js'
import type {ClosurePackage} from './closure.js'
import {mirrorOfRepository} from './mirror-image-configs.js'
import type {XpkgSettings} from './xpkg-settings.js'

/** A package under the name of its request, and how the request names its content. */
export interface PinnedPackage {
  readonly selected: ClosurePackage
  readonly name: string
  /** The text of `spec.package`. */
  readonly reference: string
  /** The repository with a digest, perhaps of a mirror, that an ImageConfig rewrites the reference to. */
  readonly rewrittenTo?: string
  /** The reference that Crossplane reads. */
  readonly image: string
}

/**
 * Pins a package. One that is required by digest is requested by digest: Crossplane compares the texts. A pin names the mirror,
 * because no other ImageConfig applies to a reference that has one.
 */
export function pinnedPackage(selected: ClosurePackage, name: string, settings: PinSettings): PinnedPackage {
  const {repository, version} = selected
  const {pin} = settings
  const source = sourceOf(repository, settings)
  const digest = isDigest(version) ? version : selected.digest
  if (isDigest(version) || (pin === 'digest' && digest !== undefined))
    return {selected, name, reference: `${repository}@${digest}`, image: `${source}@${digest}`}
  const tagged = {selected, name, reference: `${repository}:${version}`}
  if (pin !== 'config' || digest === undefined) return {...tagged, image: `${source}:${version}`}
  const rewrittenTo = `${source}@${digest}`
  return {...tagged, image: rewrittenTo, rewrittenTo}
}

/** What decides about the content of a request. */
type PinSettings = Pick<XpkgSettings, 'pin' | 'mirrors' | 'mirrorOf'>

/** The mirrors of a set take precedence over those of a cluster. */
function sourceOf(repository: string, {mirrors = {}, mirrorOf}: PinSettings): string {
  return mirrorOfRepository(repository, mirrors) ?? mirrorOf?.(repository) ?? repository
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
