import {Command} from '@oclif/core/command'
import {argument} from '../../cli/flags/argument.js'
import {applyFlags, changeFlags} from '../../cli/flags/change.js'
import {clusterFlags} from '../../cli/flags/cluster.js'
import {commonFlags} from '../../cli/flags/global.js'
import {outcomeOutputFlag} from '../../cli/flags/output.js'
import {upgradeFlags} from '../../cli/flags/render.js'
import {decidingCommand} from '../../cli/options/cluster-plan.js'
import {upgradeQuery} from '../../cli/options/upgrade-query.js'
import {writtenFlags} from '../../cli/options/written-flags.js'
import {toCluster} from '../../cli/output/cluster-change.js'
import {progress} from '../../cli/output/progress.js'
import {showTarget} from '../../cli/output/show-cluster-change.js'
import {showNotes, showWarnings} from '../../cli/output/show.js'
import {changePorts, openCluster} from '../../cli/ports/cluster-ports.js'
import {requestPorts} from '../../cli/ports/package-ports.js'
import {prepareUpgrade} from '../../pipeline/cluster/upgrade.js'

export default class Upgrade extends Command {
  static override summary = 'Upgrade installed packages'
  static override description = `Selects the newest version that fits of each named package, or without a name of all installed packages, and applies what \
changes as package install does. A package that was requested with a tag is pinned: it stays at its version, unless \
PACKAGE:TAG moves the pin.`

  static override examples = [
    {
      description: 'Print what would be upgraded',
      command: '<%= config.bin %> <%= command.id %> --packages ./packages --dry-run=client',
    },
    {
      description: 'Upgrade a package to a version',
      command: '<%= config.bin %> <%= command.id %> example/my-provider:v0.2.0 --packages ./packages',
    },
  ]

  /** The flags that `-h` shows. */
  static mostUsed = ['context', 'packages', 'index', 'dry-run', 'yes', 'timeout', 'quiet']
  static override strict = false

  static override args = {
    package: argument({description: 'Installed package, as REPOSITORY or REPOSITORY:TAG; can be repeated'}),
  }

  static override flags = {
    ...upgradeFlags,
    ...clusterFlags,
    ...applyFlags,
    ...changeFlags,
    ...outcomeOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const given = await this.parse(Upgrade)
    const {version} = this.config
    const cluster = await openCluster(given.flags, version)
    const {connection, api} = cluster
    const {deciding, files} = await decidingCommand(
      {command: 'package upgrade', toolVersion: version, given, parse: words => this.parse(Upgrade, words)},
      connection,
    )
    const query = upgradeQuery(deciding.argv.map(String), deciding.flags, {
      toolVersion: version,
      written: writtenFlags(deciding.raw),
    })
    const shown = progress(this.argv)
    showTarget(connection, this.argv)
    const ports = {api, requests: requestPorts(deciding.flags, shown)}
    const change = await prepareUpgrade(query, ports).finally(shown.end)
    showWarnings(change.set, this.argv)
    showNotes(change.notes, this.argv)
    const changing = await changePorts(cluster, given.flags)
    await toCluster(change, {flags: given.flags, ports: changing, argv: this.argv, files})
  }
}
