import type {SettingFlags} from '../../pipeline/render/expect-same-settings.js'
import type {GivenOutput} from '../../pipeline/render/write-output.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {treeFlags} from './tree-flags.js'

/** Returns the settings of an output folder on a command line. */
export function givenOutput(flags: FlagValues<typeof treeFlags>): GivenOutput {
  return {
    layout: flags.layout,
    repoURL: flags['repo-url'],
    assumeNoInstances: flags['assume-no-instances'],
    ...settingFlagsOf(flags),
  }
}

/** Returns which settings of a tree a command can change. */
export function settingFlagsOf(
  flags: Pick<FlagValues<typeof treeFlags>, 'change-settings' | 'allow-pruning'>,
): SettingFlags {
  return {changeSettings: flags['change-settings'], allowPruning: flags['allow-pruning']}
}
