import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {changeFlags, changeOutputFlag} from '../../cli/plan/change-flags.js'
import {clusterFlags} from '../../cli/cluster/cluster-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {decidingCommand, savedClusterPlan} from '../../cli/install/cluster-plan.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {showTarget} from '../../cli/install/show-cluster-change.js'
import {changePorts, openCluster} from '../../cli/cluster/cluster-ports.js'
import {toCluster} from '../../cli/install/cluster-change.js'
import {prepareMigration} from '../../pipeline/cluster/migrate.js'

export default class Migrate extends Command {
  static override summary = 'Store custom resources in the current version of their CRD'
  static override description = `Writes each custom resource once, so that it is stored in the storage version of its CRD, and removes all \
other versions from status.storedVersions of the CRD. Afterwards, the CRD can lose these versions. Fields and names stay. Nothing \
changes if the storage version rejects a custom resource or lacks a field of it (exits with 5).

Without names, all CRDs of packages are migrated. This is the second step of a commit that --migrate-versions made.`

  static override examples = [
    {
      description: 'Print what would be migrated',
      command: '<%= config.bin %> <%= command.id %> --dry-run=client',
    },
    {
      description: 'Migrate the custom resources of one CRD',
      command: '<%= config.bin %> <%= command.id %> topics.pubsub.example.org',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = ['context', 'dry-run', 'yes', 'quiet']
  static override strict = false

  static override args = {
    crd: argument({description: 'CRD, as PLURAL.GROUP; can be repeated (default: all CRDs of packages)'}),
  }

  static override flags = {
    ...clusterFlags,
    ...changeFlags,
    ...changeOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const parsed = await this.parse(Migrate)
    const {version} = this.config
    const saved = await savedClusterPlan(parsed)
    const cluster = await openCluster(parsed.flags, version, progress(this.argv))
    const {deciding, files} = await decidingCommand(
      {
        command: 'package migrate',
        toolVersion: version,
        parsed,
        saved,
        parse: words => this.parse(Migrate, words),
      },
      cluster.connection,
    )
    showTarget(cluster.connection, this.argv)
    const change = await prepareMigration(deciding.argv.map(String), cluster.api).finally(
      cluster.progress.end,
    )
    const ports = await changePorts(cluster, parsed.flags)
    await toCluster(change, {flags: parsed.flags, ports, argv: this.argv, files})
  }
}
