import type {InstallChange} from '../../pipeline/cluster/install.js'
import {prepareRollback, type RollbackQuery} from '../../pipeline/cluster/rollback.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {rollbackFlags} from '../flags/render.js'
import type {OpenCluster} from '../ports/cluster-ports.js'
import {requestPorts} from '../ports/package-ports.js'
import {showNotes, showWarnings} from '../output/document/show.js'
import {showTarget} from '../output/plan/show-cluster-change.js'

/** Decides what a rollback changes in a cluster; shows its warnings and notes. */
export async function decidedRollback(
  query: RollbackQuery,
  flags: FlagValues<typeof rollbackFlags>,
  {connection, api, progress}: OpenCluster,
  argv: readonly string[],
): Promise<InstallChange> {
  showTarget(connection, argv)
  const change = await prepareRollback(query, {api, requests: requestPorts(flags, progress)}).finally(
    progress.end,
  )
  showWarnings(change.set, argv)
  showNotes(change.notes, argv)
  return change
}
