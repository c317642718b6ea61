import {Command} from '@oclif/core/command'
import {string} from '@oclif/core/flags'
import {argument} from '../../../cli/shell/flags/argument.js'
import {indexToRead} from '../../../cli/packages/index-to-read.js'
import {NOT_FOUND} from '../../../cli/shell/exit-code.js'
import {commonFlags} from '../../../cli/shell/flags/common-flags.js'
import {listOutputFlag} from '../../../cli/shell/flags/output-flags.js'
import {painter} from '../../../cli/shell/text/paint.js'
import {indexReadingFlags} from '../../../cli/index/index-command-flags.js'
import {progress} from '../../../cli/shell/progress/progress.js'
import {showNotes} from '../../../cli/shell/document/show.js'
import {showList} from '../../../cli/shell/document/show-list.js'
import {formatFound} from '../../../cli/index/show-index.js'
import {searchIndex} from '../../../pipeline/index/search-index.js'

const part = (helpValue: string, summary: string) => string({helpGroup: 'SEARCH', helpValue, summary})

export default class Search extends Command {
  static override summary = 'Search an index for packages'
  static override description = `Searches names, titles, categories, keywords and names of CRDs without regard to case; flags search one of these. All \
texts must be found in the same version. Prints each package once, with the newest matching version. Exits with 1 if no package \
is found.`

  static override examples = [
    {
      description: 'Search for a word',
      command: '<%= config.bin %> <%= command.id %> postgres --index registry.example.org/index',
    },
    {
      description: 'Search a category for packages that own certain CRDs',
      command:
        '<%= config.bin %> <%= command.id %> --category database --crd sqlservers. --index registry.example.org/index',
    },
  ]

  static override args = {
    text: argument({description: 'Part of a name, title, category, keyword or CRD'}),
  }

  static override flags = {
    title: part('TEXT', 'Part of the title'),
    category: part('TEXT', 'Part of the category'),
    keyword: part('TEXT', 'Part of a keyword'),
    crd: part('TEXT', 'Part of the name of a CRD, RESOURCE.GROUP'),
    ...indexReadingFlags,
    ...listOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Search)
    const {title, category, keyword, crd} = flags
    const shown = progress(this.argv)
    const index = await indexToRead(flags, shown)
    const query = {text: args.text, title, category, keyword, crd}
    const report = await searchIndex(index, query).finally(shown.end)
    showNotes(report.findings, this.argv)
    const paint = painter(this.argv, 'stdout')
    await showList(
      {
        document: {kind: 'IndexSearch', ...report},
        names: report.packages.map(foundPackage => `${foundPackage.package}:${foundPackage.tag}`),
        table: isWide => formatFound(report, paint, isWide),
        empty: 'no packages found',
      },
      flags.output,
    )
    if (report.packages.length === 0) this.exit(NOT_FOUND)
  }
}
