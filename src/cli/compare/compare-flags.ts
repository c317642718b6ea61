import {boolean, option} from '@oclif/core/flags'
import {indexFlags} from '../sources/index-flags.js'
import {lockFileFlag} from '../declaration/lock-flags.js'
import {folderFlags, nearestDeclarationFlag, packageFlags} from '../sources/package-flags.js'
import {pullFlags} from '../sources/pull-flags.js'
import {resolutionFlags} from '../declaration/resolution-flags.js'
import {coreVersionFlag} from '../declaration/xpkg-flags.js'

/** Flags of commands that read the packages of a lock, or those that would be selected without one. */
export const setFlags = {
  ...lockFileFlag,
  ...folderFlags,
  platform: packageFlags.platform,
  ...indexFlags,
  ...resolutionFlags,
  ...coreVersionFlag,
  ...pullFlags,
}

/** Flags of commands that read the schemas of a declaration. */
export const closureFlags = {declaration: nearestDeclarationFlag, ...setFlags}

/** Flags of `package compare`. */
export const compareFlags = {
  output: option({
    char: 'o',
    options: ['text', 'json', 'yaml', 'markdown'] as const,
    default: 'text',
    helpGroup: 'OUTPUT',
    summary: 'Output format; markdown is for a comment on a pull request',
  })(),
  fields: boolean({helpGroup: 'OUTPUT', summary: 'List all changes of each kind in text and Markdown'}),
  ...setFlags,
}
