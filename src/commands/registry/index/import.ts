import {Command} from '@oclif/core/command'
import {argument} from '../../../cli/shell/flags/argument.js'
import {indexTarget} from '../../../cli/index/index-target.js'
import {targetPorts} from '../../../cli/index/index-ports.js'
import {indexInFile} from '../../../cli/sources/indexes.js'
import {INCOMPLETE} from '../../../cli/shell/exit-code.js'
import {commonFlags} from '../../../cli/shell/flags/common-flags.js'
import {indexTargetFlags} from '../../../cli/sources/index-flags.js'
import {reportOutputFlag} from '../../../cli/shell/flags/output-flags.js'
import {noRegistryFlag, registryFlags, sourceFlag} from '../../../cli/registry/registry-flags.js'
import {progress} from '../../../cli/shell/progress/progress.js'
import {formatDocument, show, showWarnings} from '../../../cli/shell/document/show.js'
import {formatImport, skippedWarnings} from '../../../cli/index/show-index.js'
import {importIndex} from '../../../pipeline/index/import-index.js'

export default class Import extends Command {
  static override summary = 'Add the entries of a file to an index'
  static override description = `Adds all entries and yanks of a file that registry index export wrote, without reading the packages. Importing a \
file again has no effect. Entries of a folder of packages have no digest: they are reported and skipped, and the command exits \
with 1.`

  static override examples = [
    {
      description: 'Copy an index to another registry',
      command: '<%= config.bin %> <%= command.id %> index.jsonl --index mirror.example.org/index',
    },
  ]

  static override args = {
    file: argument({required: true, description: 'File to import'}),
  }

  static override flags = {
    ...indexTargetFlags,
    ...sourceFlag,
    ...registryFlags,
    ...noRegistryFlag,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Import)
    const target = indexTarget(flags)
    const shown = progress(this.argv)
    const file = await indexInFile(args.file)
    const report = await importIndex(await file.all(), target, targetPorts(flags, shown)).finally(shown.end)
    showWarnings({warnings: [...skippedWarnings(report), ...report.warnings]}, this.argv)
    await show(
      flags.output === 'text'
        ? formatImport(report)
        : formatDocument({kind: 'IndexImport', ...report}, flags.output),
    )
    if (report.skipped.length > 0) this.exit(INCOMPLETE)
  }
}
