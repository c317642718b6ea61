import {present} from '../../present.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import type {Budget} from '../../resolve/solver/solver.js'
import {withDeclaredPlaces} from '../../pipeline/request/declared-places.js'
import {expectCoreVersion} from '../../pipeline/request/core-version.js'
import type {RecognizedRequest} from '../format.js'
import {expectAllowedPackages} from '../allowed-sources.js'
import type {XpkgContent} from '../../resolve/xpkg/xpkg-catalog.js'
import {type XpkgClosure, type XpkgClosureQuery, xpkgClosure} from './closure.js'
import {type RequestedXpkg} from './requested-xpkg.js'
import {rootOfRead, xpkgRoots} from './roots.js'

/**
 * Resolves the xpkgs of a request, with its lock and its version of Crossplane. Throws as `xpkgClosure` does, and
 * `policy-refused`.
 */
export async function requestedClosure(
  request: Pick<RecognizedRequest, 'parts' | 'policy' | 'packages' | 'declaration'>,
  options: Pick<XpkgClosureQuery, 'listsPinned'> = {},
): Promise<XpkgClosure> {
  const {
    policy: {coreVersion, lock, budget, teams},
    packages,
    declaration,
  } = request
  const roots = xpkgRoots(request)
  const query = {roots, budget, sources: {teams}, ...options, ...present({coreVersion, lock})}
  const closure = await withDeclaredPlaces(declaration, async () => await xpkgClosure(query, packages))
  expectAllowedPackages(closure.packages, teams)
  return closure
}

/** How one package is requested. */
interface ReadQuery {
  /** The name of its request; by default, derived from the repository. */
  readonly name?: string
  readonly coreVersion?: string
  readonly isAlone?: boolean
}

/** Resolves one package that was read. Throws as `xpkgClosure` does. */
export async function closureOfRead(
  located: LocatedPackage,
  {name, coreVersion, isAlone = false}: ReadQuery,
  ports: PackagePorts,
  budget: Budget,
): Promise<XpkgClosure> {
  expectCoreVersion(coreVersion)
  const read = {...rootOfRead(located, ports), ...present({name})}
  const root = isAlone && read.content !== undefined ? withoutDependencies(read, read.content) : read
  return await xpkgClosure({roots: [root], budget, ...present({coreVersion})}, ports)
}

function withoutDependencies(root: RequestedXpkg, content: XpkgContent): RequestedXpkg {
  return {...root, content: {...content, dependencies: []}}
}
