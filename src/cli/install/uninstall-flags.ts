import {boolean, integer, option} from '@oclif/core/flags'
import {CUSTOM_RESOURCES} from '../../plan/cluster/state/uninstall-options.js'

/** Flags that decide what an uninstall removes. */
export const uninstallFlags = {
  'custom-resources': option({
    exclusive: ['git'],
    options: CUSTOM_RESOURCES,
    default: 'abort',
    helpGroup: 'SAFETY',
    summary:
      'Policy for custom resources that would lose their controller: abort, keep them and their CRDs, or delete them first',
  })(),
  'confirm-delete': integer({
    min: 0,
    helpGroup: 'SAFETY',
    helpValue: 'N',
    summary: 'Confirm that --custom-resources=delete deletes N custom resources',
  }),
  'with-unused-dependencies': boolean({
    helpGroup: 'SAFETY',
    summary: 'Also remove dependencies that no other install requires',
  }),
  'ignore-not-found': boolean({
    exclusive: ['git'],
    summary: 'Exit with 0 if the install does not exist, for example, after an interrupted uninstall',
  }),
  adopt: boolean({
    helpGroup: 'SAFETY',
    summary: 'Remove an install without an inventory; its objects are found by name and label',
  }),
}
