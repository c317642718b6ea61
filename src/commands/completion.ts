import {Command} from '@oclif/core/command'
import {argument} from '../cli/shell/flags/argument.js'
import {show} from '../cli/shell/document/show.js'
import {shellScript, SHELLS} from '../cli/completion/shell-script.js'

export default class Completion extends Command {
  static override summary = 'Print the completion script of a shell'
  static override description = `Prints a script that completes the words after kubectl-crossplane in a shell. \
The words after kubectl crossplane are completed by kubectl's own script, which calls kubectl_complete-crossplane if \
that is on PATH.

Completes commands, flags, their values, lint rules, and packages and versions in the declaration, its lock, the cache \
and index files. The network is not accessed.`

  static override examples = [
    {
      description: 'Print the script for eval "$(kubectl-crossplane completion bash)" in ~/.bashrc',
      command: '<%= config.bin %> <%= command.id %> bash',
    },
    {
      description:
        'Print the script for a file _kubectl-crossplane in a folder of fpath, or for source <(…) in ~/.zshrc',
      command: '<%= config.bin %> <%= command.id %> zsh',
    },
    {
      description: 'Print the script for ~/.config/fish/completions/kubectl-crossplane.fish',
      command: '<%= config.bin %> <%= command.id %> fish',
    },
  ]

  static override args = {
    shell: argument({
      description: 'Shell: bash, zsh, fish or powershell',
      options: [...SHELLS],
      required: true,
    }),
  }

  override async run(): Promise<void> {
    const {args} = await this.parse(Completion)
    await show(shellScript(args.shell))
  }
}
