import type {XpkgSet} from '../../render/xpkg/xpkg-set.js'
import type {XpkgSettings} from '../../render/xpkg/xpkg-settings.js'
import type {ReadRequest} from '../request/read-request.js'
import type {NotedSet, RenderQuery} from './render.js'

/** Settings of a command line for packages for a current Crossplane; absent ones have their defaults. */
export interface GivenXpkgSettings extends Partial<Omit<XpkgSettings, 'coreVersion' | 'own'>> {
  /** Whether the set has everything that Crossplane creates. */
  readonly expand?: boolean
}

/** A rendered query: the set of packages with `.registry/`, that of packages for a current Crossplane, or both. */
export interface RenderedSets {
  readonly stacks?: NotedSet
  readonly xpkgs?: DeclaredXpkgSet
}

/** A set, and the declaration that requests it. */
type DeclaredXpkgSet = XpkgSet & Pick<ReadRequest, 'declaration'>

/** A query for one package. */
export type PackageQuery = Extract<RenderQuery, {readonly kind: 'package'}>
