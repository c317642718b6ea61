import {Command} from '@oclif/core/command'
import {string} from '@oclif/core/flags'
import {indexToRead} from '../../../cli/packages/index-to-read.js'
import {commonFlags} from '../../../cli/shell/flags/common-flags.js'
import {indexReadingFlags} from '../../../cli/index/index-command-flags.js'
import {progress} from '../../../cli/shell/progress/progress.js'
import {showWarnings} from '../../../cli/shell/document/show.js'
import {writeExport} from '../../../cli/index/write-export.js'
import {exportIndex} from '../../../pipeline/index/export-index.js'

export default class Export extends Command {
  static override summary = 'Write an index to a file'
  static override description = `Writes indexes and a folder of packages as sorted lines of JSON. --index reads the file without a network, and \
registry index import adds it to another index. The same index gives the same bytes, so the file can be kept in version \
control and merged. If several indexes have a version, the entry of the first index is written.`

  static override examples = [
    {
      description: 'Export an index for use without a network',
      command:
        '<%= config.bin %> <%= command.id %> --index registry.example.org/index --output-file index.jsonl',
    },
    {
      description: 'Export a folder of packages',
      command: '<%= config.bin %> <%= command.id %> --packages ./packages --output-file index.jsonl',
    },
  ]

  static override flags = {
    'output-file': string({
      char: 'O',
      helpGroup: 'OUTPUT',
      helpValue: 'FILE',
      summary: 'File to write or replace (default: standard output)',
    }),
    ...indexReadingFlags,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(Export)
    const shown = progress(this.argv)
    const index = await indexToRead(flags, shown)
    const exported = await exportIndex(index).finally(shown.end)
    showWarnings({warnings: exported.missing}, this.argv)
    await writeExport(exported, flags['output-file'])
  }
}
