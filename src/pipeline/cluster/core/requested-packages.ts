import type {PackagePorts} from '../../../locate/located-package.js'
import {present} from '../../../present.js'
import type {InstallTarget} from '../../../reference/install-target.js'
import {parsePackageReference} from '../../../reference/package-reference.js'
import type {RequestSettings} from '../../../render/requested-install.js'
import {type ReadRequest, readRequest} from '../../request/read-request.js'
import {referenceRoot} from '../../xpkg/reference-closure.js'
import {splitRequest} from '../../xpkg/split-request.js'
import type {RequestedXpkg} from '../../xpkg/xpkg-closure.js'
import type {InstallPorts, InstallQuery} from '../install.js'
import type {ClusterClosureQuery} from './closure-in-cluster.js'

/** A root with the settings of its request, and what the user wrote. */
interface PackageRoot {
  readonly root: RequestedXpkg
  readonly requestedAs: string
  readonly settings: RequestSettings
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
  /** Whether it also requests packages with `.registry/`. */
  readonly hasStacks?: boolean
}

/** Milliseconds for the search, without the time for reading packages. */
const TIME_LIMIT = 30_000

/** Reads what a query requests of packages for a current Crossplane; undefined if it has none. */
export async function requestedPackages(
  query: InstallQuery['render'],
  ports: InstallPorts['requests'],
): Promise<RequestedPackages | undefined> {
  if (query.kind === 'files') return undefined
  if (query.kind === 'package') return await singlePackage(query, ports)
  const request = await readRequest(query.query, ports)
  const {xpkgs, stacks} = await splitRequest(request)
  if (xpkgs.length === 0) return undefined
  const {lock, coreVersion, budget, defaultSource, judge, teams} = request.policy
  return {
    roots: xpkgs.map(({requested, ...root}) => ({
      root,
      requestedAs: requestedText(requested.target, requested.range),
      settings: requested.parameters,
    })),
    packages: request.packages,
    hasStacks: stacks.length > 0,
    ...present({declaration: request.declaration, defaultSource, judge}),
    lock,
    coreVersion,
    teams,
    budget,
  }
}

async function singlePackage(
  query: Extract<InstallQuery['render'], {readonly kind: 'package'}>,
  ports: InstallPorts['requests'],
): Promise<RequestedPackages | undefined> {
  const {reference, asPackage, coreVersion, parameters} = query
  const packages = await ports.packages()
  const root = await referenceRoot(query, packages)
  if (root === undefined) return undefined
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
