import {Command} from '@oclif/core/command'
import {boolean, string} from '@oclif/core/flags'
import {argument} from '../../cli/shell/flags/argument.js'
import {clusterFlags, installFlags} from '../../cli/cluster/cluster-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {listOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {selectionFlags} from '../../cli/status/selection-flags.js'
import {FOUND} from '../../cli/shell/exit-code.js'
import {checkStatusFlags, clusterStatusQuery} from '../../cli/status/status-query.js'
import {painter} from '../../cli/shell/text/paint.js'
import {showWarnings} from '../../cli/shell/document/show.js'
import {showList} from '../../cli/shell/document/show-list.js'
import {statusDocument} from '../../cli/status/show-statuses.js'
import {formatHealth, watchStatus} from '../../cli/status/watch-status.js'
import {inputFiles} from '../../cli/files/input-files.js'
import {packageDocuments, packageNames} from '../../cli/status/show-packages.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {openCluster} from '../../cli/cluster/cluster-ports.js'
import {clock} from '../../cli/wire.js'
import {readClusterStatus} from '../../pipeline/cluster/cluster-status.js'
import {hasLockDrift, undetermined, worstState} from '../../pipeline/cluster/install-status.js'

export default class Status extends Command {
  static override summary = 'Show whether installed packages work'
  static override description = `Computes the health of installs from the objects of the cluster, and names the first broken link of each and its fix. \
The links are: inventory or request, package record, CRDs, service account, roles, binding, Deployment, Pods. Of Providers, Configurations and Functions of a current Crossplane (xpkg), it shows what their conditions and \
Crossplane's Lock say. With --declaration, \
installs and packages are also compared with the lock file. Exits with 0 if no install is broken, with 1 if one is broken or differs \
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

  /** The flags that `--help` shows. */
  static isCheck = true
  static mostUsed = ['namespace', 'all-namespaces', 'selector', 'watch', 'declaration', 'context', 'output']

  static override args = {
    name: argument({
      description:
        'Name of an install or request, NAMESPACE/NAME, KIND.pkg.crossplane.io/NAME, or repository (default: all of the namespace)',
    }),
  }

  static override flags = {
    ...installFlags,
    ...selectionFlags,
    declaration: string({
      helpGroup: 'PACKAGE',
      helpValue: 'FILE',
      summary: 'Also compare the installs with the lock file of this declaration',
    }),
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
    const query = await clusterStatusQuery(args, flags, connection, inputFiles)
    const read = async () => await readClusterStatus(query, api).finally(shown.end)
    const format = {paint: painter(this.argv, 'stdout'), argv: this.argv}
    const table = (isWide: boolean) => ({isWide, now: api.now(), shown: format})
    if (flags.watch) {
      this.exit(await watchStatus(read, () => table(flags.output === 'wide'), await clock()))
    }
    const health = await read()
    const {statuses: installs, packages, warnings, denials} = health
    showWarnings({warnings}, this.argv)
    await showList(
      {
        document: {...statusDocument(installs, this.argv), ...packageDocuments(packages)},
        names: [...installs.map(status => `${status.namespace}/${status.name}`), ...packageNames(packages)],
        table: isWide => formatHealth(health, table(isWide)),
        empty:
          query.installs?.namespace === undefined
            ? 'No installs found'
            : `No installs found in namespace ${query.installs.namespace}`,
      },
      flags.output,
    )
    const worst = worstState(installs)
    const isBroken =
      worst === 'broken' || packages.some(one => one.state === 'broken' || one.state === 'paused')
    if (isBroken || hasLockDrift([...installs, ...packages])) this.exit(FOUND)
    if (worst === 'unknown' || denials.length > 0) throw undetermined(health)
  }
}
