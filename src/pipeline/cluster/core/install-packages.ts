import {CrossplaneError} from '../../../errors.js'
import {readCoreVersion} from '../../../observe/core/read-core-version.js'
import {parsePackageReference} from '../../../reference/package-reference.js'
import {present} from '../../../present.js'
import type {RequestSettings} from '../../../render/requested-install.js'
import type {InstallTarget} from '../../../reference/install-target.js'
import {ownSettings, xpkgSetOf} from '../../render/render-xpkg.js'
import {xpkgChoices} from '../../render/xpkg-choices.js'
import type {GivenXpkgSettings} from '../../render/rendered-sets.js'
import {type ReadRequest, readRequest} from '../../request/read-request.js'
import {verifiedImages} from '../../signatures/rendered-images.js'
import {referenceRoot} from '../../xpkg/reference-closure.js'
import {splitRequest} from '../../xpkg/split-request.js'
import type {RequestedXpkg} from '../../xpkg/xpkg-closure.js'
import type {InstallPorts, InstallQuery} from '../install.js'
import {changePackages, type PackagesChange} from './change-packages.js'
import {type ClusterClosureQuery, closureInCluster} from './closure-in-cluster.js'
import type {PackagePorts} from '../../../locate/located-package.js'

/** A root with the settings of its request, and what the user wrote. */
interface PackageRoot {
  readonly root: RequestedXpkg
  readonly requestedAs: string
  readonly settings: RequestSettings
}

/** What a query requests of packages for a current Crossplane. */
interface RequestedPackages extends Pick<ClusterClosureQuery, 'lock' | 'coreVersion' | 'budget'> {
  readonly roots: readonly PackageRoot[]
  readonly packages: PackagePorts
  readonly declaration?: ReadRequest['declaration']
}

/** Milliseconds for the search, without the time for reading packages. */
const TIME_LIMIT = 30_000

/**
 * Plans the installation of packages for a current Crossplane; undefined if the query has none. Throws `unsupported` for
 * packages of both formats, and as `changePackages` does.
 */
export async function prepareInstallPackages(
  {render, options}: InstallQuery,
  choices: GivenXpkgSettings,
  {api, requests}: InstallPorts,
): Promise<PackagesChange | undefined> {
  const requested = await requestedPackages(render, requests)
  if (requested === undefined) return undefined
  const {roots, packages, lock, budget, declaration} = requested
  const coreVersion = requested.coreVersion ?? (await readCoreVersion(api))
  const own = new Map(roots.map(({root, settings}) => [root.repository, ownSettings(settings)]))
  const requestedAs = new Map(roots.map(one => [one.root.repository, one.requestedAs]))
  const settings = {...xpkgChoices(choices, declaration), own, ...present({coreVersion})}
  const query = {roots: roots.map(({root}) => root), upgraded: [], lock, coreVersion, budget}
  return await changePackages(
    {settings, options},
    async core => {
      const closure = await closureInCluster(query, core, packages)
      const objects = xpkgSetOf(closure, settings).objects.map(({object}) => object)
      return {closure, requestedAs, images: await verifiedImages(objects, packages)}
    },
    api,
  )
}

async function requestedPackages(
  query: InstallQuery['render'],
  ports: InstallPorts['requests'],
): Promise<RequestedPackages | undefined> {
  if (query.kind === 'files') return undefined
  if (query.kind === 'package') return await singlePackage(query, ports)
  const request = await readRequest(query.query, ports)
  const {xpkgs, stacks} = await splitRequest(request)
  if (xpkgs.length === 0) return undefined
  if (stacks.length > 0) throw bothFormats()
  const {lock, coreVersion, budget} = request.policy
  return {
    roots: xpkgs.map(({requested, ...root}) => ({
      root,
      requestedAs: requestedText(requested.target, requested.range),
      settings: requested.parameters,
    })),
    packages: request.packages,
    ...present({declaration: request.declaration}),
    lock,
    coreVersion,
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

function bothFormats(): CrossplaneError {
  const message =
    'cannot install packages with .registry/ and packages for a current Crossplane (xpkg) by one command'
  return new CrossplaneError('unsupported', message, {suggestions: ['Use a declaration for each format.']})
}
