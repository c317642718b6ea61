import {Command} from '@oclif/core/command'
import {showHelp} from '../cli/shell/run-command-line.js'

export default class Help extends Command {
  static override summary = 'Show help for a command'
  static override examples = ['<%= config.bin %> <%= command.id %> package render']
  static override strict = false

  override async run(): Promise<void> {
    // Its words can be flags of other commands; oclif warns of that where NODE_ENV is `development`.
    this.parsed = true
    await showHelp(this.argv, this.config)
  }
}
