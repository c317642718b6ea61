import {Command} from '@oclif/core/command'
import {option} from '@oclif/core/flags'
import {argument} from '../../cli/shell/flags/argument.js'
import {closureFlags} from '../../cli/compare/compare-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {closureQuery} from '../../cli/compare/compare-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {showNotes} from '../../cli/shell/document/show.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {surfacePorts} from '../../cli/packages/package-ports.js'
import {showChange} from '../../cli/render/output-dir.js'
import {folderListing, outputFolder} from '../../cli/wire.js'
import {writeSchemas} from '../../pipeline/write-schemas.js'

export default class Schemas extends Command {
  static override summary = 'Write JSON Schemas of the kinds of a declaration'
  static override description = `Writes a JSON Schema for each kind and version that the packages of a declaration define, for kubeconform, editors and other \
programs: DIR/GROUP/KIND_VERSION.json, all in lowercase. Kinds are those of CRDs, those that Crossplane derives from CompositeResourceDefinitions and \
ManagedResourceDefinitions, and the inputs of functions. Packages are those of the lock; no cluster is needed.

Run the command again when the lock has changed: files of kinds that no longer exist are removed. A folder with files that the command did not write is \
rejected.`

  static override examples = [
    {
      description: 'Write the schemas of the declaration of the working folder',
      command: '<%= config.bin %> <%= command.id %> ./schemas',
    },
    {
      description: 'Write the schemas of a lock file, from packages in a folder',
      command:
        '<%= config.bin %> <%= command.id %> ./schemas --declaration crossplane-packages.yaml --packages ./packages --offline',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = ['output', 'declaration', 'lock-file', 'packages', 'index', 'offline', 'quiet']

  static override args = {dir: argument({required: true, description: 'Folder to write'})}

  static override flags = {
    output: option({
      char: 'o',
      options: ['text', 'json'] as const,
      default: 'text',
      helpGroup: 'OUTPUT',
      summary: 'Output format; text may change between releases',
    })(),
    ...closureFlags,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags, raw} = await this.parse(Schemas)
    const query = closureQuery(flags, writtenFlags(raw))
    const shown = progress(this.argv)
    const target = {folder: await outputFolder(args.dir), listing: () => folderListing(args.dir)}
    const {change, warnings} = await writeSchemas(
      query,
      target,
      surfacePorts(flags, shown, this.config.version),
    ).finally(shown.end)
    showNotes(warnings, this.argv)
    await showChange(change, {folder: args.dir, format: flags.output, argv: this.argv})
  }
}
