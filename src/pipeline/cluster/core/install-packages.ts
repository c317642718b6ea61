import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import {readCoreVersion} from '../../../observe/core/read-core-version.js'
import {clusterPin} from '../../../plan/cluster/core/cluster-pin.js'
import type {CoreState} from '../../../plan/cluster/core/core-state.js'
import {present} from '../../../present.js'
import type {InstallSet} from '../../../render/install-set.js'
import type {HeldLock} from '../../../resolve/lock/held-lock.js'
import {renderStacks} from '../../render/render-stacks.js'
import {ownSettings, xpkgSetOf} from '../../render/render-xpkg.js'
import type {GivenXpkgSettings} from '../../render/rendered-sets.js'
import {xpkgChoices} from '../../render/xpkg-choices.js'
import {verifiedImages} from '../../signatures/rendered-images.js'
import {type InstallPorts, type InstallQuery, prepareInstall} from '../install.js'
import {bothChanges} from './both-changes.js'
import {changePackages, type PackagesChange} from './change-packages.js'
import {closureInCluster} from './closure-in-cluster.js'
import {clusterLock} from './cluster-lock.js'
import {type RequestedPackages, requestedPackages} from './requested-packages.js'

/** A change that installs packages for a current Crossplane and, of a declaration with both formats, the others. */
interface EitherChange extends PackagesChange {
  /** The set of packages with `.registry/`. */
  readonly stacks?: InstallSet
}

/**
 * Plans the installation of packages for a current Crossplane, together with those of the other format in the same
 * declaration; undefined if the query has none. Throws as `changePackages` and `prepareInstall` do.
 */
export async function prepareInstallPackages(
  query: InstallQuery,
  choices: GivenXpkgSettings,
  ports: InstallPorts,
): Promise<EitherChange | undefined> {
  const requested = await requestedPackages(query.render, ports.requests)
  if (requested === undefined) return undefined
  const packages = await changeRequested(requested, {...query, choices}, ports.api)
  if (requested.hasStacks !== true) return packages
  const stacks = await prepareInstall(query, ports, renderStacks)
  return {...bothChanges(stacks, packages, requested.teams), stacks: stacks.set}
}

/** How requested packages are changed. */
interface RequestedChange extends Pick<InstallQuery, 'options'> {
  readonly choices: GivenXpkgSettings
  /** Without a lock, the installed packages that may move to other versions; by default, those that are requested. */
  readonly upgraded?: HeldLock['upgraded']
}

/** Plans the requests for packages for a current Crossplane. Throws as `changePackages` does. */
export async function changeRequested(
  requested: RequestedPackages,
  {choices, options, upgraded}: RequestedChange,
  api: ClusterApi,
): Promise<PackagesChange> {
  const {roots, packages, budget, declaration, teams} = requested
  const coreVersion = requested.coreVersion ?? (await readCoreVersion(api))
  const own = new Map(roots.map(({root, settings}) => [root.repository, ownSettings(settings)]))
  const requestedAs = new Map(roots.map(one => [one.root.repository, one.requestedAs]))
  const settings = {...xpkgChoices(choices, declaration), own, ...present({coreVersion})}
  const lockFor = (core: CoreState) =>
    requested.lock ?? (upgraded === undefined ? undefined : clusterLock(core, upgraded))
  const query = {roots: roots.map(({root}) => root), upgraded: [], coreVersion, teams, budget}
  return await changePackages(
    {settings, options, packages, ...present({judge: requested.judge})},
    async core => {
      const closure = await closureInCluster({...query, lock: lockFor(core)}, core, packages)
      const pinned = {...settings, pin: settings.pin ?? clusterPin(core)}
      const objects = xpkgSetOf(closure, pinned).objects.map(({object}) => object)
      return {closure, requestedAs, images: await verifiedImages(objects, packages)}
    },
    api,
  )
}
