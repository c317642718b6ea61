import type {GivenOutput} from '../../pipeline/render/write-output.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {treeFlags} from '../flags/tree.js'

/** Returns the settings of an output folder on a command line. */
export function givenOutput(flags: FlagValues<typeof treeFlags>): GivenOutput {
  return {
    layout: flags.layout,
    repoURL: flags['repo-url'],
    assumeNoInstances: flags['assume-no-instances'],
  }
}
