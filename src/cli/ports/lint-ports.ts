import {present} from '../../present.js'
import type {LintPorts, TemplateChecks} from '../../package/lint.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {pullFlags} from '../flags/pull.js'
import {type IndexFlagValue, indexNames} from '../options/index/index-name.js'
import {indexToRead} from './index-to-read.js'
import {packagePorts, type PlaceFlags} from './package-ports.js'
import type {Progress} from './progress.js'
import {schemaRules} from '../wire.js'

/** Returns the package sources of lint with the checks of templates, and the index to look kinds up in if the command line names one. */
export async function lintPorts(
  flags: FlagValues<typeof pullFlags> & IndexFlagValue & PlaceFlags,
  progress: Progress,
  checkTemplates: TemplateChecks | undefined,
): Promise<LintPorts> {
  const ports = {...(await packagePorts(flags, progress)), schemaRules, ...present({checkTemplates})}
  if (flags.packages === undefined && indexNames(flags).length === 0) return ports
  return {...ports, index: async () => await indexToRead(flags, progress)}
}
