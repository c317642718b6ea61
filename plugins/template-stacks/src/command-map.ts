import {lazyCommands} from 'kubectl-crossplane/plugin'

/** The commands of the plugin, by ID. Each is imported when it runs: none must load the parts of another. */
export const COMMANDS = lazyCommands({
  'template:init': () => import('./commands/template/init.js'),
  'template:lint': () => import('./commands/template/lint.js'),
  'template:render': () => import('./commands/template/render.js'),
  'template:run': () => import('./commands/template/run.js'),
  'template:test': () => import('./commands/template/test.js'),
})
