import {failureOf} from '../../../cluster/api/cluster-failure.js'
import {readCore} from '../../../observe/core/read-core.js'
import type {CoreState} from '../../../plan/cluster/core/core-state.js'
import {isOurs} from '../../../plan/cluster/core/requested-as.js'
import type {InstallPorts} from '../install.js'
import {prepareUpgrade, type UpgradeQuery} from '../upgrade.js'
import type {PackagesChange} from './change-packages.js'
import {bothChanges} from './both-changes.js'
import type {GivenXpkgSettings} from '../../../package/rendered-sets.js'
import {namedPackages, prepareUpgradePackages} from './upgrade-packages.js'

/**
 * Plans the upgrade of installed packages of either format, as their parts do; both are one plan. Throws `not-found` for a
 * package that is not installed.
 */
export async function prepareAnyUpgrade(
  query: UpgradeQuery,
  choices: GivenXpkgSettings,
  ports: InstallPorts,
): Promise<PackagesChange> {
  const core = await readableCore(ports)
  if (core === undefined) return await prepareUpgrade(query, ports)
  const {names, settings} = query
  const {xpkgs, others} = namedPackages(names, core, settings.defaultSource)
  const isAll = names.length === 0
  const hasXpkgs = isAll ? core.requests.some(({object}) => isOurs(object)) : xpkgs.length > 0
  if (!hasXpkgs) return await prepareUpgrade(query, ports)
  const packages = await prepareUpgradePackages({...query, names: xpkgs}, choices, ports)
  if (!isAll && others.length === 0) return packages
  return bothChanges(await prepareUpgrade({...query, names: others}, ports), packages)
}

/** Users of namespaces may not read what is in none. */
async function readableCore({api}: InstallPorts): Promise<CoreState | undefined> {
  return await readCore(api).catch((error: unknown) => {
    if (failureOf(error)?.status === 403) return undefined
    throw error
  })
}
