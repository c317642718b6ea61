import {contentFlags} from './render.js'
import {indexFlags} from './index-flags.js'
import {folderFlags, packageFlags} from './package.js'
import {pullFlags} from './pull.js'
import {placeFlags} from './request.js'
import {resolutionFlags} from './resolution.js'

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
