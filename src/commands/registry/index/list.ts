import {Command} from '@oclif/core/command'
import {argument} from '../../../cli/flags/argument.js'
import {indexToRead} from '../../../cli/ports/index-to-read.js'
import {commonFlags} from '../../../cli/flags/global.js'
import {reportOutputFlag} from '../../../cli/flags/output.js'
import {painter} from '../../../cli/output/paint.js'
import {indexReadingFlags} from '../../../cli/flags/index-commands.js'
import {progress} from '../../../cli/output/progress.js'
import {formatDocument, show, showNotes} from '../../../cli/output/show.js'
import {formatListing} from '../../../cli/output/show-index.js'
import {listIndex} from '../../../pipeline/index/list-index.js'

export default class List extends Command {
  static override summary = 'List what is in an index, each version by itself.'
  static override description = `Lists all packages of indexes and of a folder, or those that own CRDs of one API group. Of a version that several of them \
have, the first one counts. What cannot be read, and a tag that is there with different bytes, is told on standard error.`

  static override examples = [
    {
      description: 'List all that is there',
      command: '<%= config.bin %> <%= command.id %> --index registry.example.org/index',
    },
    {
      description: 'List who owns CRDs of a group, in two indexes',
      command:
        '<%= config.bin %> <%= command.id %> sql.example.org --index ./ours.jsonl --index registry.example.org/index',
    },
  ]

  static override args = {
    group: argument({description: 'API group whose packages to list; otherwise all.'}),
  }

  static override flags = {
    ...indexReadingFlags,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(List)
    const shown = progress(this.argv)
    const index = await indexToRead(flags, shown)
    const report = await listIndex(index, args.group).finally(shown.end)
    showNotes(report.findings, this.argv)
    await show(
      flags.output === 'text'
        ? formatListing(report, painter(this.argv, 'stdout'))
        : formatDocument({kind: 'IndexListing', ...report}, flags.output),
    )
  }
}
