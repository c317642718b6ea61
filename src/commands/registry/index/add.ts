import {Command} from '@oclif/core/command'
import {argument} from '../../../cli/flags/argument.js'
import {indexTarget} from '../../../cli/options/index/index-target.js'
import {addPorts} from '../../../cli/ports/index-ports.js'
import {indexAdditionFlags} from '../../../cli/flags/index-commands.js'
import {progress} from '../../../cli/output/progress.js'
import {formatDocument, show} from '../../../cli/output/show.js'
import {formatAdded} from '../../../cli/output/show-index.js'
import {addToIndex} from '../../../pipeline/index/add-to-index.js'

export default class Add extends Command {
  static override summary = 'Add packages of a registry to an index.'
  static override description = `Pulls each package and writes what it owns and needs below the root of an index, where others find it without \
pulling anything. An index is only added to: the same again changes nothing. It need not be in the registry of the packages.`

  static override examples = [
    {
      description: 'Add a version that was pushed before',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0 --index registry.example.org/index',
    },
    {
      description: 'Begin an index where no repositories can be made',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0 --index registry.example.org/team/index --single-repository',
    },
  ]

  static override strict = false
  static override args = {
    ref: argument({required: true, description: 'A package in a registry; there may be several.'}),
  }

  static override flags = indexAdditionFlags

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(Add)
    const target = indexTarget(flags)
    const shown = progress(this.argv)
    const ports = await addPorts(flags, shown)
    const report = await addToIndex(argv as string[], target, ports).finally(shown.end)
    await show(
      flags.output === 'text'
        ? formatAdded(report)
        : formatDocument({kind: 'IndexAdditions', ...report}, flags.output),
    )
  }
}
