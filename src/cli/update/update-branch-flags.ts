import {boolean, integer, option, string} from '@oclif/core/flags'
import {GROUPINGS} from '../../pipeline/git/update-groups.js'
import {UPDATE_STEPS} from '../../reference/version-step.js'
import {bareClient, FILE_DRY_RUNS} from '../shell/flags/dry-run.js'
import {gitFlags} from '../git/git-flags.js'
import {indexFlags} from '../sources/index-flags.js'
import {folderFlags, packageFlags} from '../sources/package-flags.js'
import {resolutionFlags} from '../declaration/resolution-flags.js'

/** Returns a flag that requires no other one. */
function alone<Flag>(flag: Flag): Flag {
  return {...flag, dependsOn: [], helpGroup: 'GIT'}
}

/** The flags of `package update`. */
export const packageUpdateFlags = {
  ...folderFlags,
  platform: packageFlags.platform,
  ...indexFlags,
  'solve-timeout': resolutionFlags['solve-timeout'],
  git: string({
    helpGroup: 'GIT',
    helpValue: 'URL|DIR',
    default: '.',
    summary: 'Git repository of the declaration',
  }),
  path: alone(gitFlags.path),
  branch: string({
    helpGroup: 'GIT',
    helpValue: 'NAME',
    summary: 'Branch to update (default: the current one; of a URL, the default branch)',
  }),
  remote: string({
    helpGroup: 'GIT',
    helpValue: 'NAME',
    dependsOn: ['push'],
    summary: "Remote to push to (default: the branch's, or origin)",
  }),
  push: boolean({helpGroup: 'GIT', summary: 'Push the branches; always done for a URL'}),
  'author-name': alone(gitFlags['author-name']),
  'author-email': alone(gitFlags['author-email']),
  signoff: alone(gitFlags.signoff),
  'gpg-sign': alone(gitFlags['gpg-sign']),
  'ssh-sign': alone(gitFlags['ssh-sign']),
  'signing-key': alone(gitFlags['signing-key']),
  pr: option({
    options: ['github', 'gitlab'] as const,
    helpGroup: 'REQUEST',
    summary: 'Open a pull request of GitHub by its API, or a merge request of GitLab by the push',
  })(),
  'pr-api': string({
    helpGroup: 'REQUEST',
    helpValue: 'URL',
    dependsOn: ['pr'],
    summary: 'Address of the API of GitHub, which gets GITHUB_TOKEN (default: GITHUB_API_URL)',
  }),
  'pr-repository': string({
    helpGroup: 'REQUEST',
    helpValue: 'OWNER/NAME',
    dependsOn: ['pr'],
    summary: 'Repository of GitHub with the branches (default: GITHUB_REPOSITORY)',
  }),
  by: option({
    options: GROUPINGS,
    default: 'family' as const,
    helpGroup: 'UPDATE',
    summary: 'Packages of one branch: a provider family, one package, or all',
  })(),
  within: option({
    options: UPDATE_STEPS,
    default: 'major' as const,
    helpGroup: 'UPDATE',
    summary: 'Largest step of an update: patch, minor or major',
  })(),
  'min-age': string({
    helpGroup: 'UPDATE',
    helpValue: 'DURATION',
    summary: 'Only select versions that were first seen this long ago, such as 72h',
  }),
  limit: integer({
    min: 1,
    helpGroup: 'UPDATE',
    helpValue: 'N',
    summary: 'Maximum number of branches that exist at a time (default: no limit)',
  }),
  explain: string({
    helpGroup: 'OUTPUT',
    helpValue: 'PACKAGE',
    exclusive: ['dry-run', 'body-file', 'limit'],
    summary: 'Only print why a package is updated or not',
  }),
  'body-file': string({
    helpGroup: 'OUTPUT',
    helpValue: 'FILE',
    summary: 'File for the text of a pull request, if there is one branch',
  }),
  'dry-run': bareClient(
    option({
      options: FILE_DRY_RUNS,
      default: 'none' as const,
      helpGroup: 'OUTPUT',
      summary: 'Print the branches and change nothing',
    })(),
  ),
}
