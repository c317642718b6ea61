import {Command} from '@oclif/core/command'
import {loadHelpClass} from '@oclif/core/help'

export default class Help extends Command {
  static override summary = 'Show help for a command'
  static override examples = ['<%= config.bin %> <%= command.id %> package render']
  static override strict = false

  override async run(): Promise<void> {
    const HelpClass = await loadHelpClass(this.config)
    await new HelpClass(this.config, this.config.pjson.oclif.helpOptions).showHelp(this.argv)
  }
}
