import {Command} from '@oclif/core/command'
import {argument} from '../../cli/flags/argument.js'
import {changeFlags, uninstallFlags} from '../../cli/flags/change.js'
import {clusterFlags, installFlags} from '../../cli/flags/cluster.js'
import {commonFlags} from '../../cli/flags/global.js'
import {outcomeOutputFlag} from '../../cli/flags/output.js'
import {decidingCommand} from '../../cli/options/cluster-plan.js'
import {installId} from '../../cli/options/install-id.js'
import {toCluster} from '../../cli/output/cluster-change.js'
import {showTarget} from '../../cli/output/show-cluster-change.js'
import {changePorts, openCluster} from '../../cli/ports/cluster-ports.js'
import {prepareUninstall} from '../../pipeline/cluster/uninstall.js'

export default class Uninstall extends Command {
  static override summary = 'Uninstall a package'
  static override description = `Removes an install from the cluster: the controller, its permissions, the package record, the claims on CRDs, and \
the CRDs that the install created and no other install uses. Nothing is removed while instances of these CRDs exist \
that no other install serves, or while another install requires this one (exit status 5).`

  static override examples = [
    {
      description: 'Print what would be removed',
      command:
        '<%= config.bin %> <%= command.id %> my-provider --namespace crossplane-system --dry-run=client',
    },
    {
      description: 'Uninstall a package',
      command: '<%= config.bin %> <%= command.id %> my-provider --namespace crossplane-system',
    },
  ]

  /** The flags that `-h` shows. */
  static mostUsed = ['namespace', 'context', 'dry-run', 'yes', 'timeout', 'quiet']

  static override args = {
    name: argument({description: 'Install: NAME, or NAMESPACE/NAME'}),
  }

  static override flags = {
    ...installFlags,
    ...clusterFlags,
    ...changeFlags,
    ...uninstallFlags,
    ...outcomeOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const given = await this.parse(Uninstall)
    const {version} = this.config
    const cluster = await openCluster(given.flags, version)
    const {connection, api} = cluster
    const {deciding, files} = await decidingCommand(
      {
        command: 'package uninstall',
        toolVersion: version,
        given,
        parse: words => this.parse(Uninstall, words),
      },
      connection,
    )
    const id = installId(deciding.args.name, deciding.flags.namespace ?? connection.namespace)
    showTarget(connection, this.argv)
    const change = await prepareUninstall(id, {adopt: deciding.flags.adopt, saved: files.saved}, api)
    const ports = await changePorts(cluster, given.flags)
    await toCluster(change, {flags: given.flags, ports, argv: this.argv, files, deletedAs: 'deleted'})
  }
}
