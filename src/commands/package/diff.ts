import {Command} from '@oclif/core/command'
import {argument} from '../../cli/flags/argument.js'
import {applyFlags, baseFlag} from '../../cli/flags/change.js'
import {clusterFlags} from '../../cli/flags/cluster.js'
import {commonFlags} from '../../cli/flags/global.js'
import {outcomeOutputFlag} from '../../cli/flags/output.js'
import {clusterSetFlags} from '../../cli/flags/render.js'
import {xpkgFlags} from '../../cli/flags/xpkg.js'
import {FOUND} from '../../cli/exit-code.js'
import {summaryOf} from '../../cli/run/cluster-change.js'
import {decidedInstall} from '../../cli/run/install-change.js'
import {showDiff} from '../../cli/run/show-diff.js'
import {effectLines} from '../../cli/output/plan/show-cluster-change.js'
import {painter} from '../../cli/output/text/paint.js'
import {progress} from '../../cli/output/progress/progress.js'
import {openCluster} from '../../cli/ports/cluster-ports.js'
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
        '<%= config.bin %> <%= command.id %> ./my-provider --as-package example/my-provider:v0.1.0 --base --create-namespace',
    },
  ]

  /** The flags that `-h` shows. */
  static isCheck = true
  static mostUsed = [
    'namespace',
    'context',
    'output',
    'packages',
    'index',
    'declaration',
    'create-namespace',
    'base',
    'quiet',
  ]

  static override args = {
    ref: argument({
      description:
        'Package: [HOST/]PATH[:TAG][@DIGEST], ./DIR, oci:DIR[:TAG], oci-archive:FILE or docker-archive:FILE',
    }),
    name: argument({description: "Name of the install (default: the repository's path)"}),
  }

  static override flags = {
    ...clusterSetFlags,
    ...clusterFlags,
    ...applyFlags,
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
