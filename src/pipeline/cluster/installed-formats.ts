import type {Discovery} from '../../cluster/api/discovery.js'
import {servesPackages} from '../../observe/core/read-core.js'
import type {FormatName} from '../../package/format.js'
import type {InstalledFormat} from './installed-format.js'

/** Each is loaded when it is called, and nothing else loads it. */
const FORMATS: Readonly<Record<FormatName, () => Promise<InstalledFormat>>> = {
  stack: async () => (await import('./stacks-in-cluster.js')).STACKS_IN_CLUSTER,
  xpkg: async () => (await import('./core/xpkgs-in-cluster.js')).XPKGS_IN_CLUSTER,
}

/** Whether a cluster can have packages of a format. Those of v0.12 need no kind of their own: their inventories are ConfigMaps. */
const IS_POSSIBLE: Readonly<Record<FormatName, (discovery: Discovery) => boolean>> = {
  stack: () => true,
  xpkg: servesPackages,
}

/** In the order in which their packages are shown. */
const NAMES: readonly FormatName[] = ['stack', 'xpkg']

/** Loads what the packages of a format do in a cluster. */
export async function installedFormat(name: FormatName): Promise<InstalledFormat> {
  return await FORMATS[name]()
}

/** Returns the formats that a cluster can have packages of. */
export function possibleFormats(discovery: Discovery): readonly FormatName[] {
  return NAMES.filter(name => IS_POSSIBLE[name](discovery))
}
