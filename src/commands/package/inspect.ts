import {Command} from '@oclif/core/command'
import {argument} from '../../cli/flags/argument.js'
import {commonFlags} from '../../cli/flags/global.js'
import {reportOutputFlag} from '../../cli/flags/output.js'
import {packageFlags} from '../../cli/flags/package.js'
import {pullFlags} from '../../cli/flags/pull.js'
import {requestFlags} from '../../cli/flags/request.js'
import {inspectQuery} from '../../cli/options/inspect-query.js'
import {painter} from '../../cli/output/paint.js'
import {packagePorts} from '../../cli/ports/package-ports.js'
import {progress} from '../../cli/output/progress.js'
import {formatInspection} from '../../cli/output/show-inspection.js'
import {formatDocument, show} from '../../cli/output/show.js'
import {inspect} from '../../pipeline/inspect.js'

export default class Inspect extends Command {
  static override summary = 'Show what installing a package would bring, run and allow.'
  static override description = `Reads a package, from a registry or from disk, and says what a careful person wants to know before installing it: who it says that \
it is, the kinds it brings and needs, every image that would run, how it is confined, and every permission in plain \
words, the wide ones marked. Nothing is refused here that rendering would refuse, but it is said. Needs no cluster.`

  static override examples = [
    {
      description: 'Look at a package in a folder of packages',
      command: '<%= config.bin %> <%= command.id %> example/my-provider:v0.1.0 --packages ./packages',
    },
    {
      description: 'List the images that a package would run',
      command: '<%= config.bin %> <%= command.id %> oci:./my-provider --output json | jq .runs.images',
    },
  ]

  static override args = {
    ref: argument({required: true, description: 'The package, as for package render.'}),
    name: argument({description: "Name of the install; otherwise the repository's path."}),
  }

  static override flags = {
    ...requestFlags,
    ...packageFlags,
    ...pullFlags,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Inspect)
    const shown = progress(this.argv)
    const ports = await packagePorts(flags, shown)
    const report = await inspect(inspectQuery(args, flags), ports).finally(shown.end)
    await show(
      flags.output === 'text'
        ? formatInspection(report, painter(this.argv, 'stdout'))
        : formatDocument({kind: 'InspectReport', ...report}, flags.output),
    )
  }
}
