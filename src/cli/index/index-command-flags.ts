import {indexFlags, indexTargetFlags} from '../sources/index-flags.js'
import {commonFlags} from '../shell/flags/common-flags.js'
import {reportOutputFlag} from '../shell/flags/output-flags.js'
import {folderFlags, packageFlags} from '../sources/package-flags.js'
import {pullFlags} from '../sources/pull-flags.js'

/** For commands that pull packages and add them to an index. */
export const indexAdditionFlags = {
  ...indexTargetFlags,
  platform: packageFlags.platform,
  ...pullFlags,
  ...reportOutputFlag,
  ...commonFlags,
}

/** For commands that read indexes and folders of packages. */
export const indexReadingFlags = {
  ...indexFlags,
  ...folderFlags,
  platform: packageFlags.platform,
  ...pullFlags,
}
