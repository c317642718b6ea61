import {indexFlags} from '../sources/index-flags.js'
import {declarationFlags, packageFlags} from '../sources/package-flags.js'
import {pullFlags} from '../sources/pull-flags.js'
import {placeFlags} from './request-flags.js'
import {resolutionFlags} from './resolution-flags.js'

/** Flags of commands that resolve requested packages: the request, the package sources and the resolution. */
export const choiceFlags = {
  ...packageFlags,
  ...indexFlags,
  ...declarationFlags,
  ...resolutionFlags,
  ...placeFlags,
  ...pullFlags,
}
