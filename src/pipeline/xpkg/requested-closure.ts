import {present} from '../../present.js'
import {expectAllowedPackages} from './allowed-sources.js'
import {withDeclaredPlaces} from '../request/declared-places.js'
import type {ReadRequest} from '../request/read-request.js'
import type {SplitRequest} from './split-request.js'
import {type XpkgClosure, type XpkgClosureQuery, xpkgClosure} from './xpkg-closure.js'

/**
 * Resolves the packages for a current Crossplane of a request, with its lock and its version of Crossplane. Throws as
 * `xpkgClosure` does, and `policy-refused`.
 */
export async function requestedClosure(
  {xpkgs}: Pick<SplitRequest, 'xpkgs'>,
  {policy: {coreVersion, lock, budget, teams}, packages, declaration}: ReadRequest,
  options: Pick<XpkgClosureQuery, 'listsPinned'> = {},
): Promise<XpkgClosure> {
  const query = {roots: xpkgs, budget, sources: {teams}, ...options, ...present({coreVersion, lock})}
  const closure = await withDeclaredPlaces(declaration, async () => await xpkgClosure(query, packages))
  expectAllowedPackages(closure.packages, teams)
  return closure
}
