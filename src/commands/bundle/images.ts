import {Command} from '@oclif/core/command'
import {option} from '@oclif/core/flags'
import {argument} from '../../cli/shell/flags/argument.js'
import {bundleContentFlags} from '../../cli/bundle/bundle-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {painter} from '../../cli/shell/text/paint.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {formatImageList, IMAGE_LIST_FORMATS} from '../../cli/bundle/show-bundle.js'
import {show, showNotes} from '../../cli/shell/document/show.js'
import {givenClosure} from '../../cli/bundle/bundle-closure.js'
import {planBundle} from '../../pipeline/bundle/create-bundle.js'

export default class Images extends Command {
  static override summary = 'List all images that packages need'
  static override description = `Resolves packages as bundle create does, and lists them, everything that they require, and every image that they run, with \
digests and sizes. Only manifests are read. hauler and zarf are the formats of these tools, with pinned references.`

  static override examples = [
    {
      description: 'List the images of a declaration',
      command: '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml',
    },
    {
      description: 'Print a list for hauler store sync',
      command: '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml --output hauler',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = ['packages', 'index', 'declaration', 'image', 'platform', 'output', 'quiet']

  static override strict = false
  static override args = {
    ref: argument({description: 'Packages in a registry (default: those of the declaration)'}),
  }

  static override flags = {
    ...bundleContentFlags,
    output: option({
      char: 'o',
      options: IMAGE_LIST_FORMATS,
      default: 'text',
      helpGroup: 'OUTPUT',
      summary: 'Output format; hauler and zarf print the images in the formats of these tools',
    })(),
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {argv, flags, raw} = await this.parse(Images)
    const shown = progress(this.argv)
    const words = {references: argv as string[], flags, flagNames: writtenFlags(raw)}
    const {closure, platforms, packages} = await givenClosure(words, shown).finally(shown.end)
    showNotes(closure.notes, this.argv)
    const report = await planBundle({closure, platforms}, packages).finally(shown.end)
    await show(formatImageList(report, flags.output, painter(this.argv, 'stdout')))
  }
}
