import {Command} from '@oclif/core/command'
import {boolean} from '@oclif/core/flags'
import {argument} from '../../cli/flags/argument.js'
import {clusterFlags, installFlags} from '../../cli/flags/cluster.js'
import {commonFlags} from '../../cli/flags/global.js'
import {listOutputFlag} from '../../cli/flags/output.js'
import {selectionFlags} from '../../cli/flags/selection.js'
import {declarationFlags} from '../../cli/flags/package.js'
import {FOUND} from '../../cli/exit-code.js'
import {checkStatusFlags, selectsPackages, statusQuery} from '../../cli/options/status-query.js'
import {painter} from '../../cli/output/text/paint.js'
import {showWarnings} from '../../cli/output/document/show.js'
import {showList} from '../../cli/output/document/show-list.js'
import {formatStatuses, statusDocument} from '../../cli/output/installs/show-statuses.js'
import {watchStatus} from '../../cli/run/watch-status.js'
import {inputFiles} from '../../cli/ports/input-files.js'
import {
  formatPackages,
  packageDocuments,
  packageNames,
  packageReasons,
} from '../../cli/output/installs/show-packages.js'
import {lines, parts} from '../../cli/output/text/lines.js'
import {progress} from '../../cli/output/progress/progress.js'
import {openCluster} from '../../cli/ports/cluster-ports.js'
import {clock} from '../../cli/wire.js'
import {listPackages, NO_PACKAGES} from '../../pipeline/cluster/core/list-packages.js'
import {hasLockDrift, readStatuses, undetermined, worstState} from '../../pipeline/cluster/install-status.js'

export default class Status extends Command {
  static override summary = 'Show whether installed packages work'
  static override description = `Computes the health of installs from the objects of the cluster, and names the first broken link of each and its fix. \
The links are: inventory or request, package record, CRDs, service account, roles, binding, Deployment, Pods. Of Providers, Configurations and Functions of a current Crossplane (xpkg), it shows what their conditions and \
Crossplane's Lock say. With --declaration, \
installs are also compared with the lock file. Exits with 0 if no install is broken, with 1 if one is broken or differs \
from the lock file, and with 7 if the health could not be determined, for example because a permission is missing.`

  static override examples = [
    {
      description: 'Show the health of an install',
      command: '<%= config.bin %> <%= command.id %> my-provider --namespace crossplane-system',
    },
    {
      description: 'Watch all installs of the cluster',
      command: '<%= config.bin %> <%= command.id %> --all-namespaces --watch',
    },
  ]

  /** The flags that `-h` shows. */
  static isCheck = true
  static mostUsed = ['namespace', 'all-namespaces', 'selector', 'watch', 'declaration', 'context', 'output']

  static override args = {
    name: argument({description: 'Install: NAME, or NAMESPACE/NAME (default: all of the namespace)'}),
  }

  static override flags = {
    ...installFlags,
    ...selectionFlags,
    declaration: declarationFlags.declaration,
    watch: boolean({char: 'w', helpGroup: 'OUTPUT', summary: 'Report changes until interrupted'}),
    ...clusterFlags,
    ...listOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Status)
    checkStatusFlags(args.name, flags)
    const shown = progress(this.argv)
    const {connection, api} = await openCluster(flags, this.config.version, shown)
    const query = await statusQuery(args, flags, connection, inputFiles)
    const look = () => readStatuses(query, api).finally(shown.end)
    const format = {paint: painter(this.argv, 'stdout'), argv: this.argv}
    if (flags.watch) this.exit(await watchStatus(look, flags.output, await clock(), format))
    const [statuses, core] = await Promise.all([
      look(),
      args.name === undefined && selectsPackages(flags)
        ? listPackages(api, query.selector).finally(shown.end)
        : NO_PACKAGES,
    ])
    const {statuses: installs, warnings, denials} = statuses
    const {packages} = core
    showWarnings({warnings: [...warnings, ...core.warnings]}, this.argv)
    await showList(
      {
        document: {...statusDocument(installs, this.argv), ...packageDocuments(packages)},
        names: [...installs.map(status => `${status.namespace}/${status.name}`), ...packageNames(packages)],
        table: isWide =>
          parts([
            installs.length === 0 ? '' : formatStatuses(installs, isWide, format),
            formatPackages(packages, {isWide, paint: format.paint, now: api.now()}),
            lines(packageReasons(packages, format.paint)),
          ]),
        empty:
          query.namespace === undefined
            ? 'No installs found'
            : `No installs found in namespace ${query.namespace}`,
      },
      flags.output,
    )
    const worst = worstState(installs)
    const isBroken = worst === 'broken' || packages.some(one => one.state === 'broken')
    if (isBroken || hasLockDrift(installs)) this.exit(FOUND)
    if (worst === 'unknown' || denials.length > 0) throw undetermined(statuses)
  }
}
