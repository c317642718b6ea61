import {Command} from '@oclif/core/command'
import {string} from '@oclif/core/flags'
import {argument} from '../../cli/flags/argument.js'
import {choiceFlags} from '../../cli/flags/choice.js'
import {commonFlags} from '../../cli/flags/global.js'
import {lockFileFlag} from '../../cli/flags/lock.js'
import {dryRunFlag} from '../../cli/flags/plan.js'
import {reportOutputFlag} from '../../cli/flags/output.js'
import {lockPath, lockToWrite, withUpgradeValues} from '../../cli/options/resolution/lock-query.js'
import {withDefaultDeclaration} from '../../cli/options/default-declaration.js'
import {requestPorts} from '../../cli/ports/package-ports.js'
import {painter} from '../../cli/output/paint.js'
import {progress} from '../../cli/output/progress.js'
import {formatFilePlan} from '../../cli/output/show-plan.js'
import {formatLockChanges} from '../../cli/output/show-lock.js'
import {formatDocument, show, showNotes} from '../../cli/output/show.js'
import {unlockedQuery} from '../../cli/options/resolution/resolution-query.js'
import {writtenFlags} from '../../cli/options/written-flags.js'
import {imageOutputs} from '../../cli/wire.js'
import {readRequest} from '../../pipeline/request/read-request.js'
import {lockPackages} from '../../pipeline/lock-packages.js'
import {planLock, writeLockFile} from '../../pipeline/write-lock.js'

export default class Lock extends Command {
  static override summary = 'Resolve dependencies and write the lock file'
  static override description = `Resolves a package, or all packages of a declaration, and records the result in a lock file: version and digest of each \
package, its installs and their dependents. Locked versions are kept if they still fit; --upgrade unlocks packages by name, \
and other changes are reported. Neither a cluster nor Git is needed.`

  static override examples = [
    {
      description: 'Lock the packages of a declaration',
      command:
        '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml --packages ./packages',
    },
    {
      description: 'Upgrade one package to the newest version that fits',
      command:
        '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml --packages ./packages --upgrade example/provider-sql',
    },
  ]

  /** The flags that `-h` shows. */
  static mostUsed = [
    'namespace',
    'output',
    'packages',
    'index',
    'declaration',
    'owner',
    'lock-file',
    'upgrade',
    'quiet',
  ]

  static override args = {
    ref: argument({description: 'Package, or crd:RESOURCE.GROUP[/VERSION] for the package that provides it'}),
    name: argument({description: "Name of the install (default: the repository's path)"}),
  }

  static override flags = {
    ...choiceFlags,
    ...lockFileFlag,
    upgrade: string({
      multiple: true,
      multipleNonGreedy: true,
      helpGroup: 'DEPENDENCIES',
      helpValue: '[PACKAGE]',
      summary:
        'Unlock a package, so that its newest version is selected; without PACKAGE, all; can be repeated',
    }),
    ...dryRunFlag,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags: given, raw} = await this.parse(Lock, withUpgradeValues(this.argv))
    const flags = withDefaultDeclaration(args.ref, given)
    const shown = progress(this.argv)
    const query = unlockedQuery(args, flags, writtenFlags(raw))
    const {requested, policy, packages} = await readRequest(query, requestPorts(flags, shown))
    const target = await lockToWrite(args, flags, await imageOutputs())
    const held = target.held === undefined ? policy : {...policy, lock: target.held}
    const {lock, changes, notes} = await lockPackages(requested, held, packages).finally(shown.end)
    showNotes(notes, this.argv)
    const plan = planLock(target, lock)
    if (flags['dry-run'] === 'client') {
      return await show(formatFilePlan(plan, target, flags.output, painter(this.argv, 'stdout')))
    }
    await writeLockFile(target.file, plan)
    await show(
      flags.output === 'text'
        ? formatLockChanges(changes, painter(this.argv, 'stdout'))
        : formatDocument({kind: 'LockChanges', lockFile: lockPath(flags), ...changes}, flags.output),
    )
  }
}
