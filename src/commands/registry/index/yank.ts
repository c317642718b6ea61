import {Command} from '@oclif/core/command'
import {string} from '@oclif/core/flags'
import {argument} from '../../../cli/shell/flags/argument.js'
import {indexTarget} from '../../../cli/index/index-target.js'
import {targetPorts} from '../../../cli/index/index-ports.js'
import {commonFlags} from '../../../cli/shell/flags/common-flags.js'
import {indexTargetFlag} from '../../../cli/sources/index-flags.js'
import {reportOutputFlag} from '../../../cli/shell/flags/output-flags.js'
import {noRegistryFlag, registryFlags, sourceFlag} from '../../../cli/registry/registry-flags.js'
import {progress} from '../../../cli/shell/progress/progress.js'
import {formatDocument, show} from '../../../cli/shell/document/show.js'
import {formatYank} from '../../../cli/index/show-index.js'
import {yankVersion} from '../../../pipeline/index/yank-version.js'

export default class Yank extends Command {
  static override summary = 'Yank a version from an index'
  static override description = `Marks one version as yanked: it is selected only where it is locked or installed, with a warning. Nothing is deleted, \
neither the package nor its entry, and a yank cannot be undone: publish a new version instead. Where a tag has several entries, \
the digest names the one to yank; the others are not affected.`

  static override examples = [
    {
      description: 'Yank a version',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0 --reason "deletes databases" --index registry.example.org/index',
    },
    {
      description: 'Yank one digest of a tag that was overwritten',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0@sha256:DIGEST --reason "overwritten" --index registry.example.org/index',
    },
  ]

  static override args = {
    ref: argument({
      required: true,
      description: 'Version: [HOST/]PATH:TAG, with @sha256:DIGEST where the tag has several entries',
    }),
  }

  static override flags = {
    reason: string({
      required: true,
      helpGroup: 'INDEX',
      helpValue: 'TEXT',
      summary: 'Reason, shown to users of the version; one line of up to 500 characters',
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
    const ports = {...targetPorts(flags, shown), defaultSource: source}
    const query = {reference: args.ref, reason: flags.reason}
    const report = await yankVersion(query, target, ports).finally(shown.end)
    await show(
      flags.output === 'text'
        ? formatYank(report)
        : formatDocument({kind: 'WithdrawnVersion', ...report}, flags.output),
    )
  }
}
