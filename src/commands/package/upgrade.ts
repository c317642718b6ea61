import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {applyFlags, baseFlag, changeFlags, changeOutputFlag} from '../../cli/plan/change-flags.js'
import {clusterFlags} from '../../cli/cluster/cluster-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {acceptImpactFlag} from '../../cli/declaration/lock-flags.js'
import {gitFlags, gitLayoutFlags, moveFilesFlag} from '../../cli/git/git-flags.js'
import {upgradeFlags} from '../../cli/render/render-flags.js'
import {xpkgFlags} from '../../cli/declaration/xpkg-flags.js'
import {decidingCommand, savedClusterPlan} from '../../cli/install/cluster-plan.js'
import {gitUpgradeQuery} from '../../cli/git/git-query.js'
import {expectOnlyMove} from '../../cli/git/move-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {toCluster} from '../../cli/install/cluster-change.js'
import {toGit} from '../../cli/git/git-change.js'
import {toMovedFolder} from '../../cli/git/move-files.js'
import {decidedUpgrade} from '../../cli/install/upgrade-change.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {changePorts, openCluster} from '../../cli/cluster/cluster-ports.js'

export default class Upgrade extends Command {
  static override summary = 'Upgrade installed packages'
  static override description = `Selects the newest compatible version of each named package, or of all installed packages, and applies the changes \
as package install does. A package that was requested with a tag is pinned: it stays at its version, unless \
PACKAGE:TAG moves the pin.

With --resolver and without a package, no version changes: all packages of the cluster begin to skip the resolver of Crossplane, or are left to it again. With --git, the commit keeps all versions.

With --declaration, the packages of the declaration and their dependencies are upgraded. PACKAGE:TAG then also edits the tag in \
that file. A lock file next to it is updated as by package lock --upgrade. The plan includes these edits; they are made \
before the cluster is changed.

With --move-files, only rendered files move, from the folders of an earlier release to those of new trees: no package is read, and no object changes. With --git, that is one commit.

With --git, the declaration is in a Git repository: its changes, the lock file and the rendered objects become one \
commit. No cluster is needed; with --context, its custom resources decide whether an incompatible change of a CRD is committed.`

  static override examples = [
    {
      description: 'Print what would be upgraded',
      command: '<%= config.bin %> <%= command.id %> --packages ./packages --dry-run=client',
    },
    {
      description: 'Upgrade a package to a version',
      command: '<%= config.bin %> <%= command.id %> example/my-provider:v0.2.0 --packages ./packages',
    },
    {
      description: 'Upgrade a package, its declaration and the lock file',
      command:
        '<%= config.bin %> <%= command.id %> example/my-provider:v0.2.0 --declaration crossplane-packages.yaml --packages ./packages',
    },
    {
      description: 'Commit the upgrade of a package to the Git repository of the working folder',
      command:
        '<%= config.bin %> <%= command.id %> example/my-provider:v0.2.0 --git . --path deploy --packages ./packages',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    'context',
    'packages',
    'index',
    'declaration',
    'git',
    'dry-run',
    'yes',
    'timeout',
    'quiet',
  ]
  static override strict = false

  static override args = {
    package: argument({
      description: 'Package, as REPOSITORY or REPOSITORY:TAG; can be repeated (default: all)',
    }),
  }

  static override flags = {
    ...upgradeFlags,
    ...clusterFlags,
    ...applyFlags,
    ...baseFlag,
    ...changeFlags,
    ...gitFlags,
    ...acceptImpactFlag,
    ...gitLayoutFlags,
    ...moveFilesFlag,
    ...xpkgFlags,
    ...changeOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const parsed = await this.parse(Upgrade)
    if (parsed.flags['move-files'] && parsed.flags.git === undefined) {
      expectOnlyMove(parsed.argv.map(String), writtenFlags(parsed.raw))
      return await toMovedFolder(parsed.flags, this.argv)
    }
    if (parsed.flags.git !== undefined) {
      const query = gitUpgradeQuery(parsed.argv.map(String), parsed.flags, writtenFlags(parsed.raw))
      return await toGit(query, parsed.flags, this)
    }
    const {version} = this.config
    const saved = await savedClusterPlan(parsed)
    const cluster = await openCluster(parsed.flags, version, progress(this.argv))
    const {deciding, files} = await decidingCommand(
      {
        command: 'package upgrade',
        toolVersion: version,
        parsed,
        saved,
        parse: words => this.parse(Upgrade, words),
      },
      cluster.connection,
    )
    const change = await decidedUpgrade(deciding, cluster, version, this.argv)
    const changing = await changePorts(cluster, parsed.flags)
    await toCluster(change, {flags: parsed.flags, ports: changing, argv: this.argv, files})
  }
}
