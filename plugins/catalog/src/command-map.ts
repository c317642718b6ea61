import CatalogBuild from './commands/catalog/build.js'

/** The commands of the plugin, by ID. oclif imports this module when one of them runs. */
export const COMMANDS = {'catalog:build': CatalogBuild}
