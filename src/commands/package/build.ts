import {Command} from '@oclif/core/command'
import {argument} from '../../cli/flags/argument.js'
import {buildFlags} from '../../cli/flags/build.js'
import {commonFlags} from '../../cli/flags/global.js'
import {noRegistryFlag, registryFlags, sourceFlag} from '../../cli/flags/registry.js'
import {buildQuery} from '../../cli/options/author/build-query.js'
import {buildPorts} from '../../cli/ports/build-ports.js'
import {progress} from '../../cli/output/progress.js'
import {formatBuild} from '../../cli/output/show-image.js'
import {formatJson, show, showWarnings} from '../../cli/output/show.js'
import {imageOutputs} from '../../cli/wire.js'
import {buildToDisk} from '../../pipeline/author/build-to-disk.js'

export default class Build extends Command {
  static override summary = 'Make an image of a package, without Docker.'
  static override description = `Looks a package over as package lint does, puts it into an image, and prints the image's digest. The same package \
gives the same digest on every machine; SOURCE_DATE_EPOCH dates it.

TARGET is oci:DIR[:TAG] for an OCI layout, in which the image gets a place beside those that are there, or \
oci-archive:FILE[:TAG]. Without a tag the version in app.yaml is taken.`

  static override examples = [
    {
      description: 'Build the package in this folder into a layout',
      command: '<%= config.bin %> <%= command.id %> oci:./image:v0.1.0',
    },
    {
      description: 'Put it on top of the image of its controller, for each of its platforms',
      command:
        '<%= config.bin %> <%= command.id %> oci-archive:my-provider.tar:v0.1.0 ./my-provider --from oci:./controller:v0.1.0',
    },
    {
      description: 'Give the CRDs what metadata files say of them, as annotations',
      command: '<%= config.bin %> <%= command.id %> oci:./image:v0.1.0 ./my-provider --bake-metadata',
    },
  ]

  static override args = {
    target: argument({required: true, description: 'Where the image is written.'}),
    path: argument({default: '.', description: 'The folder that is or holds .registry/.'}),
  }

  static override flags = {...buildFlags, ...sourceFlag, ...registryFlags, ...noRegistryFlag, ...commonFlags}

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Build)
    const query = {...buildQuery(args.path, flags), target: args.target}
    const shown = progress(this.argv)
    const ports = {...buildPorts(flags, shown), outputs: await imageOutputs()}
    const report = await buildToDisk(query, ports).finally(shown.end)
    showWarnings(report, this.argv)
    if (flags.output === 'json') return await show(formatJson({kind: 'BuildReport', ...report}))
    process.stderr.write(formatBuild(report))
    await show(`${report.digest}\n`)
  }
}
