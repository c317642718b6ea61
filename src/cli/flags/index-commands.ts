import {indexFlags, indexTargetFlags} from './index-flags.js'
import {commonFlags} from './global.js'
import {reportOutputFlag} from './output.js'
import {folderFlags, packageFlags} from './package.js'
import {pullFlags} from './pull.js'

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
