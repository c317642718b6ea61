import {boolean} from '@oclif/core/flags'
import {indexFlags} from '../sources/index-flags.js'
import {folderFlags} from '../sources/package-flags.js'
import {pullFlags} from '../sources/pull-flags.js'

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
