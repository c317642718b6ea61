import {withClusterMirrors} from '../../pipeline/cluster/core/cluster-mirrors.js'
import type {RollbackQuery} from '../../pipeline/cluster/installed-format.js'
import type {PackagesChange} from '../../pipeline/cluster/joined-changes.js'
import {prepareRollback} from '../../pipeline/cluster/named-in-cluster.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {rollbackFlags} from '../render/render-flags.js'
import type {ParsedCommand} from './cluster-plan.js'
import {writtenFlags} from '../shell/flags/written-flags.js'
import {expectApplicable} from '../../package/expect-applicable.js'
import type {OpenCluster} from '../cluster/cluster-ports.js'
import {requestPorts} from '../packages/package-ports.js'
import {showNotes, showWarnings} from '../shell/document/show.js'
import {showTarget} from './show-cluster-change.js'

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
  expectApplicable(change.formats ?? ['stack'], writtenFlags(raw), ['owner'])
  showWarnings(change.set, argv)
  showNotes(change.notes, argv)
  return change
}
