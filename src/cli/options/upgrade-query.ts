import type {UpgradeQuery} from '../../pipeline/cluster/upgrade.js'
import type {applyFlags} from '../flags/change.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {upgradeFlags} from '../flags/render.js'
import {type InstallContext, rejectCrossplaneVersion} from './install-query.js'
import {renderChoices} from './render-query.js'
import {resolutionSettings} from './resolution/resolution-settings.js'

type UpgradeFlags = FlagValues<typeof upgradeFlags & typeof applyFlags>

/** The query of `package upgrade`. Throws `usage`. */
export function upgradeQuery(
  names: readonly string[],
  flags: UpgradeFlags,
  {toolVersion, written}: Pick<InstallContext, 'toolVersion' | 'written'>,
): UpgradeQuery {
  rejectCrossplaneVersion(written)
  return {
    names,
    settings: resolutionSettings(flags),
    pin: !flags['no-pin'],
    choices: {...renderChoices(flags), withPackages: true},
    options: {
      adopt: flags.adopt,
      forceConflicts: flags['force-conflicts'],
      replaceCrds: flags['replace-crds'],
      toolVersion,
    },
  }
}
