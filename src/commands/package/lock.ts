import {Command} from '@oclif/core/command'
import {string} from '@oclif/core/flags'
import {argument} from '../../cli/flags/argument.js'
import {choiceFlags} from '../../cli/flags/choice.js'
import {commonFlags} from '../../cli/flags/global.js'
import {lockFileFlag} from '../../cli/flags/lock.js'
import {dryRunFlag} from '../../cli/flags/plan.js'
import {reportOutputFlag} from '../../cli/flags/output.js'
import {lockPath, lockToWrite, withUpgradeValues} from '../../cli/options/resolution/lock-query.js'
import {withDefaultDeclaration} from '../../cli/ports/default-declaration.js'
import {requestPorts} from '../../cli/ports/package-ports.js'
import {painter} from '../../cli/output/paint.js'
import {progress} from '../../cli/output/progress.js'
import {formatFilePlan} from '../../cli/output/show-plan.js'
import {formatLockChanges} from '../../cli/output/show-lock.js'
import {formatDocument, show, showNotes} from '../../cli/output/show.js'
import {unlockedQuery} from '../../cli/options/resolution/resolution-query.js'
import {imageOutputs} from '../../cli/wire.js'
import {readRequest} from '../../pipeline/resolve/read-request.js'
import {lockPackages} from '../../pipeline/lock-packages.js'
import {planLock, writeLockFile} from '../../pipeline/write-lock.js'

export default class Lock extends Command {
  static override summary = 'Choose all that is needed, and write down what was chosen.'
  static override description = `Resolves a package, or all that a declaration lists, and writes every choice into a lock file: version, digest, where \
each package is installed, and for whom. What is locked already stays where it still fits; --upgrade frees packages by \
name, and what else had to move with them is said. Needs no cluster and no Git.`

  static override examples = [
    {
      description: 'Lock what a declaration lists, beside it',
      command:
        '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml --packages ./packages',
    },
    {
      description: 'Let one package move to the newest version that fits',
      command:
        '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml --packages ./packages --upgrade example/provider-sql',
    },
  ]

  static override args = {
    ref: argument({description: 'The package, as for package render, or crd:RESOURCE.GROUP[/VERSION].'}),
    name: argument({description: "Name of the install; otherwise the repository's path."}),
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
        'Unlock a package, so that its newest version is selected; without PACKAGE, all. Can be repeated.',
    }),
    ...dryRunFlag,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags: given} = await this.parse(Lock, withUpgradeValues(this.argv))
    const flags = withDefaultDeclaration(args.ref, given)
    const shown = progress(this.argv)
    const query = unlockedQuery(args, flags)
    const {requested, policy, packages} = await readRequest(query, requestPorts(flags, shown))
    const target = await lockToWrite(args, flags, await imageOutputs())
    const held = target.held === undefined ? policy : {...policy, lock: target.held}
    const {lock, changes, notes} = await lockPackages(requested, held, packages).finally(shown.end)
    showNotes(notes, this.argv)
    const plan = planLock(target, lock)
    if (flags['dry-run']) {
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
