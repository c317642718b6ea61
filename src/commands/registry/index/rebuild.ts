import {Command} from '@oclif/core/command'
import {argument} from '../../../cli/shell/flags/argument.js'
import {indexTarget} from '../../../cli/index/index-target.js'
import {addPorts} from '../../../cli/index/index-ports.js'
import {INCOMPLETE} from '../../../cli/shell/exit-code.js'
import {indexAdditionFlags} from '../../../cli/index/index-command-flags.js'
import {progress} from '../../../cli/shell/progress/progress.js'
import {formatDocument, show, showWarnings} from '../../../cli/shell/document/show.js'
import {formatAdded, skippedWarnings} from '../../../cli/index/show-index.js'
import {rebuildIndex} from '../../../pipeline/index/add-to-index.js'

export default class Rebuild extends Command {
  static override summary = 'Add all versions of packages to an index'
  static override description = `Adds each tag of each repository as registry index add does. For a reference with a tag, only that tag is added. Tags that are \
not packages are reported and skipped, and the command exits with 1. Yanks of another index are not copied.`

  static override examples = [
    {
      description: 'Create an index of packages that were pushed before',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/provider registry.example.org/team/app --index registry.example.org/index',
    },
  ]

  static override strict = false
  static override args = {
    ref: argument({required: true, description: 'Repository of a package: [HOST/]PATH; can be repeated'}),
  }

  static override flags = indexAdditionFlags

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(Rebuild)
    const target = indexTarget(flags)
    const shown = progress(this.argv)
    const ports = await addPorts(flags, shown)
    const report = await rebuildIndex(argv as string[], target, ports).finally(shown.end)
    showWarnings({warnings: [...skippedWarnings(report), ...report.warnings]}, this.argv)
    await show(
      flags.output === 'text'
        ? formatAdded(report)
        : formatDocument({kind: 'IndexAdditions', ...report}, flags.output),
    )
    if (report.skipped.length > 0) this.exit(INCOMPLETE)
  }
}
