import {CrossplaneError} from '../../errors.js'
import type {UninstallOptions} from '../../plan/cluster/state/uninstall-options.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {uninstallFlags} from '../flags/uninstall.js'

/** The options of `package uninstall`. Throws `usage`. */
export function uninstallOptions({
  'custom-resources': customResources,
  'confirm-delete': confirmedInstances,
  'with-unused-dependencies': withUnusedDependencies,
  adopt,
}: FlagValues<typeof uninstallFlags>): UninstallOptions {
  if (confirmedInstances !== undefined && customResources !== 'delete') {
    throw new CrossplaneError('usage', '--confirm-delete requires --custom-resources=delete')
  }
  return {customResources, confirmedInstances, withUnusedDependencies, adopt}
}
