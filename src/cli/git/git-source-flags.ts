import {gitFlags, onlyWithGit} from './git-flags.js'
import {indexFlags} from '../sources/index-flags.js'
import {packageFlags} from '../sources/package-flags.js'
import {pullFlags} from '../sources/pull-flags.js'
import {resolutionFlags} from '../declaration/resolution-flags.js'

/** Flags by which a command that needs no packages in a cluster finds those of a declaration. */
export const gitSourceFlags = {
  packages: onlyWithGit(packageFlags.packages),
  'packages-base': onlyWithGit(packageFlags['packages-base']),
  platform: packageFlags.platform,
  ...indexFlags,
  'solve-timeout': resolutionFlags['solve-timeout'],
  ...pullFlags,
  ...gitFlags,
}
