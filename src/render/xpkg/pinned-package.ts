import {isDigest} from '../../reference/image-name.js'
import type {ClosurePackage} from './closure.js'
import {mirrorOfRepository} from './mirror-image-configs.js'
import {pinOf, type XpkgSettings} from './xpkg-settings.js'

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
  const pin = pinOf(repository, settings)
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
type PinSettings = Pick<XpkgSettings, 'pin' | 'own' | 'mirrors' | 'mirrorOf'>

/** The mirrors of a set take precedence over those of a cluster. */
function sourceOf(repository: string, {mirrors = {}, mirrorOf}: PinSettings): string {
  return mirrorOfRepository(repository, mirrors) ?? mirrorOf?.(repository) ?? repository
}
