import {boolean, option, string} from '@oclif/core/flags'
import {cacheFlags} from '../cache/cache-flags.js'
import {clusterFlags} from '../cluster/cluster-flags.js'
import {lockFileFlag, trustLockOptions} from '../declaration/lock-flags.js'
import {folderFlags, packageFlags} from '../sources/package-flags.js'
import {mirrorFlag, registryFlags} from '../registry/registry-flags.js'
import {policyOptions} from '../declaration/resolution-flags.js'

const withGit = {dependsOn: ['git'], helpGroup: 'GIT'}

/** Flags of `package drift`. A setting that decides what is rendered is in the declaration. */
export const driftFlags = {
  declaration: string({
    helpGroup: 'PACKAGE',
    helpValue: 'FILE',
    summary: 'Compare what this declaration renders with its lock file',
  }),
  ...lockFileFlag,
  'trust-lock': boolean({...trustLockOptions, dependsOn: ['declaration']}),
  policy: string({...policyOptions, dependsOn: ['declaration']}),
  ...folderFlags,
  platform: packageFlags.platform,
  git: string({
    helpGroup: 'GIT',
    helpValue: 'URL|DIR',
    summary: 'Compare the rendered files that are committed to the Git repository of a folder or a URL',
  }),
  path: string({
    ...withGit,
    helpValue: 'DIR',
    summary:
      'Folder of the declaration in the repository (default: the closest one up from the folder of --git, or the root)',
  }),
  branch: string({
    ...withGit,
    helpValue: 'NAME',
    summary: 'Branch to compare (default: the current one; of a URL, the default branch)',
  }),
  ...clusterFlags,
  context: string({
    helpGroup: 'CLUSTER',
    helpValue: 'NAME',
    summary:
      'Compare the cluster of this context (default: the current context, without --declaration or --git)',
  }),
  watch: boolean({char: 'w', helpGroup: 'OUTPUT', summary: 'Report changes until interrupted'}),
  output: option({
    char: 'o',
    options: ['text', 'json', 'yaml', 'github', 'prometheus'] as const,
    default: 'text',
    helpGroup: 'OUTPUT',
    summary: 'Output format; github prints GitHub Actions annotations, prometheus metrics',
  })(),
  ...mirrorFlag,
  ...registryFlags,
  ...cacheFlags,
}
