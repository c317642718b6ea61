import type {LocatedPackage, PackagePorts} from '../../../locate/located-package.js'
import {present} from '../../../present.js'
import type {InstallTarget} from '../../../reference/install-target.js'
import {parsePackageReference} from '../../../reference/package-reference.js'
import type {RequestSettings} from '../../../render/requested-install.js'
import {expectCoreVersion} from '../../request/core-version.js'
import type {ReadRequest, RequestPorts} from '../../request/read-request.js'
import {rootOfRead, xpkgRoots} from '../../../package/xpkg/roots.js'
import type {RecognizedRequest} from '../../../package/format.js'
import type {PackageQuery} from '../../../package/rendered-sets.js'
import type {RequestedXpkg} from '../../../package/xpkg/requested-xpkg.js'
import type {XpkgPin} from '../../../xpkg/pins.js'
import type {ClusterClosureQuery} from './closure-in-cluster.js'

/** A root with the settings of its request, and what the user wrote. */
interface PackageRoot {
  readonly root: RequestedXpkg
  readonly requestedAs: string
  readonly settings: RequestSettings
  /** How it is pinned, if not as the others. */
  readonly pin?: XpkgPin
}

/** What a query requests of packages for a current Crossplane. */
export interface RequestedPackages extends Pick<
  ClusterClosureQuery,
  'lock' | 'coreVersion' | 'teams' | 'budget'
> {
  readonly roots: readonly PackageRoot[]
  readonly packages: PackagePorts
  readonly defaultSource?: string
  readonly declaration?: ReadRequest['declaration']
  /** Judges the packages by the policy of the team. */
  readonly judge?: ReadRequest['policy']['judge']
}

/** Milliseconds for the search, without the time for reading packages. */
const TIME_LIMIT = 30_000

/** Returns what a request requests of xpkgs. */
export function requestedPackages(request: RecognizedRequest): RequestedPackages {
  const {lock, coreVersion, budget, defaultSource, judge, teams} = request.policy
  return {
    roots: xpkgRoots(request).map(({requested, ...root}) => ({
      root,
      requestedAs: requestedText(requested.target, requested.range),
      settings: requested.parameters,
      ...present({pin: requested.pin}),
    })),
    packages: request.packages,
    ...present({declaration: request.declaration, defaultSource, judge}),
    lock,
    coreVersion,
    teams,
    budget,
  }
}

/** Returns what a query for one xpkg requests, which was read. */
export async function requestedPackage(
  located: LocatedPackage,
  {reference, asPackage, coreVersion, parameters}: PackageQuery,
  ports: RequestPorts,
): Promise<RequestedPackages> {
  expectCoreVersion(coreVersion)
  const packages = await ports.packages()
  const root = {...rootOfRead(located, packages), ...present({name: parameters.name})}
  const target = parsePackageReference(reference)
  const requestedAs =
    requestedText(target, undefined) || (asPackage === undefined ? '' : (root.version ?? ''))
  return {
    roots: [{root, requestedAs, settings: parameters}],
    packages,
    coreVersion,
    budget: ports.budget(TIME_LIMIT),
  }
}

/** The restriction that the user wrote; empty for the newest version. */
function requestedText(target: InstallTarget, range: string | undefined): string {
  if (target.kind !== 'image') return range ?? ''
  return target.name.tag ?? target.name.digest ?? range ?? ''
}
