import {gitFlags, onlyWithGit} from './git.js'
import {indexFlags} from './index-flags.js'
import {packageFlags} from './package.js'
import {pullFlags} from './pull.js'
import {resolutionFlags} from './resolution.js'

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
