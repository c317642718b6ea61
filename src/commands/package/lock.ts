import {Command} from '@oclif/core/command'
import {string} from '@oclif/core/flags'
import {argument} from '../../cli/flags/argument.js'
import {choiceFlags} from '../../cli/flags/choice.js'
import {coreVersionFlag} from '../../cli/flags/xpkg.js'
import {commonFlags} from '../../cli/flags/global.js'
import {lockFileFlag, splitFlag} from '../../cli/flags/lock.js'
import {dryRunFlag} from '../../cli/flags/plan.js'
import {reportOutputFlag} from '../../cli/flags/output.js'
import {lockPath, lockToWrite, withUpgradeValues} from '../../cli/options/resolution/lock-query.js'
import {withDefaultDeclaration} from '../../cli/options/default-declaration.js'
import {requestPorts} from '../../cli/ports/package-ports.js'
import {painter} from '../../cli/output/text/paint.js'
import {progress} from '../../cli/output/progress/progress.js'
import {ownersInDocument} from '../../cli/output/document/owners-in-document.js'
import {formatFilePlans} from '../../cli/output/plan/show-file-plans.js'
import {wholeLockAt} from '../../cli/ports/entry-folder.js'
import {filesToLock} from '../../cli/ports/files-to-lock.js'
import {formatLockChanges} from '../../cli/output/resolution/show-lock.js'
import {formatDocument, show, showNotes} from '../../cli/output/document/show.js'
import {splitNote} from '../../cli/options/resolution/split-note.js'
import {unlockedQuery} from '../../cli/options/resolution/resolution-query.js'
import {expectApplicable} from '../../cli/options/xpkg-settings.js'
import {writtenFlags} from '../../cli/options/written-flags.js'
import {imageOutputs} from '../../cli/wire.js'
import {readRequest} from '../../pipeline/request/read-request.js'
import {lockRequest, releaseNotes} from '../../pipeline/lock-request.js'
import {writeHomeFiles} from '../../pipeline/write-home.js'

export default class Lock extends Command {
  static override summary = 'Resolve dependencies and write the lock file'
  static override description = `Resolves a package, or all packages of a declaration, and records the result in a lock file: version and digest of each \
package, its installs and their dependents. Locked versions are kept if they still fit; --upgrade unlocks packages by name, \
and other changes are reported. Neither a cluster nor Git is needed.

With --split, or if the declaration has been split, packages.d has one file for each entry and one for the lock of each \
install, so that Git merges branches that change different packages.`

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
    ...coreVersionFlag,
    ...lockFileFlag,
    upgrade: string({
      multiple: true,
      multipleNonGreedy: true,
      helpGroup: 'DEPENDENCY',
      helpValue: '[PACKAGE]',
      summary:
        'Unlock a package, so that its newest version is selected; without PACKAGE, all; can be repeated',
    }),
    ...splitFlag,
    ...dryRunFlag,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags: parsed, raw} = await this.parse(Lock, withUpgradeValues(this.argv))
    const flags = withDefaultDeclaration(args.ref, parsed)
    const shown = progress(this.argv)
    const flagNames = writtenFlags(raw)
    const query = unlockedQuery(args, flags, flagNames)
    const request = await readRequest(query, requestPorts(flags, shown))
    const target = await lockToWrite(args, flags, {...(await imageOutputs()), joined: wholeLockAt})
    const report = await lockRequest(request, target.heldLock).finally(shown.end)
    const {lock, changes, notes, ownerChanges, signerChanges} = report
    expectApplicable(report.formats, flagNames, args.name)
    showNotes([...notes, ...(await releaseNotes(report, request.policy))], this.argv)
    const files = await filesToLock(target, lock, flags)
    if (flags['dry-run'] === 'client')
      return await show(formatFilePlans(files, report, flags, painter(this.argv, 'stdout')))
    await writeHomeFiles(files)
    if (flags.split) showNotes(splitNote(files, request, flags), this.argv)
    await show(
      flags.output === 'text'
        ? formatLockChanges(changes, painter(this.argv, 'stdout'))
        : formatDocument(
            {
              kind: 'LockChanges',
              lockFile: lockPath(flags),
              ...changes,
              ...ownersInDocument([], ownerChanges, signerChanges),
            },
            flags.output,
          ),
    )
  }
}
