import {Command} from '@oclif/core/command'
import {argument} from '../../../cli/shell/flags/argument.js'
import {indexTarget} from '../../../cli/index/index-target.js'
import {addPorts} from '../../../cli/index/index-ports.js'
import {indexAdditionFlags} from '../../../cli/index/index-command-flags.js'
import {progress} from '../../../cli/shell/progress/progress.js'
import {formatDocument, show, showWarnings} from '../../../cli/shell/document/show.js'
import {formatAdded} from '../../../cli/index/show-index.js'
import {addToIndex} from '../../../pipeline/index/add-to-index.js'

export default class Add extends Command {
  static override summary = 'Add packages to an index'
  static override description = `Pulls each package and adds an entry with its CRDs and dependencies to an index, where users find it without \
pulling it. Adding a package again has no effect; an entry is replaced only if the package contradicts it. The index can be in a different registry \
than the packages.`

  static override examples = [
    {
      description: 'Add a published version',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0 --index registry.example.org/index',
    },
    {
      description: 'Create an index in a single repository',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0 --index registry.example.org/team/index --single-repository',
    },
  ]

  static override strict = false
  static override args = {
    ref: argument({
      required: true,
      description: 'Package in a registry: [HOST/]PATH[:TAG]; can be repeated',
    }),
  }

  static override flags = indexAdditionFlags

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(Add)
    const target = indexTarget(flags)
    const shown = progress(this.argv)
    const ports = await addPorts(flags, shown)
    const report = await addToIndex(argv as string[], target, ports).finally(shown.end)
    showWarnings(report, this.argv)
    await show(
      flags.output === 'text'
        ? formatAdded(report)
        : formatDocument({kind: 'IndexAdditions', ...report}, flags.output),
    )
  }
}
