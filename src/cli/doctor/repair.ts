import {CrossplaneError} from '../../errors.js'
import {prepareLockRepair} from '../../pipeline/doctor/repair-lock.js'
import type {ClusterFlags} from '../cluster/cluster-connection.js'
import {
  decidingCommand,
  type ParsedCommand,
  type PlanningCommand,
  savedClusterPlan,
} from '../install/cluster-plan.js'
import {writtenFlags} from '../shell/flags/written-flags.js'
import {showTarget} from '../install/show-cluster-change.js'
import {progress} from '../shell/progress/progress.js'
import {changePorts, openCluster} from '../cluster/cluster-ports.js'
import {type ChangeRun, toCluster} from '../install/cluster-change.js'

type RepairFlags = Omit<ChangeRun['flags'], 'output'> &
  ClusterFlags & {readonly output: 'text' | 'json' | 'yaml'; readonly quiet: boolean}

/** The flags of a repair that have defaults. */
const DEFAULTED = ['dry-run', 'timeout']

/** Throws `usage` for flags of a repair on a command line without one. */
export function expectNoRepair({raw}: Pick<ParsedCommand, 'raw'>): void {
  const names = writtenFlags(raw)
  const flag = DEFAULTED.find(name => names.has(name))
  if (flag === undefined) return
  throw new CrossplaneError('usage', `--${flag} requires --repair`, {
    suggestions: ['kubectl crossplane doctor --help'],
  })
}

/** Shows the repair of the Lock of a current Crossplane, and applies it once it is confirmed. */
export async function toRepair<Parsed extends ParsedCommand & {readonly flags: RepairFlags}>(
  command: Omit<PlanningCommand<Parsed>, 'saved'>,
  argv: readonly string[],
): Promise<void> {
  const {flags} = command.parsed
  const saved = await savedClusterPlan(command.parsed)
  const cluster = await openCluster(flags, command.toolVersion, progress([...argv]))
  const {files} = await decidingCommand({...command, saved}, cluster.connection)
  showTarget(cluster.connection, argv)
  const change = await prepareLockRepair(cluster.api).finally(cluster.progress.end)
  const ports = await changePorts(cluster, flags)
  await toCluster(change, {flags, ports, argv, files, deletedAs: 'deleted'})
}
