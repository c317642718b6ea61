import {present} from '../../present.js'
import type {ReadRequest} from '../request/read-request.js'
import type {SplitRequest} from './split-request.js'
import {type XpkgClosure, type XpkgClosureQuery, xpkgClosure} from './xpkg-closure.js'

/** Resolves the packages for a current Crossplane of a request, with its lock and its version of Crossplane. */
export async function requestedClosure(
  {xpkgs}: Pick<SplitRequest, 'xpkgs'>,
  {policy: {coreVersion, lock, budget}, packages}: ReadRequest,
  options: Pick<XpkgClosureQuery, 'listsPinned'> = {},
): Promise<XpkgClosure> {
  return await xpkgClosure({roots: xpkgs, budget, ...options, ...present({coreVersion, lock})}, packages)
}
