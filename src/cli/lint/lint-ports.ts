import {existsSync} from 'node:fs'
import {present} from '../../present.js'
import type {LintPorts, TemplateChecks} from '../../package/lint.js'
import type {SurfacePackage} from '../../usage/compare-sets.js'
import {lockPath} from '../declaration/lock-query.js'
import {nearestDeclaration} from '../sources/default-declaration.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {pullFlags} from '../sources/pull-flags.js'
import {type IndexFlagValue, indexNames} from '../sources/index-name.js'
import {indexToRead} from '../packages/index-to-read.js'
import {packagePorts, type PlaceFlags, requestPorts} from '../packages/package-ports.js'
import type {Progress} from '../shell/progress/step-event.js'
import {patternMatcher, schemaRules} from '../wire.js'

/** Returns the package sources of lint with the checks of templates, and the index to look kinds up in if the command line names one. */
export async function lintPorts(
  flags: FlagValues<typeof pullFlags> & IndexFlagValue & PlaceFlags,
  progress: Progress,
  checkTemplates: TemplateChecks | undefined,
): Promise<LintPorts> {
  const ports = {
    ...(await packagePorts(flags, progress)),
    ...{
      schemaRules,
      patternMatcher,
      lockedPackages: async (folder: string) => await packagesOfLock(folder, flags, progress),
    },
    ...present({checkTemplates}),
  }
  if (flags.packages === undefined && indexNames(flags).length === 0) return ports
  const {budget} = requestPorts(flags, progress)
  return {...ports, budget, index: async () => await indexToRead(flags, progress)}
}

/** The lock beside a package, or beside the declaration of a parent of its folder; its packages are read from the folder of packages and the cache. */
async function packagesOfLock(
  folder: string,
  flags: FlagValues<typeof pullFlags> & IndexFlagValue & PlaceFlags,
  progress: Progress,
): Promise<readonly SurfacePackage[] | undefined> {
  const declaration = nearestDeclaration(folder)
  const lock = declaration && lockPath({declaration, 'lock-file': undefined})
  if (lock === undefined || !existsSync(lock)) return undefined
  // Loaded here: few packages are in a folder with a lock.
  const {knownInLock} = await import('../../pipeline/impact/package-set.js')
  return await knownInLock(lock, requestPorts({...flags, offline: true}, progress))
}
