import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {baseFlag} from '../../cli/bundle/bundle-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {reportOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {openBundleAt} from '../../cli/sources/bundles.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {formatVerifiedBundle} from '../../cli/bundle/show-bundle.js'
import {formatDocument, show} from '../../cli/shell/document/show.js'
import {INCOMPLETE} from '../../cli/shell/exit-code.js'
import {checkBundle} from '../../pipeline/bundle/check-bundle.js'

export default class Verify extends Command {
  static override summary = 'Check that a bundle is complete and unchanged'
  static override description = `Reads every byte of a bundle, without a network: each image must be complete, with all platforms that the bundle is for, and \
everything must have its digest. All problems are listed; the command then exits with 1.`

  static override examples = [
    {
      description: 'Verify a bundle',
      command: '<%= config.bin %> <%= command.id %> packages.tar',
    },
    {
      description: 'Verify a bundle that adds to another one',
      command: '<%= config.bin %> <%= command.id %> packages-2.tar --base packages.tar',
    },
    {
      description: 'Verify a bundle whose base adds to a third one',
      command: '<%= config.bin %> <%= command.id %> packages-3.tar --base packages-2.tar --base packages.tar',
    },
  ]

  static override args = {
    bundle: argument({required: true, description: 'Bundle: an archive or a folder'}),
  }

  static override flags = {...baseFlag, ...reportOutputFlag, ...commonFlags}

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Verify)
    const shown = progress(this.argv)
    const bundle = await openBundleAt(args.bundle, flags.base)
    const report = await checkBundle(bundle, shown.report).finally(shown.end)
    await show(
      flags.output === 'text'
        ? formatVerifiedBundle(args.bundle, report)
        : formatDocument({kind: 'BundleVerification', bundle: args.bundle, ...report}, flags.output),
    )
    if (report.problems.length > 0) this.exit(INCOMPLETE)
  }
}
