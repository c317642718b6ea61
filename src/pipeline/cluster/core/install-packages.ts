import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import {readCoreVersion} from '../../../observe/objects/read-core-version.js'
import {pinningIn} from '../../../plan/cluster/core/cluster-pin.js'
import type {CoreState} from '../../../plan/cluster/state/core-state.js'
import {isOurs} from '../../../plan/cluster/core/requested-as.js'
import {present} from '../../../present.js'
import type {HeldLock} from '../../../resolve/lock/held-lock.js'
import {ownSettings, xpkgSetOf} from '../../../package/xpkg/render.js'
import type {GivenXpkgSettings} from '../../../package/rendered-sets.js'
import {xpkgChoices} from '../../../package/xpkg/choices.js'
import {formerImages, verifiedImages} from '../../signatures/rendered-images.js'
import type {InstallPorts, InstallQuery, RequestedInstalls} from '../install.js'
import type {RequestedQuery} from '../installed-format.js'
import type {PackagesChange} from '../joined-changes.js'
import {changePackages} from './change-packages.js'
import {type PackagesQuery} from './resolved-packages.js'
import {closureInCluster} from './closure-in-cluster.js'
import {clusterLock} from './cluster-lock.js'
import {installedActivation, withActivation} from './installed-activation.js'
import {requestedPackage, type RequestedPackages, requestedPackages} from './requested-packages.js'

/** How requested packages are changed. */
interface RequestedChange extends Pick<InstallQuery, 'options'>, Pick<PackagesQuery, 'loadJudge'> {
  readonly choices: GivenXpkgSettings
  /** Without a lock, the installed packages that may move to other versions; by default, those that are requested. */
  readonly upgraded?: HeldLock['upgraded']
}

/** Plans the requests for the packages for a current Crossplane of a query. Throws as `changePackages` does. */
export async function installXpkgs(
  installs: RequestedInstalls,
  {options, xpkgs}: RequestedQuery,
  {api, requests}: InstallPorts,
): Promise<PackagesChange> {
  if (installs.kind === 'files') throw new RangeError('files have no packages for a current Crossplane')
  const requested =
    installs.kind === 'package'
      ? await requestedPackage(installs.located, installs.query, requests)
      : requestedPackages(installs.request)
  return await changeRequested(
    requested,
    {options, choices: await xpkgs(), loadJudge: requests.usage.judge},
    api,
  )
}

/** Plans the requests for packages for a current Crossplane. Throws as `changePackages` does. */
export async function changeRequested(
  requested: RequestedPackages,
  {choices, options, upgraded, loadJudge}: RequestedChange,
  api: ClusterApi,
): Promise<PackagesChange> {
  const {roots, packages, budget, declaration, teams} = requested
  const coreVersion = requested.coreVersion ?? (await readCoreVersion(api))
  const own = new Map(roots.map(({root, settings, pin}) => [root.repository, ownSettings(settings, pin)]))
  // A package that is installed keeps its name, unless the user gives it one.
  const named = roots.filter(({root}) => declaration !== undefined || root.name !== undefined)
  const declared = new Set(named.map(({root}) => root.repository))
  const requestedAs = new Map(roots.map(one => [one.root.repository, one.requestedAs]))
  const settings = {...xpkgChoices(choices, declaration), own, ...present({coreVersion})}
  const lockFor = (core: CoreState) =>
    requested.lock ?? (upgraded === undefined ? undefined : clusterLock(core, upgraded))
  const query = {roots: roots.map(({root}) => root), upgraded: [], coreVersion, teams, budget}
  return await changePackages(
    {settings, options, packages, ...present({judge: requested.judge, loadJudge})},
    async core => {
      const awaited = awaitedIn(core, requested, upgraded)
      const closure = await closureInCluster({...query, awaited, lock: lockFor(core)}, core, packages)
      const pinned = {...settings, ...pinningIn(core, settings)}
      const objects = xpkgSetOf(closure, pinned).objects.map(({object}) => object)
      const images = await verifiedImages(objects, packages, formerImages(closure.packages))
      const configured = new Set(own.keys())
      const entries = declaration === undefined ? new Set<string>() : configured
      const resolved = {closure, requestedAs, configured, entries, images, declared}
      if (!keepsActivation(requested, choices, core)) return resolved
      const changed = {packages: closure.packages, coreVersion}
      return withActivation(resolved, await installedActivation(changed, core, api))
    },
    api,
  )
}

/** What the cluster activates stays where packages that it has get other versions, unless a flag decides about it. */
function keepsActivation(
  {roots, declaration}: Pick<RequestedPackages, 'roots' | 'declaration'>,
  {activation}: GivenXpkgSettings,
  {requests}: Pick<CoreState, 'requests'>,
): boolean {
  if (declaration !== undefined || activation !== undefined) return false
  const names = new Set(requests.map(({repository}) => repository))
  return roots.every(({root}) => names.has(root.repository))
}

/**
 * Returns the packages that a change waits for also if they were broken before: those that an upgrade names, and those of an install, but
 * of a declaration none that is only taken over from other programs.
 */
function awaitedIn(
  {requests}: CoreState,
  {roots, declaration}: Pick<RequestedPackages, 'roots' | 'declaration'>,
  upgraded: RequestedChange['upgraded'],
): readonly string[] {
  if (upgraded !== undefined) return upgraded === 'all' ? [] : upgraded
  const names = roots.map(({root}) => root.repository)
  if (declaration === undefined) return names
  const others = new Set(requests.filter(({object}) => !isOurs(object)).map(({repository}) => repository))
  return names.filter(name => !others.has(name))
}
