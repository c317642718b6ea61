import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {applyFlags, changeFlags, changeOutputFlag} from '../../cli/plan/change-flags.js'
import {clusterFlags, installFlags} from '../../cli/cluster/cluster-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {gitFlags} from '../../cli/git/git-flags.js'
import {rollbackFlags} from '../../cli/render/render-flags.js'
import {decidingCommand, savedClusterPlan} from '../../cli/install/cluster-plan.js'
import {expectInstall} from '../../cli/cluster/install-id.js'
import {gitRollbackQuery} from '../../cli/git/git-query.js'
import {rollbackQuery} from '../../cli/install/rollback-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {toGit} from '../../cli/git/git-change.js'
import {toCluster} from '../../cli/install/cluster-change.js'
import {decidedRollback} from '../../cli/install/rollback-change.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {changePorts, openCluster} from '../../cli/cluster/cluster-ports.js'
import {acceptImpactFlag} from '../../cli/declaration/lock-flags.js'

export default class Rollback extends Command {
  static override summary = 'Return an install to an earlier revision'
  static override description = `Returns an install to the package, parameters, runtime and settings of a revision that package history lists, \
by default the previous one. The package is read by its digest; one that was installed from a folder is read from --packages. The plan is printed, confirmed and applied as by package \
upgrade, with the same checks: a rollback that takes the controller from custom resources, or removes a stored version of a CRD, is \
rejected (exits with 5). Dependencies stay as they are unless the earlier version requires others. The result is a new revision. A Provider, Configuration or Function of a current Crossplane (xpkg) returns to a revision that Crossplane keeps.

With --git, a package returns to the version that the lock had in an earlier commit: the pin in the declaration, the lock and the rendered objects become one \
commit, with the checks of package upgrade --git.`

  static override examples = [
    {
      description: 'Print what a rollback would change',
      command:
        '<%= config.bin %> <%= command.id %> my-provider --namespace crossplane-system --packages ./packages --dry-run=client',
    },
    {
      description: 'Return to a revision',
      command:
        '<%= config.bin %> <%= command.id %> my-provider 2 --namespace crossplane-system --packages ./packages',
    },
    {
      description: 'Commit the return to the version before to the Git repository of the working folder',
      command:
        '<%= config.bin %> <%= command.id %> example/my-provider --git . --path deploy --packages ./packages',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    'namespace',
    'context',
    'packages',
    'index',
    'git',
    'to',
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
    revision: argument({description: 'Number of the revision (default: the previous one)'}),
  }

  static override flags = {
    ...installFlags,
    ...rollbackFlags,
    ...clusterFlags,
    ...applyFlags,
    ...changeFlags,
    ...gitFlags,
    ...acceptImpactFlag,
    ...changeOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const parsed = await this.parse(Rollback)
    if (parsed.flags.git !== undefined) {
      const query = gitRollbackQuery(parsed.args, parsed.flags, writtenFlags(parsed.raw))
      return await toGit(query, parsed.flags, this)
    }
    expectInstall(parsed.args.name, parsed.flags)
    const {version} = this.config
    const saved = await savedClusterPlan(parsed)
    const cluster = await openCluster(parsed.flags, version, progress(this.argv))
    const {deciding, files} = await decidingCommand(
      {
        command: 'package rollback',
        toolVersion: version,
        parsed,
        saved,
        parse: words => this.parse(Rollback, words),
      },
      cluster.connection,
    )
    const {args, flags, raw} = deciding
    const context = {
      toolVersion: version,
      flagNames: writtenFlags(raw),
      namespace: cluster.connection.namespace,
    }
    const change = await decidedRollback(rollbackQuery(args, flags, context), deciding, cluster, this.argv)
    const ports = await changePorts(cluster, parsed.flags)
    await toCluster(change, {flags: parsed.flags, ports, argv: this.argv, files})
  }
}
