import {indexFlags} from './index-flags.js'
import {declarationFlags, packageFlags} from './package.js'
import {pullFlags} from './pull.js'
import {placeFlags} from './request.js'
import {resolutionFlags} from './resolution.js'

/** Flags of commands that choose packages for what is wanted: what that is, where packages are found, what decides. */
export const choiceFlags = {
  ...packageFlags,
  ...indexFlags,
  ...declarationFlags,
  ...resolutionFlags,
  ...placeFlags,
  ...pullFlags,
}
