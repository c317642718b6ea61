import {boolean, option, string} from '@oclif/core/flags'
import {bareClient, FILE_DRY_RUNS} from '../shell/flags/dry-run.js'

/** For a command that shows a plan. */
export const showObjectsFlag = {
  'show-objects': boolean({
    helpGroup: 'OUTPUT',
    summary: 'List every object of the plan with its reason, instead of groups',
  }),
}

/** For a command that writes files: shows the plan and changes nothing. */
export const dryRunFlag = {
  'dry-run': bareClient(
    option({
      options: FILE_DRY_RUNS,
      default: 'none',
      helpGroup: 'OUTPUT',
      summary: 'Print the plan with its diffs and change nothing',
    })(),
  ),
}

/** Saving and executing the plan of an output folder. */
export const planFlags = {
  'dry-run': bareClient(
    option({
      options: FILE_DRY_RUNS,
      default: 'none',
      helpGroup: 'OUTPUT',
      summary: 'Print the plan for --output-dir with its diffs and change nothing',
    })(),
  ),
  ...showObjectsFlag,
  'plan-out': string({
    dependsOn: ['output-dir'],
    helpGroup: 'OUTPUT',
    helpValue: 'FILE',
    summary: 'Print the plan for --output-dir, save it to FILE and change nothing else',
  }),
  plan: string({
    dependsOn: ['output-dir'],
    helpGroup: 'OUTPUT',
    helpValue: 'FILE',
    summary: 'Apply exactly the plan saved in FILE, instead of rendering a package',
  }),
}
