import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {baseFlag} from '../../cli/bundle/bundle-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {reportOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {openBoth} from '../../cli/sources/bundles.js'
import {formatBundleDifference} from '../../cli/bundle/show-bundle.js'
import {formatDocument, show} from '../../cli/shell/document/show.js'
import {compareBundles} from '../../pipeline/bundle/describe-bundle.js'

export default class Diff extends Command {
  static override summary = 'Compare two bundles'
  static override description =
    'Lists the references whose images differ: added (+), removed (-), or with another digest (~), and the size of what only the second bundle has.'

  static override examples = [
    {
      description: 'Compare a bundle with its predecessor',
      command: '<%= config.bin %> <%= command.id %> packages-1.tar packages-2.tar',
    },
    {
      description: 'Compare two bundles that add to another one',
      command: '<%= config.bin %> <%= command.id %> packages-2.tar packages-3.tar --base packages-1.tar',
    },
    {
      description: 'Print the differences as JSON',
      command: '<%= config.bin %> <%= command.id %> packages-1.tar packages-2.tar --output json',
    },
  ]

  static override args = {
    old: argument({required: true, description: 'Bundle: an archive or a folder'}),
    new: argument({required: true, description: 'Bundle to compare it with'}),
  }

  static override flags = {...baseFlag, ...reportOutputFlag, ...commonFlags}

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Diff)
    const {before, after} = await openBoth(args.old, args.new, flags.base ?? [])
    const difference = await compareBundles(before, after)
    await show(
      flags.output === 'text'
        ? formatBundleDifference(difference)
        : formatDocument({kind: 'BundleDifference', ...difference}, flags.output),
    )
  }
}
