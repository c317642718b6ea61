// The parts of the bench, in their order.
import {CATALOG} from './catalog.mjs'
import {CHECK} from './check.mjs'
import {USAGE} from './closures.mjs'
import {CLUSTER} from './cluster.mjs'
import {COMMIT} from './commit.mjs'
import {CONTROLLERS} from './controllers.mjs'
import {FLEET} from './fleet.mjs'
import {LIFECYCLE} from './lifecycle.mjs'
import {MANAGER} from './manager.mjs'
import {PACKAGES} from './packages.mjs'
import {PULLS} from './pull.mjs'
import {RESOLUTION} from './resolution.mjs'
import {SERIES} from './series.mjs'
import {SERVICES} from './services.mjs'
import {START} from './start.mjs'
import {SUPPLY_CHAIN} from './supply-chain.mjs'
import {TEMPLATES} from './templates.mjs'
import {XPKGS} from './xpkgs.mjs'

/**
 * `folder` is for scratch files of this part; `best` is the last of the builds, for what does not measure all of them.
 *
 * @typedef {{folder: string, corpus: string, builds: readonly import('./builds.mjs').Build[], best: import('./builds.mjs').Build}} Context
 * @typedef {{rows: readonly import('./table.mjs').Row[], missing: readonly string[]}} Measured
 * @typedef {{name: string, title: string, about: string, measure: (context: Context) => Promise<Measured>}} Part
 */

/** @type {readonly Part[]} */
export const PARTS = [
  START,
  PACKAGES,
  SERIES,
  RESOLUTION,
  CHECK,
  COMMIT,
  PULLS,
  SUPPLY_CHAIN,
  CLUSTER,
  LIFECYCLE,
  CONTROLLERS,
  MANAGER,
  SERVICES,
  TEMPLATES,
  XPKGS,
  USAGE,
  CATALOG,
  FLEET,
]
