import type {Interfaces} from '@oclif/core'
import {type InstallChange, prepareInstall} from '../../pipeline/cluster/install.js'
import type {applyFlags} from '../flags/change.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {installSetFlags} from '../flags/render.js'
import {installQuery} from '../options/install-query.js'
import type {RequestArguments} from '../options/request-parameters.js'
import {writtenFlags} from '../options/written-flags.js'
import type {OpenCluster} from '../ports/cluster-ports.js'
import {withRuntime} from '../ports/given-runtime.js'
import {requestPorts} from '../ports/package-ports.js'
import {showNotes, showWarnings} from '../output/show.js'
import {showTarget} from '../output/show-cluster-change.js'

/** A command line that selects the packages to install. */
interface InstallCommand {
  readonly args: RequestArguments
  readonly flags: FlagValues<typeof installSetFlags & typeof applyFlags>
  readonly raw: Interfaces.ParserOutput['raw']
}

/** Plans the changes of an install in a cluster, and shows its warnings and notes. */
export async function decidedInstall(
  {args, flags, raw}: InstallCommand,
  {connection, api, progress}: OpenCluster,
  toolVersion: string,
  argv: readonly string[],
): Promise<InstallChange> {
  const {namespace} = connection
  const query = installQuery(args, await withRuntime(flags), {
    namespace,
    toolVersion,
    flagNames: writtenFlags(raw),
  })
  showTarget(connection, argv)
  const ports = {api, requests: requestPorts(flags, progress)}
  const change = await prepareInstall(query, ports).finally(progress.end)
  showWarnings(change.set, argv)
  showNotes(change.notes, argv)
  return change
}
