import {Command} from '@oclif/core/command'
import {argument} from '../../cli/flags/argument.js'
import {FOUND} from '../../cli/exit-code.js'
import {commonFlags} from '../../cli/flags/global.js'
import {indexFlags} from '../../cli/flags/index-flags.js'
import {reportOutputFlag} from '../../cli/flags/output.js'
import {packageFlags} from '../../cli/flags/package.js'
import {pullFlags} from '../../cli/flags/pull.js'
import {painter} from '../../cli/output/paint.js'
import {indexToRead} from '../../cli/ports/index-to-read.js'
import {progress} from '../../cli/output/progress.js'
import {formatDocument, show, showNotes} from '../../cli/output/show.js'
import {formatProviders, providerNotes} from '../../cli/output/show-providers.js'
import {provides} from '../../pipeline/provides.js'

export default class Provides extends Command {
  static override summary = 'List the packages that own a CRD, each version by itself.'
  static override description = `Looks through indexes and a folder of packages for all that define a CRD, or with *.GROUP any CRD of a group, and in \
which versions they serve it. Ends with 1 if there is none.`

  static override examples = [
    {
      description: 'Ask who owns a CRD',
      command: '<%= config.bin %> <%= command.id %> databases.sql.example.org --packages ./packages',
    },
    {
      description: 'Ask who serves any kind of a group as v1beta1',
      command: "<%= config.bin %> <%= command.id %> '*.sql.example.org/v1beta1' --packages ./packages",
    },
    {
      description: 'Ask an index in a registry',
      command:
        '<%= config.bin %> <%= command.id %> databases.sql.example.org --index registry.example.org/index',
    },
  ]

  static override args = {
    crd: argument({required: true, description: 'RESOURCE.GROUP[/VERSION]; * stands for any resource.'}),
  }

  static override flags = {
    packages: packageFlags.packages,
    platform: packageFlags.platform,
    ...indexFlags,
    ...pullFlags,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Provides)
    const shown = progress(this.argv)
    const report = await provides(args.crd, await indexToRead(flags, shown)).finally(shown.end)
    showNotes(providerNotes(report), this.argv)
    await show(
      flags.output === 'text'
        ? formatProviders(report, painter(this.argv, 'stdout'))
        : formatDocument({kind: 'Providers', ...report}, flags.output),
    )
    if (report.providers.length === 0) this.exit(FOUND)
  }
}
