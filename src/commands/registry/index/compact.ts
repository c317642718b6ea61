import {Command} from '@oclif/core/command'
import {targetPorts} from '../../../cli/index/index-ports.js'
import {indexTarget} from '../../../cli/index/index-target.js'
import {INCOMPLETE} from '../../../cli/shell/exit-code.js'
import {commonFlags} from '../../../cli/shell/flags/common-flags.js'
import {indexTargetFlag} from '../../../cli/sources/index-flags.js'
import {reportOutputFlag} from '../../../cli/shell/flags/output-flags.js'
import {noRegistryFlag, registryFlags, sourceFlag} from '../../../cli/registry/registry-flags.js'
import {progress} from '../../../cli/shell/progress/progress.js'
import {formatDocument, show, showWarnings} from '../../../cli/shell/document/show.js'
import {formatCompaction} from '../../../cli/index/show-index.js'
import {compact} from '../../../pipeline/index/compact-index.js'

export default class Compact extends Command {
  static override summary = 'Write snapshots of an index'
  static override description = `Writes snapshots of all groups and packages with 16 or more entries that are in no snapshot, so that reading them takes \
a few requests. Entries are not changed, and publishers can add to the index meanwhile. Other commands that add to an index \
also write snapshots. Use this command for an index of an older release, or if a warning reported that a snapshot could not be \
written.`

  static override examples = [
    {
      description: 'Compact an index',
      command: '<%= config.bin %> <%= command.id %> --index registry.example.org/index',
    },
  ]

  static override flags = {
    ...indexTargetFlag,
    ...sourceFlag,
    ...registryFlags,
    ...noRegistryFlag,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(Compact)
    const target = indexTarget(flags)
    const shown = progress(this.argv)
    const report = await compact(target, targetPorts(flags, shown)).finally(shown.end)
    showWarnings(report, this.argv)
    await show(
      flags.output === 'text'
        ? formatCompaction(report)
        : formatDocument({kind: 'IndexCompaction', ...report}, flags.output),
    )
    if (report.warnings.length > 0) this.exit(INCOMPLETE)
  }
}
