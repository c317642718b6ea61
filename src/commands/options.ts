import {Command} from '@oclif/core/command'
import {clusterFlags} from '../cli/cluster/cluster-flags.js'
import {commonFlags} from '../cli/shell/flags/common-flags.js'
import {pullFlags} from '../cli/sources/pull-flags.js'
import {show} from '../cli/shell/document/show.js'
import {showFlags} from '../cli/shell/run-command-line.js'

export default class Options extends Command {
  static override summary = 'Print the flags that many commands have'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  override async run(): Promise<void> {
    await this.parse(Options)
    await show(
      'Commands that access a cluster, a registry or the cache have these flags; all have the global ones.\n\n',
    )
    await showFlags(this.config, 'options', {...clusterFlags, ...pullFlags, ...commonFlags})
  }
}
