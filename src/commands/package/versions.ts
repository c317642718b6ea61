import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {listOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {folderFlags} from '../../cli/sources/package-flags.js'
import {pullFlags} from '../../cli/sources/pull-flags.js'
import {painter} from '../../cli/shell/text/paint.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {formatVersions} from '../../cli/resolution/show-versions.js'
import {showList} from '../../cli/shell/document/show-list.js'
import {packagePorts} from '../../cli/packages/package-ports.js'
import {versions} from '../../pipeline/versions.js'

export default class Versions extends Command {
  static override summary = 'List the tags of a package'
  static override description = `Lists all tags of a repository, semantic versions first, and marks the stable ones: without a tag, \
the newest stable version is selected. With --packages, the tags are those of the folder, if it has the package. No \
index is required.`

  static override examples = [
    {
      description: 'List the versions of a package',
      command: '<%= config.bin %> <%= command.id %> registry.example.org/team/provider',
    },
    {
      description: 'List them as references',
      command: '<%= config.bin %> <%= command.id %> registry.example.org/team/provider --output name',
    },
    {
      description: 'List the versions in a folder of packages',
      command: '<%= config.bin %> <%= command.id %> example/provider-sql --packages ./examples/xpkg/packages',
    },
  ]

  static override args = {
    ref: argument({required: true, description: 'Package in a registry, [HOST/]PATH'}),
  }

  static override flags = {
    ...folderFlags,
    ...pullFlags,
    ...listOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Versions)
    const shown = progress(this.argv)
    const ports = await packagePorts(flags, shown)
    const report = await versions(args.ref, ports)
      .catch(async (error: unknown) => {
        const {withRequestedNames} = await import('../../cli/declaration/requested-name.js')
        throw withRequestedNames(error, [args.ref])
      })
      .finally(shown.end)
    const paint = painter(this.argv, 'stdout')
    await showList(
      {
        document: {kind: 'PackageVersions', ...report},
        names: report.versions.map(({tag}) => `${report.package}:${tag}`),
        table: () => formatVersions(report, paint),
        empty: `${report.package} has no tags`,
      },
      flags.output,
    )
  }
}
