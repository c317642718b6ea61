import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Connection} from '../../cluster/connection.js'
import type {ClusterChange} from '../../pipeline/cluster/cluster-change.js'
import {prepareRemoval} from '../../pipeline/cluster/removal.js'
import type {SavedClusterPlan} from '../../plan/cluster/saved-cluster-plan.js'
import {present} from '../../present.js'
import type {installFlags} from '../flags/cluster.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {uninstallFlags} from '../flags/uninstall.js'
import {namedQuery} from '../options/install-id.js'
import {uninstallOptions} from '../options/uninstall-options.js'

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
