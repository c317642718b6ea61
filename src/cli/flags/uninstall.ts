import {boolean, integer, option} from '@oclif/core/flags'
import {CUSTOM_RESOURCES} from '../../plan/cluster/uninstall-options.js'

/** Flags that decide what an uninstall removes. */
export const uninstallFlags = {
  'custom-resources': option({
    options: CUSTOM_RESOURCES,
    default: 'abort',
    helpGroup: 'SAFETY',
    summary:
      'What to do if custom resources would lose the controller: nothing is changed; they and the CRDs are kept; or they are deleted first',
  })(),
  'confirm-delete': integer({
    min: 0,
    helpGroup: 'SAFETY',
    helpValue: 'N',
    summary: 'Confirm that --custom-resources=delete deletes N custom resources',
  }),
  'with-unused-dependencies': boolean({
    helpGroup: 'SAFETY',
    summary: 'Also remove dependencies that no install requires any more, under the same conditions',
  }),
  adopt: boolean({
    helpGroup: 'SAFETY',
    summary: 'Remove an install that has no inventory, by the names and labels of its objects',
  }),
}
