import {Command} from '@oclif/core/command'
import {string} from '@oclif/core/flags'
import {clusterFlags} from '../../cli/cluster/cluster-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {indexFlags} from '../../cli/sources/index-flags.js'
import {lockFileFlag} from '../../cli/declaration/lock-flags.js'
import {reportOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {folderFlags, packageFlags} from '../../cli/sources/package-flags.js'
import {dryRunFlag} from '../../cli/plan/plan-flags.js'
import {pullFlags} from '../../cli/sources/pull-flags.js'
import {resolutionFlags} from '../../cli/declaration/resolution-flags.js'
import {newTreeFlags} from '../../cli/render/tree-flags.js'
import {coreVersionFlag} from '../../cli/declaration/xpkg-flags.js'
import {importQuery} from '../../cli/import/import-query.js'
import {lockPath} from '../../cli/declaration/lock-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {painter} from '../../cli/shell/text/paint.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {showTarget} from '../../cli/install/show-cluster-change.js'
import {formatFilePlans} from '../../cli/plan/show-file-plans.js'
import {formatLockChanges} from '../../cli/resolution/show-lock.js'
import {formatDocument, show, showNotes} from '../../cli/shell/document/show.js'
import {openCluster} from '../../cli/cluster/cluster-ports.js'
import {newHomeFiles} from '../../cli/import/new-home-files.js'
import {filesBelow} from '../../cli/files/object-files.js'
import {requestPorts} from '../../cli/packages/package-ports.js'
import {showNextSteps} from '../../cli/import/show-hand-over.js'
import {importPackages} from '../../pipeline/import/import-packages.js'
import {writeHomeFiles} from '../../pipeline/home/write-home.js'

export default class Import extends Command {
  static override summary = 'Write a declaration and its lock for the packages of a cluster'
  static override description = `Reads the Providers, Functions and Configurations (xpkg) of a cluster, and writes a declaration with those that no \
other one requires, and a lock with the versions and digests of all. The content of the packages is read from their registries or from \
--packages; nothing in the cluster is changed. Warnings name what is wrong in the cluster, and what applying the rendered tree would change. An existing \
declaration is not replaced: if it has the packages of the cluster, --layout is added to it.

With --objects, prints the steps by which the rendered tree takes over the requests that files of a repository hold already, so that no \
controller deletes one in between. These files are not changed.`

  static override examples = [
    {
      description: 'Print what would be written for a cluster',
      command: '<%= config.bin %> <%= command.id %> --context production --dry-run',
    },
    {
      description: 'Write the declaration and its lock to the working folder',
      command: '<%= config.bin %> <%= command.id %> --context production',
    },
    {
      description: 'Print how a tree for Flux takes over the requests in the files of a repository',
      command:
        '<%= config.bin %> <%= command.id %> --context production --layout flux --objects ./clusters/production',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    'context',
    'declaration',
    'lock-file',
    'core-version',
    'packages',
    'dry-run',
    'output',
    'quiet',
  ]

  static override flags = {
    declaration: string({
      default: 'crossplane-packages.yaml',
      helpGroup: 'OUTPUT',
      helpValue: 'FILE',
      summary: 'Declaration to write',
    }),
    ...lockFileFlag,
    ...newTreeFlags,
    ...folderFlags,
    platform: packageFlags.platform,
    ...indexFlags,
    ...coreVersionFlag,
    ...resolutionFlags,
    ...pullFlags,
    ...clusterFlags,
    ...dryRunFlag,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {flags, raw} = await this.parse(Import)
    const shown = progress(this.argv)
    const lockFile = lockPath(flags)
    const cluster = await openCluster(flags, this.config.version, shown)
    showTarget(cluster.connection, this.argv)
    const searched = flags.objects === undefined ? undefined : await filesBelow(flags.objects)
    const query = importQuery(flags, writtenFlags(raw), searched)
    const report = await importPackages(query, cluster.api, requestPorts(flags, shown)).finally(shown.end)
    showNotes(report.notes, this.argv)
    const files = await newHomeFiles(flags.declaration, lockFile, report)
    const {changes} = report
    const paint = painter(this.argv, 'stdout')
    const packages = flags.output === 'text' ? formatLockChanges(changes, paint) : ''
    if (flags['dry-run'] === 'client')
      return await show(`${packages}${formatFilePlans(files, report, flags, paint)}`)
    await writeHomeFiles(files)
    await show(
      flags.output === 'text'
        ? packages
        : formatDocument({kind: 'LockChanges', lockFile, ...changes}, flags.output),
    )
    showNextSteps(flags, lockFile, report.handOver, this.argv)
  }
}
