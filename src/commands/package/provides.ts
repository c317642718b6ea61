import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {FOUND} from '../../cli/shell/exit-code.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {indexFlags} from '../../cli/sources/index-flags.js'
import {listOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {folderFlags, packageFlags} from '../../cli/sources/package-flags.js'
import {pullFlags} from '../../cli/sources/pull-flags.js'
import {painter} from '../../cli/shell/text/paint.js'
import {indexToRead} from '../../cli/packages/index-to-read.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {showNotes} from '../../cli/shell/document/show.js'
import {showList} from '../../cli/shell/document/show-list.js'
import {formatProviders, providerNotes} from '../../cli/index/show-providers.js'
import {provides} from '../../pipeline/provides.js'

export default class Provides extends Command {
  static override summary = 'List the packages that provide a CRD'
  static override description = `Lists the versions of packages in indexes and a folder that own a CRD, or with *.GROUP any CRD of a group, and the versions \
that they serve. Exits with 1 if no package provides it.`

  static override examples = [
    {
      description: 'List the packages that provide a CRD',
      command: '<%= config.bin %> <%= command.id %> databases.sql.example.org --packages ./packages',
    },
    {
      description: 'List the packages that serve v1beta1 of any kind of a group',
      command: "<%= config.bin %> <%= command.id %> '*.sql.example.org/v1beta1' --packages ./packages",
    },
    {
      description: 'Search an index in a registry',
      command:
        '<%= config.bin %> <%= command.id %> databases.sql.example.org --index registry.example.org/index',
    },
  ]

  static override args = {
    crd: argument({required: true, description: 'CRD: RESOURCE.GROUP[/VERSION]; RESOURCE can be *'}),
  }

  static override flags = {
    ...folderFlags,
    platform: packageFlags.platform,
    ...indexFlags,
    ...pullFlags,
    ...listOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Provides)
    const shown = progress(this.argv)
    const report = await provides(args.crd, await indexToRead(flags, shown)).finally(shown.end)
    showNotes(providerNotes(report), this.argv)
    const paint = painter(this.argv, 'stdout')
    await showList(
      {
        document: {kind: 'Providers', ...report},
        names: report.providers.map(provider => `${provider.package}:${provider.tag}`),
        table: () => formatProviders(report, paint),
        empty: `no package provides ${args.crd}`,
      },
      flags.output,
    )
    if (report.providers.length === 0) this.exit(FOUND)
  }
}
