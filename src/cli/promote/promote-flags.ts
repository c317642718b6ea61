import {option, string} from '@oclif/core/flags'
import {acceptImpactFlag} from '../declaration/lock-flags.js'
import {commitFlags, gitFlags, onlyWithGit} from '../git/git-flags.js'
import {bareClient, FILE_DRY_RUNS} from '../shell/flags/dry-run.js'
import {changeFlags, changeOutputFlag} from '../plan/change-flags.js'
import {showObjectsFlag} from '../plan/plan-flags.js'
import {indexFlags} from '../sources/index-flags.js'
import {folderFlags, packageFlags} from '../sources/package-flags.js'
import {pullFlags} from '../sources/pull-flags.js'
import {resolutionFlags} from '../declaration/resolution-flags.js'
import {packageUpdateFlags} from '../update/update-branch-flags.js'

/** Returns a flag that goes with every other one: there is no cluster. */
function withoutCluster<Flag>(flag: Flag): Flag {
  return {...flag, dependsOn: [], exclusive: []}
}

/** The flags of `package promote`. */
export const promoteFlags = {
  only: string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'UPDATE',
    helpValue: 'PACKAGE',
    summary: 'Package to promote (default: all that both homes have); can be repeated',
  }),
  git: string({
    helpGroup: 'GIT',
    helpValue: 'URL|DIR',
    summary: 'Commit the change to the Git repository of a folder or a URL, in which FROM and TO are folders',
  }),
  branch: gitFlags.branch,
  ...commitFlags,
  message: gitFlags.message,
  pr: onlyWithGit(packageUpdateFlags.pr),
  'pr-api': packageUpdateFlags['pr-api'],
  'pr-repository': packageUpdateFlags['pr-repository'],
  ...acceptImpactFlag,
  'assume-no-instances': withoutCluster(gitFlags['assume-no-instances']),
  yes: changeFlags.yes,
  'dry-run': bareClient(
    option({
      options: FILE_DRY_RUNS,
      default: 'none' as const,
      helpGroup: 'OUTPUT',
      summary: 'Print the plan and change nothing',
    })(),
  ),
  ...showObjectsFlag,
  'show-files': changeFlags['show-files'],
  ...folderFlags,
  platform: packageFlags.platform,
  ...indexFlags,
  'solve-timeout': resolutionFlags['solve-timeout'],
  ...pullFlags,
  ...changeOutputFlag,
}
