import {Command} from '@oclif/core/command'
import {argument} from '../../../cli/flags/argument.js'
import {indexTarget} from '../../../cli/options/index/index-target.js'
import {addPorts} from '../../../cli/ports/index-ports.js'
import {INCOMPLETE} from '../../../cli/exit-code.js'
import {indexAdditionFlags} from '../../../cli/flags/index-commands.js'
import {progress} from '../../../cli/output/progress.js'
import {formatDocument, show, showWarnings} from '../../../cli/output/show.js'
import {formatAdded, skippedWarnings} from '../../../cli/output/show-index.js'
import {rebuildIndex} from '../../../pipeline/index/add-to-index.js'

export default class Rebuild extends Command {
  static override summary = 'Add every version of packages of a registry to an index.'
  static override description = `Reads each tag of each repository and adds what it leads to, as registry index add does; of a reference with a tag that \
one alone. What is no package is reported and skipped, and the command ends with 1. What is withdrawn in another index is \
withdrawn anew with registry index yank.`

  static override examples = [
    {
      description: 'Begin an index of packages that were pushed before there was one',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/provider registry.example.org/team/app --index registry.example.org/index',
    },
  ]

  static override strict = false
  static override args = {
    ref: argument({required: true, description: 'A repository of packages; there may be several.'}),
  }

  static override flags = indexAdditionFlags

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(Rebuild)
    const target = indexTarget(flags)
    const shown = progress(this.argv)
    const ports = await addPorts(flags, shown)
    const report = await rebuildIndex(argv as string[], target, ports).finally(shown.end)
    showWarnings({warnings: skippedWarnings(report)}, this.argv)
    await show(
      flags.output === 'text'
        ? formatAdded(report)
        : formatDocument({kind: 'IndexAdditions', ...report}, flags.output),
    )
    if (report.skipped.length > 0) this.exit(INCOMPLETE)
  }
}
