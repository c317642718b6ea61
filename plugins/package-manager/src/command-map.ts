import {lazyCommands} from 'kubectl-crossplane/plugin'

/** The commands of the plugin, by ID. Each is imported when it runs: none must load the parts of another. */
export const COMMANDS = lazyCommands({
  'manager:manifests': () => import('./commands/manager/manifests.js'),
  'manager:run': () => import('./commands/manager/run.js'),
})
