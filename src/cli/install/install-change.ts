import type {Interfaces} from '@oclif/core'
import type {ClusterChange} from '../../pipeline/cluster/cluster-change.js'
import {prepareInstalls} from '../../pipeline/cluster/install-requested.js'
import {withClusterMirrors} from '../../pipeline/cluster/core/cluster-mirrors.js'
import type {applyFlags, baseFlag} from '../plan/change-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {installSetFlags} from '../render/render-flags.js'
import {installQuery} from './install-query.js'
import {expectApplicable} from '../../package/expect-applicable.js'
import {xpkgSettings} from '../render/xpkg-settings.js'
import type {xpkgFlags} from '../declaration/xpkg-flags.js'
import type {RequestArguments} from '../declaration/request-parameters.js'
import {writtenFlags} from '../shell/flags/written-flags.js'
import type {OpenCluster} from '../cluster/cluster-ports.js'
import {withRuntime} from '../render/given-runtime.js'
import {requestPorts} from '../packages/package-ports.js'
import {showNotes, showWarnings} from '../shell/document/show.js'
import {showTarget} from './show-cluster-change.js'

/** A command line that selects the packages to install. */
interface InstallCommand {
  readonly args: RequestArguments
  readonly flags: FlagValues<typeof installSetFlags & typeof applyFlags & typeof baseFlag & typeof xpkgFlags>
  readonly raw: Interfaces.ParserOutput['raw']
}

/** Plans the changes of an install in a cluster, and shows its warnings and notes. */
export async function decidedInstall(
  {args, flags, raw}: InstallCommand,
  {connection, api, progress}: OpenCluster,
  toolVersion: string,
  argv: readonly string[],
): Promise<ClusterChange> {
  const {namespace} = connection
  const flagNames = writtenFlags(raw)
  const query = installQuery(args, await withRuntime(flags), {namespace, toolVersion, flagNames})
  showTarget(connection, argv)
  const ports = {api, requests: withClusterMirrors(requestPorts(flags, progress), api)}
  const xpkgs = async () => await xpkgSettings(flags, ports.requests.inputs)
  const change = await prepareInstalls({...query, xpkgs}, ports).finally(progress.end)
  expectApplicable(change.formats ?? ['stack'], flagNames)
  showWarnings(change.set, argv)
  showNotes(change.notes, argv)
  return change
}
