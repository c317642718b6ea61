import {Command} from '@oclif/core/command'
import {string} from '@oclif/core/flags'
import {clusterFlags} from '../../cli/flags/cluster.js'
import {commonFlags} from '../../cli/flags/global.js'
import {indexFlags} from '../../cli/flags/index-flags.js'
import {lockFileFlag} from '../../cli/flags/lock.js'
import {reportOutputFlag} from '../../cli/flags/output.js'
import {folderFlags, packageFlags} from '../../cli/flags/package.js'
import {dryRunFlag} from '../../cli/flags/plan.js'
import {pullFlags} from '../../cli/flags/pull.js'
import {resolutionFlags} from '../../cli/flags/resolution.js'
import {newTreeFlags} from '../../cli/flags/tree.js'
import {coreVersionFlag} from '../../cli/flags/xpkg.js'
import {importQuery} from '../../cli/options/import-query.js'
import {lockPath} from '../../cli/options/resolution/lock-query.js'
import {writtenFlags} from '../../cli/options/written-flags.js'
import {painter} from '../../cli/output/text/paint.js'
import {progress} from '../../cli/output/progress/progress.js'
import {showTarget} from '../../cli/output/plan/show-cluster-change.js'
import {formatFilePlans} from '../../cli/output/plan/show-file-plans.js'
import {formatLockChanges} from '../../cli/output/resolution/show-lock.js'
import {formatDocument, show, showNotes} from '../../cli/output/document/show.js'
import {openCluster} from '../../cli/ports/cluster-ports.js'
import {newHomeFiles} from '../../cli/ports/new-home-files.js'
import {filesBelow} from '../../cli/ports/object-files.js'
import {requestPorts} from '../../cli/ports/package-ports.js'
import {showNextSteps} from '../../cli/output/plan/show-hand-over.js'
import {importPackages} from '../../pipeline/cluster/import-packages.js'
import {writeHomeFiles} from '../../pipeline/write-home.js'

export default class Import extends Command {
  static override summary = 'Write a declaration and its lock for the packages of a cluster'
  static override description = `Reads the Providers, Functions and Configurations (xpkg) of a cluster, and writes a declaration with those that no \
other one requires, and a lock with the versions and digests of all. The content of the packages is read from their registries or from \
--packages; nothing in the cluster is changed. Warnings name what is wrong in the cluster, and what applying the rendered tree would change. An existing \
declaration is not replaced.

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

  /** The flags that `-h` shows. */
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
    if (flags['dry-run'] === 'client')
      return await show(formatFilePlans(files, report, flags, painter(this.argv, 'stdout')))
    await writeHomeFiles(files)
    const {changes} = report
    await show(
      flags.output === 'text'
        ? formatLockChanges(changes, painter(this.argv, 'stdout'))
        : formatDocument({kind: 'LockChanges', lockFile, ...changes}, flags.output),
    )
    showNextSteps(flags, lockFile, report.handOver, this.argv)
  }
}
