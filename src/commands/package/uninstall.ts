import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {backupFlag, changeFlags, changeOutputFlag} from '../../cli/plan/change-flags.js'
import {clusterFlags, installFlags} from '../../cli/cluster/cluster-flags.js'
import {gitSourceFlags} from '../../cli/git/git-source-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {uninstallFlags} from '../../cli/install/uninstall-flags.js'
import {decidingCommand, savedClusterPlan} from '../../cli/install/cluster-plan.js'
import {gitUninstallQuery} from '../../cli/git/git-query.js'
import {expectInstall} from '../../cli/cluster/install-id.js'
import {toGit} from '../../cli/git/git-change.js'
import {toCluster} from '../../cli/install/cluster-change.js'
import {decidedUninstall} from '../../cli/install/uninstall-change.js'
import {showTarget} from '../../cli/install/show-cluster-change.js'
import {backupPorts} from '../../cli/install/backup.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {changePorts, openCluster} from '../../cli/cluster/cluster-ports.js'
import {withBackup} from '../../pipeline/cluster/back-up-removal.js'

export default class Uninstall extends Command {
  static override summary = 'Uninstall a package'
  static override description = `Removes an install from the cluster: the controller, its permissions, the package record, the claims on CRDs, and \
the CRDs that the install created and no other install uses. Nothing is removed while another install requires this \
one, or while custom resources exist that no other install serves (exits with 5): --custom-resources=keep leaves them and the \
CRDs without a controller, and --custom-resources=delete deletes them first, while the controller still runs.

With --git, an uninstall takes three commits of the same command: the install stops claiming CRDs; its controller, permissions \
and record are removed; its CRDs are removed. The last two require --context with a cluster in which no \
custom resource and no install needs them, or --assume-no-instances.`

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
    {
      description: 'Uninstall a package and keep its custom resources and CRDs',
      command:
        '<%= config.bin %> <%= command.id %> my-provider --namespace crossplane-system --custom-resources keep',
    },
    {
      description: 'Uninstall a package and the dependencies that no other package requires',
      command:
        '<%= config.bin %> <%= command.id %> my-provider --namespace crossplane-system --with-unused-dependencies',
    },
    {
      description: 'Commit the next step of an uninstall to the Git repository of the working folder',
      command: '<%= config.bin %> <%= command.id %> my-provider --git . --path deploy --packages ./packages',
    },
    {
      description: 'Uninstall a package with its three custom resources',
      command:
        '<%= config.bin %> <%= command.id %> my-provider --namespace crossplane-system --custom-resources delete --confirm-delete 3',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    'namespace',
    'context',
    'custom-resources',
    'backup',
    'dry-run',
    'yes',
    'timeout',
    'quiet',
  ]

  static override args = {
    name: argument({
      description:
        'Name of an install or request, NAMESPACE/NAME, KIND.pkg.crossplane.io/NAME, or repository',
    }),
  }

  static override flags = {
    ...installFlags,
    ...clusterFlags,
    ...backupFlag,
    ...changeFlags,
    ...uninstallFlags,
    ...gitSourceFlags,
    ...changeOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const parsed = await this.parse(Uninstall)
    if (parsed.flags.git !== undefined) {
      return await toGit(gitUninstallQuery(parsed.args.name, parsed.flags), parsed.flags, this)
    }
    expectInstall(parsed.args.name, parsed.flags)
    const {version} = this.config
    const saved = await savedClusterPlan(parsed)
    const cluster = await openCluster(parsed.flags, version, progress(this.argv))
    const {connection, api} = cluster
    const {deciding, files} = await decidingCommand(
      {
        command: 'package uninstall',
        toolVersion: version,
        parsed,
        saved,
        parse: words => this.parse(Uninstall, words),
      },
      connection,
    )
    const backup = await backupPorts(parsed.flags.backup, cluster, this.argv)
    showTarget(connection, this.argv)
    const change = await decidedUninstall(deciding, {connection, api, saved: files.saved}).finally(
      cluster.progress.end,
    )
    const ports = await changePorts(cluster, parsed.flags)
    const run = {flags: parsed.flags, ports, argv: this.argv, files, deletedAs: 'deleted'} as const
    await toCluster(withBackup(change, backup), run)
  }
}
