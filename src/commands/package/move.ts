import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {changeOutputFlag} from '../../cli/plan/change-flags.js'
import {clusterFlags} from '../../cli/cluster/cluster-flags.js'
import {moveGitFlags} from '../../cli/git/git-flags.js'
import {expectMoveFlags, toMovedInGit} from '../../cli/git/moved-in-git.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {moveFlags, moveQuery, toMoved} from '../../cli/install/move-change.js'
import {moveSourceFlags} from '../../cli/render/render-flags.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {openCluster} from '../../cli/cluster/cluster-ports.js'

export default class Move extends Command {
  static override summary = 'Move a Provider to another repository or another name'
  static override description = `Requests NEW beside OLD, hands the objects of the package over to it, and deletes OLD once nothing needs it: CRDs and custom \
resources keep their UIDs. The plan says in advance what is not reconciled for how long, and which ServiceAccount changes. Nothing changes \
if the custom resources of the cluster do not fit NEW, if another package requires OLD, or if Crossplane would not complete a step \
(exits with 5).

After each step, the command waits until Crossplane has completed it. If it is interrupted, or a step takes longer than --timeout, --continue goes on \
and --back undoes the steps, from any machine: the cluster has all that is needed.

With --git, the move begins and ends with a commit, and waits until the cluster of --context has each: the first one requests NEW beside OLD, which it \
stops and protects from pruning; the second one removes OLD, which is deleted then.`

  static override examples = [
    {
      description: 'Print the steps of a move',
      command:
        '<%= config.bin %> <%= command.id %> provider-sql registry.example.org/community/provider-sql --dry-run=client',
    },
    {
      description: 'Move a package to another registry, in its version',
      command: '<%= config.bin %> <%= command.id %> provider-sql registry.example.org/community/provider-sql',
    },
    {
      description: 'Give a request another name',
      command:
        '<%= config.bin %> <%= command.id %> my-provider registry.example.org/example/provider-sql --name example-provider-sql',
    },
    {
      description: 'Move a family with its members',
      command:
        '<%= config.bin %> <%= command.id %> example-provider-family registry.example.org/community/provider-family --family',
    },
    {
      description:
        'Move a package with the Configuration that requires it, to its version that requires the new repository',
      command:
        '<%= config.bin %> <%= command.id %> provider-sql registry.example.org/community/provider-sql --with platform:v2.0.0',
    },
    {
      description:
        'Move a package that Flux or Argo CD applies from the Git repository of the working folder',
      command:
        '<%= config.bin %> <%= command.id %> provider-sql registry.example.org/community/provider-sql --context production --git . --push',
    },
    {
      description: 'Complete a move that was interrupted',
      command: '<%= config.bin %> <%= command.id %> --continue',
    },
    {
      description: 'Undo a move that was interrupted',
      command: '<%= config.bin %> <%= command.id %> --back',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    'context',
    'name',
    'family',
    'with',
    'continue',
    'back',
    'dry-run',
    'yes',
    'timeout',
    'quiet',
  ]

  static override args = {
    old: argument({description: 'Name of the request, KIND.pkg.crossplane.io/NAME, or repository'}),
    new: argument({description: 'REPOSITORY or REPOSITORY:TAG of the package (default: the tag of OLD)'}),
  }

  static override flags = {
    ...clusterFlags,
    ...moveFlags,
    ...moveSourceFlags,
    ...moveGitFlags,
    ...changeOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags, raw} = await this.parse(Move)
    const query = moveQuery(args, flags, writtenFlags(raw))
    if (flags.git !== undefined) expectMoveFlags(flags)
    const cluster = await openCluster(flags, this.config.version, progress(this.argv))
    if (flags.git === undefined) return await toMoved(query, flags, cluster, this.argv)
    await toMovedInGit(query, flags, cluster, this)
  }
}
