import {Command} from '@oclif/core/command'
import {option, string} from '@oclif/core/flags'
import {formerlyFile} from '../../cli/shell/flags/former-names.js'
import {argument} from '../../cli/shell/flags/argument.js'
import {baseFlag, bundleContentFlags} from '../../cli/bundle/bundle-flags.js'
import {bareClient, FILE_DRY_RUNS} from '../../cli/shell/flags/dry-run.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {reportOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {toBundle} from '../../cli/bundle/bundle-output.js'
import {openBases} from '../../cli/sources/bundles.js'
import {withLessMemory} from '../../cli/wire.js'
import {painter} from '../../cli/shell/text/paint.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {formatCreatedBundle, formatImageList} from '../../cli/bundle/show-bundle.js'
import {show, showNotes} from '../../cli/shell/document/show.js'
import {givenClosure} from '../../cli/bundle/bundle-closure.js'
import {createBundle, planBundle, prepareBundle} from '../../pipeline/bundle/create-bundle.js'

export default class Create extends Command {
  static override summary = 'Write packages with all of their images into one file'
  static override description = `Resolves packages and writes them, everything that they require, and every image that they run into one OCI layout: an \
archive if --output-file ends with .tar, otherwise a folder. Digests do not change. The bundle also has the declaration, the lock and \
the index entries of its packages.

An interrupted run is continued by the same command: what was read stays in FILE.tar.partial, or in the folder, and is verified \
again. With --base, only what that bundle does not have is written. With --platform, images of other platforms are left out; \
some registries then reject the indexes of the images.`

  static override examples = [
    {
      description: 'Bundle the packages of a declaration',
      command:
        '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml --output-file packages.tar',
    },
    {
      description: 'Bundle a package for one platform',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0 --platform linux/amd64 --output-file provider.tar',
    },
    {
      description: 'Print what a bundle would have',
      command: '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml --dry-run',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    ...['packages', 'index', 'declaration', 'image', 'platform', 'base', 'output-file', 'output'],
    ...['dry-run', 'quiet'],
  ]

  static override strict = false
  static override args = {
    ref: argument({description: 'Packages in a registry (default: those of the declaration)'}),
  }

  static override flags = {
    ...bundleContentFlags,
    ...baseFlag,
    'output-file': string({
      char: 'O',
      helpGroup: 'OUTPUT',
      helpValue: 'FILE.tar|DIR',
      summary: 'Archive or folder to write',
    }),
    output: formerlyFile(reportOutputFlag.output, 'output-file'),
    'dry-run': bareClient(
      option({
        options: FILE_DRY_RUNS,
        default: 'none',
        helpGroup: 'OUTPUT',
        summary: 'List the images and their sizes, and write nothing',
      })(),
    ),
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {argv, flags, raw} = await this.parse(Create)
    const {'output-file': target, output, base} = flags
    const isDryRun = flags['dry-run'] === 'client'
    if (target === undefined && !isDryRun) this.error('missing flag --output-file', {exit: 2})
    const shown = progress(this.argv)
    const words = {references: argv as string[], flags, flagNames: writtenFlags(raw)}
    const {closure, platforms, packages} = await withLessMemory(() => givenClosure(words, shown)).finally(
      shown.end,
    )
    showNotes(closure.notes, this.argv)
    const query = {closure, platforms, base: await openBases(base ?? [])}
    if (target === undefined || isDryRun) {
      const plan = await planBundle(query, packages).finally(shown.end)
      return await show(formatImageList(plan, output, painter(this.argv, 'stdout')))
    }
    const prepared = await withLessMemory(() => prepareBundle(query, packages)).finally(shown.end)
    const write = toBundle(target, place => createBundle(query, prepared, place))
    await show(formatCreatedBundle(target, await write.finally(shown.end), output))
  }
}
