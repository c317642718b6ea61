import {lazyCommands} from 'kubectl-crossplane/plugin'

/** The commands of the plugin, by ID. */
export const COMMANDS = lazyCommands({
  'services:run': () => import('./commands/services/run.js'),
})
