import {boolean} from '@oclif/core/flags'
import {indexFlags} from './index-flags.js'
import {folderFlags} from './package.js'
import {pullFlags} from './pull.js'

/** Flags of a command that shows newer versions of installed packages. */
export const updateFlags = {
  'check-updates': boolean({
    helpGroup: 'PACKAGE',
    summary: 'Look up newer versions in the index or the registries instead of the cache',
  }),
  ...folderFlags,
  ...indexFlags,
  ...pullFlags,
}
