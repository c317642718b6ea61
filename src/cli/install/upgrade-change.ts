import type {Interfaces} from '@oclif/core'
import type {ClusterChange} from '../../pipeline/cluster/cluster-change.js'
import {changeResolver} from '../../pipeline/cluster/core/change-resolver.js'
import {withClusterMirrors} from '../../pipeline/cluster/core/cluster-mirrors.js'
import type {PackagesChange} from '../../pipeline/cluster/joined-changes.js'
import {prepareUpgrade} from '../../pipeline/cluster/upgrade-installed.js'
import {prepareDeclaredUpgrade} from '../../pipeline/cluster/upgrade-declaration.js'
import type {applyFlags, baseFlag} from '../plan/change-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {acceptImpactFlag} from '../declaration/lock-flags.js'
import type {upgradeFlags} from '../render/render-flags.js'
import type {xpkgFlags} from '../declaration/xpkg-flags.js'
import {expectApplicable} from '../../package/expect-applicable.js'
import {xpkgSettings} from '../render/xpkg-settings.js'
import {declarationFiles, declaredUpgradeQuery, resolverQuery, upgradeQuery} from './upgrade-query.js'
import {writtenFlags} from '../shell/flags/written-flags.js'
import type {OpenCluster} from '../cluster/cluster-ports.js'
import {requestPorts} from '../packages/package-ports.js'
import {showNotes, showWarnings} from '../shell/document/show.js'
import {showTarget} from './show-cluster-change.js'

/** A command line that says what to upgrade. */
interface UpgradeCommand {
  /** The arguments. */
  readonly argv: readonly unknown[]
  readonly flags: FlagValues<
    typeof upgradeFlags & typeof applyFlags & typeof baseFlag & typeof xpkgFlags & typeof acceptImpactFlag
  >
  readonly raw: Interfaces.ParserOutput['raw']
}

/** Decides what an upgrade changes in a cluster and, with a declaration, in its files; shows notes on it. */
export async function decidedUpgrade(
  {argv: args, flags, raw}: UpgradeCommand,
  {connection, api, progress}: OpenCluster,
  toolVersion: string,
  argv: readonly string[],
): Promise<ClusterChange> {
  const {declaration} = flags
  const names = args.map(String)
  showTarget(connection, argv)
  const ports = {api, requests: withClusterMirrors(requestPorts(flags, progress), api)}
  const prepare = async (): Promise<PackagesChange> => {
    const context = {toolVersion, flagNames: writtenFlags(raw), namespace: connection.namespace}
    const {resolver} = flags
    if (resolver !== undefined && names.length === 0) {
      const {settings, options} = resolverQuery(flags, context)
      return await changeResolver({resolver, file: declaration, settings, options}, ports)
    }
    const choices = await xpkgSettings(flags, ports.requests.inputs)
    if (declaration === undefined) {
      return await prepareUpgrade({...upgradeQuery(names, flags, context), xpkgs: choices}, ports)
    }
    const query = {...declaredUpgradeQuery(names, flags, context), xpkgs: choices}
    return await prepareDeclaredUpgrade(query, await declarationFiles(declaration, flags), ports)
  }
  const change = await prepare().finally(progress.end)
  expectApplicable(change.formats ?? ['stack'], writtenFlags(raw))
  showWarnings(change.set, argv)
  showNotes(change.notes, argv)
  return change
}
