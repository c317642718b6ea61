import {Command} from '@oclif/core/command'
import {string} from '@oclif/core/flags'
import {argument} from '../../../cli/flags/argument.js'
import {indexTarget} from '../../../cli/options/index/index-target.js'
import {targetPorts} from '../../../cli/ports/index-ports.js'
import {commonFlags} from '../../../cli/flags/global.js'
import {indexTargetFlag} from '../../../cli/flags/index-flags.js'
import {reportOutputFlag} from '../../../cli/flags/output.js'
import {noRegistryFlag, registryFlags, sourceFlag} from '../../../cli/flags/registry.js'
import {progress} from '../../../cli/output/progress.js'
import {formatDocument, show} from '../../../cli/output/show.js'
import {formatYank} from '../../../cli/output/show-index.js'
import {yankVersion} from '../../../pipeline/index/yank-version.js'

export default class Yank extends Command {
  static override summary = 'Say in an index that a version is no longer to be chosen.'
  static override description = `Adds a reason to the entry of a version. From then on it is used only where a lock names it, with a warning. Nothing is \
deleted, neither the package nor its entry, and it cannot be taken back: publish a new version instead.`

  static override examples = [
    {
      description: 'Withdraw a version',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0 --reason "it deletes what it should keep" --index registry.example.org/index',
    },
  ]

  static override args = {
    ref: argument({
      required: true,
      description: 'The version: [HOST/]PATH:TAG, with @sha256:DIGEST where the tag was moved.',
    }),
  }

  static override flags = {
    reason: string({
      required: true,
      helpGroup: 'INDEX',
      helpValue: 'TEXT',
      summary: 'Why, for whoever has it installed; one line of up to 500 characters.',
    }),
    ...indexTargetFlag,
    ...sourceFlag,
    ...registryFlags,
    ...noRegistryFlag,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Yank)
    const target = indexTarget(flags)
    const source = flags['default-source']
    const shown = progress(this.argv)
    const ports = {...targetPorts(flags, shown), ...(source === undefined ? {} : {defaultSource: source})}
    const query = {reference: args.ref, reason: flags.reason}
    const report = await yankVersion(query, target, ports).finally(shown.end)
    await show(
      flags.output === 'text'
        ? formatYank(report)
        : formatDocument({kind: 'WithdrawnVersion', ...report}, flags.output),
    )
  }
}
