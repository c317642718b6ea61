import {join} from 'node:path'
import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {reportOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {packageFlags} from '../../cli/sources/package-flags.js'
import {pullFlags} from '../../cli/sources/pull-flags.js'
import {translateFlags} from '../../cli/author/translate-flags.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {formatDocument, show, showNotes} from '../../cli/shell/document/show.js'
import {packagePorts} from '../../cli/packages/package-ports.js'
import {imageOutputs} from '../../cli/wire.js'
import {translate} from '../../pipeline/author/translate.js'

export default class Translate extends Command {
  static override summary = 'Translate a package of 2020 for a current Crossplane'
  static override description = `Writes a Provider for a current Crossplane (xpkg) to DIR/package: the CRDs of a package of Crossplane v0.12 in v1, and its \
metadata. DIR/install.yaml has what installs it: the roles of the controller, its Deployment as a DeploymentRuntimeConfig, and the request. What could \
not be carried over is listed.

Build and push the result with package push.`

  static override examples = [
    {
      description: 'Translate a package in a registry',
      command:
        '<%= config.bin %> <%= command.id %> crossplane/provider-gcp:v0.11.0 ./translated --target registry.example.org/team/provider-gcp:v0.11.0',
    },
  ]

  static override args = {
    ref: argument({required: true, description: 'Package, as for package render'}),
    dir: argument({required: true, description: 'Folder to write: package/ and install.yaml'}),
  }

  static override flags = {
    ...translateFlags,
    ...packageFlags,
    ...pullFlags,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Translate)
    const shown = progress(this.argv)
    const ports = await packagePorts(flags, shown)
    const query = {
      reference: args.ref,
      asPackage: flags['as-package'],
      target: flags.target,
      namespace: flags['crossplane-namespace'],
    }
    const folder = (await imageOutputs()).folder(args.dir)
    const {writtenPaths: files, notes} = await translate(query, folder, ports).finally(shown.end)
    showNotes(notes, this.argv)
    if (flags.output === 'text') return await show(files.map(path => `${join(args.dir, path)}\n`).join(''))
    await show(
      formatDocument({kind: 'TranslateReport', folder: args.dir, written: files, notes}, flags.output),
    )
  }
}
