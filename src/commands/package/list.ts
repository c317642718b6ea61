import {Command} from '@oclif/core/command'
import {clusterFlags, installFlags} from '../../cli/cluster/cluster-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {listOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {selectionFlags} from '../../cli/status/selection-flags.js'
import {updateFlags} from '../../cli/status/update-flags.js'
import {installSelection, selectsPackages} from '../../cli/status/status-query.js'
import {painter} from '../../cli/shell/text/paint.js'
import {showWarnings} from '../../cli/shell/document/show.js'
import {formatInstalls} from '../../cli/status/show-installs.js'
import {showList} from '../../cli/shell/document/show-list.js'
import {formatPackages, packageDocuments, packageNames} from '../../cli/status/show-packages.js'
import {parts} from '../../cli/shell/text/lines.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {openCluster} from '../../cli/cluster/cluster-ports.js'
import {newestFinder} from '../../cli/status/newest-versions.js'
import {listCluster} from '../../pipeline/cluster/cluster-status.js'

export default class List extends Command {
  static override summary = 'List installed packages'
  static override description =
    'Lists the installs of a namespace of the cluster, or of all of them. Installs are found in the inventories of this program, in package records and requests of both eras, and by labels if nothing else is left; SOURCE shows where. Providers, Configurations and Functions of a current Crossplane (xpkg) are in no namespace: they are listed unless --namespace is given. READY counts the Pods of the controller. AVAILABLE is the newest stable version, if it is newer and in the cache; --check-updates looks it up in the index or the registries.'

  static override examples = [
    {
      description: 'List the installs of all namespaces',
      command: '<%= config.bin %> <%= command.id %> --all-namespaces',
    },
    {
      description: 'List them with the newest versions in an index',
      command:
        '<%= config.bin %> <%= command.id %> --all-namespaces --check-updates --index registry.example.org/index',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = ['namespace', 'all-namespaces', 'selector', 'context', 'check-updates', 'output']

  static override flags = {
    ...installFlags,
    ...selectionFlags,
    ...clusterFlags,
    ...updateFlags,
    ...listOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(List)
    const shown = progress(this.argv)
    const {connection, api} = await openCluster(flags, this.config.version, shown)
    const selection = installSelection(flags, connection)
    const {namespace} = selection
    const query = {selection, selectsPackages: selectsPackages(flags), findNewest: newestFinder(flags, shown)}
    const {installs, packages, warnings} = await listCluster(query, api).finally(shown.end)
    showWarnings({warnings}, this.argv)
    const paint = painter(this.argv, 'stdout')
    await showList(
      {
        document: {kind: 'InstallList', installs, ...packageDocuments(packages)},
        names: [
          ...installs.map(install => `${install.namespace}/${install.name}`),
          ...packageNames(packages),
        ],
        table: isWide => {
          const form = {isWide, paint, now: api.now()}
          return parts([
            installs.length === 0 ? '' : formatInstalls(installs, form),
            formatPackages(packages, form),
          ])
        },
        empty: namespace === undefined ? 'No installs found' : `No installs found in namespace ${namespace}`,
      },
      flags.output,
    )
  }
}
