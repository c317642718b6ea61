import {Command} from '@oclif/core/command'
import {option} from '@oclif/core/flags'
import {formatDocument, show} from '../cli/shell/document/show.js'
import {commonFlags} from '../cli/shell/flags/common-flags.js'

export default class Version extends Command {
  static override summary = 'Print the version'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --output json',
  ]

  static override flags = {
    output: option({
      char: 'o',
      options: ['text', 'json', 'yaml'] as const,
      default: 'text',
      summary: 'Output format',
    })(),
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(Version)
    const {version, platform, arch} = this.config
    const document = {kind: 'Version', version, node: process.version, platform: `${platform}/${arch}`}
    await show(
      flags.output === 'text' ? `kubectl-crossplane ${version}\n` : formatDocument(document, flags.output),
    )
  }
}
