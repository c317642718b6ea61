import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {baseFlag} from '../../cli/bundle/bundle-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {reportOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {openBundleAt} from '../../cli/sources/bundles.js'
import {painter} from '../../cli/shell/text/paint.js'
import {formatImageList, imagesDocument} from '../../cli/bundle/show-bundle.js'
import {formatDocument, show} from '../../cli/shell/document/show.js'
import {describeBundle} from '../../pipeline/bundle/describe-bundle.js'

export default class List extends Command {
  static override summary = 'List the packages and images of a bundle'
  static override description = `Lists every image of a bundle with its digest, its size with all platforms, and the packages that run it. Reads only the \
manifests; bundle verify reads everything.`

  static override examples = [
    {description: 'List the images of a bundle', command: '<%= config.bin %> <%= command.id %> packages.tar'},
    {
      description: 'List the images of a bundle that adds to another one',
      command: '<%= config.bin %> <%= command.id %> packages-2.tar --base packages.tar',
    },
  ]

  static override args = {
    bundle: argument({required: true, description: 'Bundle: an archive or a folder'}),
  }

  static override flags = {...baseFlag, ...reportOutputFlag, ...commonFlags}

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(List)
    const bundle = await openBundleAt(args.bundle, flags.base)
    const report = await describeBundle(bundle)
    const {digest} = bundle.artifact
    await show(
      flags.output === 'text'
        ? formatImageList(report, 'text', painter(this.argv, 'stdout'))
        : formatDocument({kind: 'Bundle', digest, ...imagesDocument(report)}, flags.output),
    )
  }
}
