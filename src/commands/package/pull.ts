import {Command} from '@oclif/core/command'
import {option} from '@oclif/core/flags'
import {argument} from '../../cli/flags/argument.js'
import {commonFlags} from '../../cli/flags/global.js'
import {packageFlags} from '../../cli/flags/package.js'
import {pullFlags} from '../../cli/flags/pull.js'
import {packagePorts} from '../../cli/ports/package-ports.js'
import {progress} from '../../cli/output/progress.js'
import {formatDocument, show} from '../../cli/output/show.js'
import {pull} from '../../pipeline/pull.js'

export default class Pull extends Command {
  static override summary = 'Pull packages into the cache'
  static override description = `Pulls packages into the cache, which all commands use, also with --offline, and prints their pinned references. Only the \
package content (.registry/) of an image is stored.`

  static override examples = [
    {
      description: 'Pull a package, to render it without a network',
      command: '<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0',
    },
    {
      description: 'Pull the image of another platform',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0 --platform linux/arm64',
    },
  ]

  static override strict = false
  static override args = {
    ref: argument({required: true, description: 'Packages in a registry'}),
  }

  static override flags = {
    platform: packageFlags.platform,
    ...pullFlags,
    output: option({
      char: 'o',
      options: ['name', 'json', 'yaml'] as const,
      default: 'name',
      helpGroup: 'OUTPUT',
      summary: 'Output format; name is the pinned reference of each package',
    })(),
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(Pull)
    // Each is told on stdout.
    const shown = {...progress(this.argv), pulled: () => undefined}
    const ports = await packagePorts(flags, shown)
    const packages = await pull(argv as string[], ports).finally(shown.end)
    await show(
      flags.output === 'name'
        ? packages.map(({reference}) => `${reference}\n`).join('')
        : formatDocument({kind: 'PullReport', packages}, flags.output),
    )
  }
}
