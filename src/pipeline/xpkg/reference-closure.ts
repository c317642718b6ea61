import {locatePackage} from '../../locate/locate-package.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {present} from '../../present.js'
import {parsePackageImage, parsePackageReference} from '../../reference/package-reference.js'
import type {Budget} from '../../resolve/solver/solver.js'
import {expectCoreVersion} from '../request/core-version.js'
import {rootOfRead} from './root-of-read.js'
import {type RequestedXpkg, type XpkgClosure, xpkgClosure} from './xpkg-closure.js'

/** A package for a current Crossplane whose dependencies are resolved. */
export interface XpkgQuery {
  readonly reference: string
  /** The identity of a local package. */
  readonly asPackage?: string
  /** The version of Crossplane; without one, the packages have to fit together under the rules of all versions. */
  readonly coreVersion?: string
}

/** Reads the package that a query names as a root to resolve; undefined if it is not one for a current Crossplane. */
export async function referenceRoot(
  {reference, asPackage, coreVersion}: XpkgQuery,
  ports: PackagePorts,
): Promise<RequestedXpkg | undefined> {
  expectCoreVersion(coreVersion)
  const identity = asPackage === undefined ? {} : {asPackage: parsePackageImage(asPackage)}
  const options = {...ports, ...identity, acceptsXpkg: true}
  const read = await locatePackage(parsePackageReference(reference), options)
  return read.xpkg === undefined ? undefined : rootOfRead(read, ports)
}

/** Resolves one package as `xpkgClosure` does; undefined if it is not one for a current Crossplane. */
export async function referenceClosure(
  query: XpkgQuery,
  ports: PackagePorts,
  budget: Budget,
): Promise<XpkgClosure | undefined> {
  const root = await referenceRoot(query, ports)
  if (root === undefined) return undefined
  const {coreVersion} = query
  return await xpkgClosure({roots: [root], budget, ...present({coreVersion})}, ports)
}
