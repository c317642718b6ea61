import PackageFleet from './commands/package/fleet.js'
import PackagePromote from './commands/package/promote.js'

/** The commands of the plugin, by ID. oclif imports this module when one of them runs. */
export const COMMANDS = {'package:fleet': PackageFleet, 'package:promote': PackagePromote}
