import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {applyFlags, baseFlag} from '../../cli/plan/change-flags.js'
import {clusterFlags} from '../../cli/cluster/cluster-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {outcomeOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {clusterSetFlags} from '../../cli/render/render-flags.js'
import {xpkgFlags} from '../../cli/declaration/xpkg-flags.js'
import {FOUND} from '../../cli/shell/exit-code.js'
import {summaryOf} from '../../cli/install/cluster-change.js'
import {decidedInstall} from '../../cli/install/install-change.js'
import {showDiff} from '../../cli/install/show-diff.js'
import {effectLines} from '../../cli/install/show-cluster-change.js'
import {painter} from '../../cli/shell/text/paint.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {openCluster} from '../../cli/cluster/cluster-ports.js'
import {acceptImpactFlag} from '../../cli/declaration/lock-flags.js'
import {diffCluster} from '../../pipeline/cluster/diff.js'

export default class Diff extends Command {
  static override summary = 'Compare a package with a cluster'
  static override description = `Prints what the command "package install" with the same arguments would change: risks, packages and what follows from \
them, then the difference of each object between the cluster and the result of a server dry run. Objects that the server cannot check yet, \
for example of a kind that the same install creates, are shown as rendered and marked. The values of Secrets are masked. \
KUBECTL_EXTERNAL_DIFF selects a diff program, as for "kubectl diff", which prints only objects. Exits with 0 if nothing differs, with 1 if \
something differs, and with 7 if the comparison failed.`

  static override examples = [
    {
      description: 'Compare a package in a folder with the installed version',
      command:
        '<%= config.bin %> <%= command.id %> ./my-provider --as-package example/my-provider:v0.1.0 --with-package-api --create-namespace',
    },
  ]

  /** The flags that `--help` shows. */
  static isCheck = true
  static mostUsed = [
    'namespace',
    'context',
    'output',
    'packages',
    'index',
    'declaration',
    'create-namespace',
    'with-package-api',
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
    ...acceptImpactFlag,
    ...baseFlag,
    ...xpkgFlags,
    ...outcomeOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const parsed = await this.parse(Diff)
    const {version} = this.config
    const cluster = await openCluster(parsed.flags, version, progress(this.argv))
    const {decision} = await decidedInstall(parsed, cluster, version, this.argv)
    const diff = await diffCluster(decision, cluster.api).finally(cluster.progress.end)
    const effect = effectLines(decision.plan, summaryOf(decision), painter(this.argv, 'stdout'), this.argv)
    if (await showDiff(diff, parsed.flags.output, this.argv, effect)) this.exit(FOUND)
  }
}
