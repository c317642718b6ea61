import {Command} from '@oclif/core/command'
import {FOUND} from '../../cli/shell/exit-code.js'
import {argument} from '../../cli/shell/flags/argument.js'
import {compareFlags} from '../../cli/compare/compare-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {comparedSides} from '../../cli/compare/compare-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {showComparison} from '../../cli/compare/show-comparison.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {surfacePorts} from '../../cli/packages/package-ports.js'
import {comparePackages, expectCompared} from '../../pipeline/impact/compare-packages.js'

export default class Compare extends Command {
  static override summary = 'Compare the schemas and permissions of packages in two versions'
  static override description = `Compares two packages, folders of packages, lock files or declarations, and reports how kinds, versions, fields, permissions, \
images, capabilities, functions and dependencies change. Without AFTER, the lock file of a declaration is compared with what "package lock --upgrade" would select. \
No cluster is needed, and no object is read.

A change is breaking if an object that was valid can be rejected, lose a field or no longer be served; risky if something is treated \
differently, for example because a default changes; and compatible otherwise.

Exits with 0 if nothing breaks, with 1 if a change is breaking, and with 7 if a package or a schema could not be read.`

  static override examples = [
    {
      description: 'Compare two versions of a package',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0 registry.example.org/team/provider:v0.2.0',
    },
    {
      description: 'Compare the lock file with what an upgrade would select',
      command: '<%= config.bin %> <%= command.id %> crossplane-packages.yaml --packages ./packages',
    },
    {
      description: 'Compare two lock files, for a comment on a pull request',
      command: '<%= config.bin %> <%= command.id %> before.lock crossplane-packages.lock --output markdown',
    },
  ]

  /** The flags that `--help` shows. */
  static isCheck = true
  static mostUsed = ['output', 'fields', 'packages', 'index', 'lock-file', 'offline', 'quiet']

  static override args = {
    before: argument({
      description:
        'Package, folder, lock file or declaration (default: crossplane-packages.yaml of the folder or of a parent)',
    }),
    after: argument({description: 'The same after a change (default: what an upgrade would select)'}),
  }

  static override flags = {...compareFlags, ...commonFlags}

  override async run(): Promise<void> {
    const {args, flags, raw} = await this.parse(Compare)
    const sides = comparedSides([args.before, args.after], flags, writtenFlags(raw))
    const shown = progress(this.argv)
    const comparison = await comparePackages(sides, surfacePorts(flags, shown, this.config.version))
      .catch(async (error: unknown) => {
        const {withRequestedNames} = await import('../../cli/declaration/requested-name.js')
        throw withRequestedNames(error, [args.before, args.after])
      })
      .finally(shown.end)
    await showComparison(comparison, flags, this.argv)
    expectCompared(comparison)
    if (comparison.totals.breaking > 0) this.exit(FOUND)
  }
}
