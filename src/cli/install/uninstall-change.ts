import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Connection} from '../../cluster/connection.js'
import type {ClusterChange} from '../../pipeline/cluster/cluster-change.js'
import {prepareRemoval} from '../../pipeline/cluster/removal.js'
import type {SavedClusterPlan} from '../../plan/cluster/saved-cluster-plan.js'
import {present} from '../../present.js'
import type {installFlags} from '../cluster/cluster-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {uninstallFlags} from './uninstall-flags.js'
import {namedQuery} from '../cluster/install-id.js'
import {CrossplaneError} from '../../errors.js'
import type {UninstallOptions} from '../../plan/cluster/state/uninstall-options.js'

/** A command line that names what to uninstall. */
interface UninstallCommand {
  readonly args: {readonly name?: string | undefined}
  readonly flags: FlagValues<typeof installFlags & typeof uninstallFlags>
}

interface UninstallPorts {
  readonly connection: Connection
  readonly api: ClusterApi
  readonly saved: SavedClusterPlan | undefined
}

/** Plans the removal of the install or the package that a command line names. Throws `not-found` if there is neither. */
export async function decidedUninstall(
  {args: {name}, flags}: UninstallCommand,
  {connection, api, saved}: UninstallPorts,
): Promise<ClusterChange> {
  const query = {
    options: uninstallOptions(flags),
    ignoresNotFound: flags['ignore-not-found'],
    ...namedQuery(name, flags, connection.namespace),
    ...present({saved}),
  }
  return await prepareRemoval(query, api)
}

/** The options of `package uninstall`. Throws `usage`. */
function uninstallOptions({
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
