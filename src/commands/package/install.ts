import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {applyFlags, baseFlag, changeFlags, changeOutputFlag} from '../../cli/plan/change-flags.js'
import {clusterFlags} from '../../cli/cluster/cluster-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {gitFlags, gitLayoutFlags} from '../../cli/git/git-flags.js'
import {clusterSetFlags} from '../../cli/render/render-flags.js'
import {xpkgFlags} from '../../cli/declaration/xpkg-flags.js'
import {decidingCommand, savedClusterPlan} from '../../cli/install/cluster-plan.js'
import {gitInstallQuery} from '../../cli/git/git-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {toCluster} from '../../cli/install/cluster-change.js'
import {toGit} from '../../cli/git/git-change.js'
import {decidedInstall} from '../../cli/install/install-change.js'
import {withRuntime} from '../../cli/render/given-runtime.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {changePorts, openCluster} from '../../cli/cluster/cluster-ports.js'
import {acceptImpactFlag} from '../../cli/declaration/lock-flags.js'

export default class Install extends Command {
  static override summary = 'Install a package'
  static override description = `Resolves a package and applies its objects by server-side apply, in dependency order: of a package for a current Crossplane (xpkg), \
pinned requests for it and its dependencies; of one of Crossplane v0.12, its record, CRDs, permissions and controllers. The plan is printed and \
confirmed first, or saved by --plan-out and applied by --plan. Installing again changes nothing, or completes an interrupted install.

REF is a package in a registry, [HOST/]PATH[:TAG][@sha256:DIGEST], or a local one: ./DIR, oci:DIR[:TAG], oci-archive:FILE or \
docker-archive:FILE. Dependencies of packages of Crossplane v0.12 are also installed if --packages or --index is given. A CRD that the \
cluster serves, and packages that are installed, satisfy requirements.

With --git, the package is added to the declaration of a Git repository instead: declaration, lock file and rendered objects \
become one commit. No cluster is needed; with --context, its custom resources decide whether an incompatible change of a \
CRD is committed.`

  static override examples = [
    {
      description: 'Print what would be installed',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/my-configuration:v1.2.0 --dry-run=client',
    },
    {
      description: 'Install the packages of a declaration',
      command: '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml',
    },
    {
      description: 'Commit a package to the Git repository of the working folder',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/my-configuration:v1.2.0 --git .',
    },
    {
      description: 'Install a package of Crossplane v0.12 in a folder',
      command:
        '<%= config.bin %> <%= command.id %> ./my-provider --as-package example/my-provider:v0.1.0 --with-package-api --create-namespace',
    },
    {
      description: 'Apply a plan that was saved with --plan-out',
      command: '<%= config.bin %> <%= command.id %> --plan plan.json',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    'namespace',
    'context',
    'packages',
    'index',
    'declaration',
    'git',
    'create-namespace',
    'with-package-api',
    'dry-run',
    'yes',
    'timeout',
    'quiet',
  ]

  static override args = {
    ref: argument({
      description:
        'Package: [HOST/]PATH[:TAG][@DIGEST], ./DIR, oci:DIR[:TAG], oci-archive:FILE or docker-archive:FILE',
    }),
    name: argument({description: "Name of the install or request (default: the repository's path)"}),
  }

  static override flags = {
    ...clusterSetFlags,
    ...clusterFlags,
    ...applyFlags,
    ...baseFlag,
    ...changeFlags,
    ...gitFlags,
    ...acceptImpactFlag,
    ...gitLayoutFlags,
    ...xpkgFlags,
    ...changeOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const parsed = await this.parse(Install)
    if (parsed.flags.git !== undefined) {
      const query = gitInstallQuery(parsed.args, await withRuntime(parsed.flags), writtenFlags(parsed.raw))
      return await toGit(query, {...parsed.flags, ref: parsed.args.ref}, this)
    }
    const {version} = this.config
    const saved = await savedClusterPlan(parsed)
    const cluster = await openCluster(parsed.flags, version, progress(this.argv))
    const {deciding, files} = await decidingCommand(
      {
        command: 'package install',
        toolVersion: version,
        parsed,
        saved,
        parse: words => this.parse(Install, words),
      },
      cluster.connection,
    )
    const change = await decidedInstall(deciding, cluster, version, this.argv)
    const ports = await changePorts(cluster, parsed.flags)
    await toCluster(change, {flags: parsed.flags, ports, argv: this.argv, files})
  }
}
