import Trace from './commands/trace.js'

/** The commands of the plugin, by ID. oclif imports this module when one of them runs. */
export const COMMANDS = {trace: Trace}
