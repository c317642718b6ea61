import {Command} from '@oclif/core/command'
import {INCOMPLETE} from '../../cli/shell/exit-code.js'
import {argument} from '../../cli/shell/flags/argument.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {reportOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {pullFlags} from '../../cli/sources/pull-flags.js'
import {packageUpdateFlags} from '../../cli/update/update-branch-flags.js'
import {updateHome} from '../../cli/update/update-home.js'

export default class Update extends Command {
  static override summary = 'Make a branch for each update of the packages of a Git repository'
  static override description = `Resolves the packages of a declaration with newer versions and commits each update to a branch of its own: the \
declaration, the lock file and the rendered objects. Pins move to the newest version within --within; packages that hold: of the \
declaration names stay. Providers of one family are updated together.

A branch begins with crossplane-update/. It is made again when the branch that it is for, or the newest versions, have changed, and removed \
when nothing is left to update. A branch that a user changed is left as it is and named. Effects on objects are described and never \
accepted: package check of the branch fails until a user decides. The same command can run every hour, also beside itself. Exits with 1 if \
a group of packages cannot be updated.`

  static override examples = [
    {
      description: 'Print the branches of all updates',
      command: '<%= config.bin %> <%= command.id %> --git . --path deploy --packages ./packages --dry-run',
    },
    {
      description: 'Push a branch for each update within the current major versions',
      command:
        '<%= config.bin %> <%= command.id %> --git https://git.example.org/team/deploy.git --within minor',
    },
    {
      description: 'Print why a package is not updated',
      command:
        '<%= config.bin %> <%= command.id %> --git . --path deploy --packages ./packages --explain example/my-provider',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    'git',
    'path',
    'branch',
    'push',
    'by',
    'within',
    'min-age',
    'limit',
    'pr',
    'explain',
    'body-file',
    'dry-run',
    'packages',
    'index',
    'output',
  ]
  static override strict = false

  static override args = {
    package: argument({description: 'Package, as REPOSITORY (default: all); can be repeated'}),
  }

  static override flags = {
    ...packageUpdateFlags,
    ...pullFlags,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(Update)
    if (await updateHome(argv.map(String), flags, this)) this.exit(INCOMPLETE)
  }
}
