import {withClusterMirrors} from '../../pipeline/cluster/core/cluster-mirrors.js'
import type {RollbackQuery} from '../../pipeline/cluster/installed-format.js'
import type {PackagesChange} from '../../pipeline/cluster/joined-changes.js'
import {prepareRollback} from '../../pipeline/cluster/named-in-cluster.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {rollbackFlags} from '../flags/render.js'
import type {ParsedCommand} from '../options/cluster-plan.js'
import {writtenFlags} from '../options/written-flags.js'
import {expectApplicable} from '../options/xpkg-settings.js'
import type {OpenCluster} from '../ports/cluster-ports.js'
import {requestPorts} from '../ports/package-ports.js'
import {showNotes, showWarnings} from '../output/document/show.js'
import {showTarget} from '../output/plan/show-cluster-change.js'

/** Decides what a rollback changes in a cluster; shows its warnings and notes. */
export async function decidedRollback(
  query: RollbackQuery,
  {flags, raw}: Pick<ParsedCommand, 'raw'> & {readonly flags: FlagValues<typeof rollbackFlags>},
  {connection, api, progress}: OpenCluster,
  argv: readonly string[],
): Promise<PackagesChange> {
  showTarget(connection, argv)
  const requests = withClusterMirrors(requestPorts(flags, progress), api)
  const change = await prepareRollback(query, {api, requests}).finally(progress.end)
  expectApplicable(change.formats ?? ['stack'], writtenFlags(raw))
  showWarnings(change.set, argv)
  showNotes(change.notes, argv)
  return change
}
