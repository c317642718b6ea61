import {Command} from '@oclif/core/command'
import {argument} from '../../cli/flags/argument.js'
import {buildFlags} from '../../cli/flags/build.js'
import {commonFlags} from '../../cli/flags/global.js'
import {noRegistryFlag, registryFlags, sourceFlag} from '../../cli/flags/registry.js'
import {buildQuery} from '../../cli/options/author/build-query.js'
import {buildPorts} from '../../cli/ports/build-ports.js'
import {progress} from '../../cli/output/progress.js'
import {formatBuild} from '../../cli/output/show-image.js'
import {formatDocument, show, showWarnings} from '../../cli/output/show.js'
import {imageOutputs} from '../../cli/wire.js'
import {buildToDisk} from '../../pipeline/author/build-to-disk.js'

export default class Build extends Command {
  static override summary = 'Build an image of a package'
  static override description = `Checks a package as package lint does, builds an image of it without Docker, and prints the digest. The same package gives \
the same digest on every machine; SOURCE_DATE_EPOCH sets its date.

TARGET is oci:DIR[:TAG] for an OCI layout, to which the image is added, or oci-archive:FILE[:TAG]. The default tag is the \
version in app.yaml.`

  static override examples = [
    {
      description: 'Build the package in the working folder into a layout',
      command: '<%= config.bin %> <%= command.id %> oci:./image:v0.1.0',
    },
    {
      description: 'Build on the image of the controller, for each of its platforms',
      command:
        '<%= config.bin %> <%= command.id %> oci-archive:my-provider.tar:v0.1.0 ./my-provider --from oci:./controller:v0.1.0',
    },
    {
      description: 'Write metadata files into the CRDs, as annotations',
      command: '<%= config.bin %> <%= command.id %> oci:./image:v0.1.0 ./my-provider --bake-metadata',
    },
  ]

  static override args = {
    target: argument({
      required: true,
      description: 'Image to write: oci:DIR[:TAG] or oci-archive:FILE[:TAG]',
    }),
    path: argument({default: '.', description: 'Folder that is or contains .registry/'}),
  }

  static override flags = {
    ...buildFlags,
    ...sourceFlag,
    ...registryFlags,
    ...noRegistryFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Build)
    const query = {...buildQuery(args.path, flags), target: args.target}
    const shown = progress(this.argv)
    const ports = {...buildPorts(flags, shown), outputs: await imageOutputs()}
    const report = await buildToDisk(query, ports).finally(shown.end)
    showWarnings(report, this.argv)
    if (flags.output !== 'text')
      return await show(formatDocument({kind: 'BuildReport', ...report}, flags.output))
    process.stderr.write(formatBuild(report))
    await show(`${report.digest}\n`)
  }
}
