import {contentFlags} from '../cli/render/render-flags.js'
import {indexFlags} from '../cli/sources/index-flags.js'
import {folderFlags, packageFlags} from '../cli/sources/package-flags.js'
import {pullFlags} from '../cli/sources/pull-flags.js'
import {placeFlags} from '../cli/declaration/request-flags.js'
import {resolutionFlags} from '../cli/declaration/resolution-flags.js'

/** Flags of a process that installs the packages that objects of a cluster request. */
export const installerFlags = {
  ...folderFlags,
  platform: packageFlags.platform,
  ...indexFlags,
  owner: resolutionFlags.owner,
  'crossplane-version': resolutionFlags['crossplane-version'],
  'solve-timeout': resolutionFlags['solve-timeout'],
  'system-namespace': placeFlags['system-namespace'],
  ...pullFlags,
  'controller-image': contentFlags['controller-image'],
  'allow-core-permissions': contentFlags['allow-core-permissions'],
  'allow-full-deployment': contentFlags['allow-full-deployment'],
}
