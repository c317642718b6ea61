import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Discovery} from '../../cluster/api/discovery.js'
import {servesPackages} from '../../observe/core/read-core.js'
import type {FormatName} from '../../locate/expect-format.js'
import type {InstalledFormat} from './installed-format.js'

/** What each format does in each use case: it is loaded when it is needed, and nothing else loads it. */
const USE_CASES: {
  readonly [Use in keyof InstalledFormat]: Readonly<Record<FormatName, () => Promise<InstalledFormat[Use]>>>
} = {
  list: {
    stack: async () => (await import('./list-installs.js')).listInstalls,
    xpkg: async () => (await import('./core/list-packages.js')).listPackages,
  },
  status: {
    stack: async () => (await import('./install-status.js')).installStatus,
    xpkg: async () => (await import('./core/list-packages.js')).packageStatus,
  },
  install: {
    stack: async () => (await import('./install.js')).installStacks,
    xpkg: async () => (await import('./core/install-packages.js')).installXpkgs,
  },
  upgrade: {
    stack: async () => (await import('./upgrade.js')).upgradeStacks,
    xpkg: async () => (await import('./core/upgrade-packages.js')).upgradeXpkgs,
  },
  upgradeDeclared: {
    stack: async () => (await import('./upgrade-declared-stacks.js')).upgradeDeclaredStacks,
    xpkg: async () => (await import('./core/upgrade-declared.js')).upgradeDeclaredXpkgs,
  },
  history: {
    stack: async () => (await import('./history.js')).installHistory,
    xpkg: async () => (await import('./core/package-history.js')).packageHistory,
  },
  rollback: {
    stack: async () => (await import('./rollback.js')).rollbackInstall,
    xpkg: async () => (await import('./core/package-history.js')).rollbackPackage,
  },
  names: {
    stack: async () => (await import('./list-installs.js')).installNames,
    xpkg: async () => (await import('./core/list-packages.js')).packageNames,
  },
  tree: {
    stack: async () => (await import('./installed-tree.js')).installedTree,
    xpkg: async () => (await import('./core/installed-xpkgs.js')).installedXpkgTree,
  },
  why: {
    stack: async () => (await import('./installed-why.js')).installedWhy,
    xpkg: async () => (await import('./core/installed-xpkgs.js')).installedXpkgWhy,
  },
  outdated: {
    stack: async () => (await import('./outdated-stacks.js')).outdatedStacks,
    xpkg: async () => (await import('./core/outdated-xpkgs.js')).outdatedXpkgs,
  },
  removal: {
    stack: async () => (await import('./uninstall.js')).prepareUninstall,
    xpkg: async () => (await import('./core/uninstall-packages.js')).prepareUninstallPackage,
  },
}

/** Whether a cluster can have packages of a format. Those of v0.12 need no kind of their own: their inventories are ConfigMaps. */
const IS_POSSIBLE: Readonly<Record<FormatName, (discovery: Discovery) => boolean>> = {
  stack: () => true,
  xpkg: servesPackages,
}

/** In the order in which their packages are shown. */
const NAMES: readonly FormatName[] = ['stack', 'xpkg']

/** Loads what a format does in a use case. */
export async function inFormat<Use extends keyof InstalledFormat>(
  use: Use,
  name: FormatName,
): Promise<InstalledFormat[Use]> {
  return await USE_CASES[use][name]()
}

/**
 * Loads what the formats that a cluster can have do in a use case. Throws the errors of the API.
 * @param expected - formats that are loaded in any case.
 */
export async function formatsInCluster<Use extends keyof InstalledFormat>(
  use: Use,
  api: Pick<ClusterApi, 'discover'>,
  expected: readonly FormatName[] = [],
): Promise<readonly InstalledFormat[Use][]> {
  const loaded: InstalledFormat[Use][] = []
  for (const name of await namesInCluster(api, expected)) loaded.push(await inFormat(use, name))
  return loaded
}

/** Returns the names of the formats that a cluster can have. Throws the errors of the API. */
export async function namesInCluster(
  api: Pick<ClusterApi, 'discover'>,
  expected: readonly FormatName[] = [],
): Promise<readonly FormatName[]> {
  const discovery = await api.discover()
  return NAMES.filter(name => expected.includes(name) || IS_POSSIBLE[name](discovery))
}
