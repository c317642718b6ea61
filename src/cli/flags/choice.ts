import {indexFlags} from './index-flags.js'
import {declarationFlags, packageFlags} from './package.js'
import {pullFlags} from './pull.js'
import {placeFlags} from './request.js'
import {resolutionFlags} from './resolution.js'

/** Flags of commands that resolve requested packages: the request, the package sources and the resolution. */
export const choiceFlags = {
  ...packageFlags,
  ...indexFlags,
  ...declarationFlags,
  ...resolutionFlags,
  ...placeFlags,
  ...pullFlags,
}
