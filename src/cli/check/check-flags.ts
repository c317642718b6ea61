import {boolean, string} from '@oclif/core/flags'
import {cacheFlags} from '../cache/cache-flags.js'
import {lockFileFlag, trustLockOptions} from '../declaration/lock-flags.js'
import {folderFlags, nearestDeclarationFlag, packageFlags} from '../sources/package-flags.js'
import {mirrorFlag, registryFlags} from '../registry/registry-flags.js'
import {policyOptions} from '../declaration/resolution-flags.js'

/** Flags of `package check`. A setting that decides what is rendered is in the declaration. */
export const checkFlags = {
  'output-dir': string({
    exclusive: ['git', 'path'],
    helpGroup: 'OUTPUT',
    helpValue: 'DIR',
    summary: 'Folder of rendered files (default: packages next to the declaration)',
  }),
  git: string({
    exclusive: ['declaration', 'lock-file'],
    helpGroup: 'GIT',
    helpValue: 'DIR',
    summary: 'Check the declaration of the Git repository of this folder',
  }),
  path: string({
    dependsOn: ['git'],
    helpGroup: 'GIT',
    helpValue: 'DIR',
    summary:
      'Folder of the declaration in the repository (default: the closest one up from the folder of --git, or the root)',
  }),
  hashes: boolean({
    helpGroup: 'OUTPUT',
    summary: 'Compare with the list of hashes in the folder only; requires no packages and no network',
  }),
  'allow-unavailable': boolean({
    exclusive: ['hashes'],
    helpGroup: 'OUTPUT',
    summary: 'Compare with the list of hashes if packages that are locked without a digest are not available',
  }),
  since: string({
    exclusive: ['hashes'],
    helpGroup: 'OBJECTS',
    helpValue: 'REF',
    summary:
      'Judge what the lock does to the objects of the declaration since the merge base with this branch (default: the branch that CI names)',
  }),
  declaration: nearestDeclarationFlag,
  ...lockFileFlag,
  'trust-lock': boolean({...trustLockOptions, exclusive: ['hashes']}),
  policy: string({...policyOptions, exclusive: ['hashes']}),
  ...folderFlags,
  platform: packageFlags.platform,
  ...mirrorFlag,
  ...registryFlags,
  ...cacheFlags,
}
