import {boolean} from '@oclif/core/flags'
import {changeFlags} from '../plan/change-flags.js'

/** Flags of `doctor` for a change of the cluster. oclif takes a default as given, so that `expectNoRepair` checks flags with one. */
export const repairFlags = {
  repair: boolean({
    helpGroup: 'SAFETY',
    summary: "Repair the Lock of Crossplane's package manager, if that deletes no object of a package",
  }),
  yes: withRepair(changeFlags.yes),
  'dry-run': changeFlags['dry-run'],
  'plan-out': withRepair(changeFlags['plan-out']),
  plan: withRepair(changeFlags.plan),
  'show-objects': withRepair(changeFlags['show-objects']),
  'no-wait': withRepair(changeFlags['no-wait']),
  timeout: changeFlags.timeout,
}

function withRepair<Flag extends object>(flag: Flag): Flag {
  return {...flag, dependsOn: ['repair']}
}
