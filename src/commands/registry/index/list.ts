import {Command} from '@oclif/core/command'
import {argument} from '../../../cli/shell/flags/argument.js'
import {indexToRead} from '../../../cli/packages/index-to-read.js'
import {commonFlags} from '../../../cli/shell/flags/common-flags.js'
import {listOutputFlag} from '../../../cli/shell/flags/output-flags.js'
import {painter} from '../../../cli/shell/text/paint.js'
import {indexReadingFlags} from '../../../cli/index/index-command-flags.js'
import {progress} from '../../../cli/shell/progress/progress.js'
import {showNotes} from '../../../cli/shell/document/show.js'
import {showList} from '../../../cli/shell/document/show-list.js'
import {formatListing} from '../../../cli/index/show-index.js'
import {listIndex} from '../../../pipeline/index/list-index.js'

export default class List extends Command {
  static override summary = 'List the versions in an index'
  static override description = `Lists the packages of indexes and of a folder, or those that own CRDs of one API group. If several indexes \
have a version, the entry of the first index is listed. Entries that cannot be read and tags with several digests are reported on \
standard error.`

  static override examples = [
    {
      description: 'List all versions',
      command: '<%= config.bin %> <%= command.id %> --index registry.example.org/index',
    },
    {
      description: 'List the packages that own CRDs of a group, in two indexes',
      command:
        '<%= config.bin %> <%= command.id %> sql.example.org --index ./ours.jsonl --index registry.example.org/index',
    },
  ]

  static override args = {
    group: argument({description: 'API group (default: all)'}),
  }

  static override flags = {
    ...indexReadingFlags,
    ...listOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(List)
    const shown = progress(this.argv)
    const index = await indexToRead(flags, shown)
    const report = await listIndex(index, args.group).finally(shown.end)
    showNotes(report.findings, this.argv)
    const paint = painter(this.argv, 'stdout')
    await showList(
      {
        document: {kind: 'IndexListing', ...report},
        names: report.packages.map(version => `${version.package}:${version.tag}`),
        table: isWide => formatListing(report, paint, isWide),
        empty: args.group === undefined ? 'no packages found' : `no packages found in ${args.group}`,
      },
      flags.output,
    )
  }
}
