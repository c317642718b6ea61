import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {buildFlags} from '../../cli/author/build-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {noRegistryFlag, registryFlags, sourceFlag} from '../../cli/registry/registry-flags.js'
import {buildQuery} from '../../cli/author/build-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {buildPorts} from '../../cli/author/build-ports.js'
import {templateChecks} from '../../cli/lint/template-checks.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {formatBuild} from '../../cli/author/show-image.js'
import {formatDocument, show, showWarnings} from '../../cli/shell/document/show.js'
import {imageOutputs} from '../../cli/wire.js'
import {buildToDisk} from '../../pipeline/author/build-to-disk.js'

export default class Build extends Command {
  static override summary = 'Build an image of a package'
  static override description = `Checks a package as package lint does, builds an image of it without Docker, and prints the digest. The same package gives \
the same digest on every machine; SOURCE_DATE_EPOCH sets its date.

TARGET is oci:DIR[:TAG] for an OCI layout, to which the image is added, or oci-archive:FILE[:TAG]. The default tag is the \
version in app.yaml.

A folder with crossplane.yaml is built as a package for a current Crossplane (xpkg). TARGET can then be a file *.xpkg, or be left out: package build DIR writes DIR/NAME-DIGEST.xpkg, as crossplane xpkg build does.`

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
      description: 'Build a Configuration, Provider or Function into a file in its folder',
      command: '<%= config.bin %> <%= command.id %> ./my-configuration',
    },
    {
      description: 'Build a Provider on the image of its controller',
      command:
        '<%= config.bin %> <%= command.id %> ./my-provider.xpkg ./my-provider --embed-runtime-image oci:./controller:v0.1.0',
    },
    {
      description: 'Write metadata files into the CRDs, as annotations',
      command: '<%= config.bin %> <%= command.id %> oci:./image:v0.1.0 ./my-provider --bake-metadata',
    },
  ]

  static override args = {
    target: argument({
      required: true,
      description: 'Image to write: oci:DIR[:TAG], oci-archive:FILE[:TAG] or FILE.xpkg',
    }),
    path: argument({
      description: 'Folder that is or contains .registry/, or has crossplane.yaml (default: .)',
    }),
  }

  static override flags = {
    ...buildFlags,
    ...sourceFlag,
    ...registryFlags,
    ...noRegistryFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags, raw} = await this.parse(Build)
    const {target, path} = args
    const query = {...buildQuery(path ?? '.', flags, writtenFlags(raw)), target, isAlone: path === undefined}
    const shown = progress(this.argv)
    const ports = {...buildPorts(flags, shown, templateChecks(this.config)), outputs: await imageOutputs()}
    const report = await buildToDisk(query, ports).finally(shown.end)
    showWarnings(report, this.argv)
    if (flags.output !== 'text')
      return await show(formatDocument({kind: 'BuildReport', ...report}, flags.output))
    process.stderr.write(formatBuild(report))
    await show(`${report.digest}\n`)
  }
}
