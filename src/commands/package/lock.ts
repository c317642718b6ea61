import {Command} from '@oclif/core/command'
import {string} from '@oclif/core/flags'
import {argument} from '../../cli/shell/flags/argument.js'
import {choiceFlags} from '../../cli/declaration/choice-flags.js'
import {coreVersionFlag} from '../../cli/declaration/xpkg-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {acceptImpactFlag, lockFileFlag, splitFlag} from '../../cli/declaration/lock-flags.js'
import {dryRunFlag} from '../../cli/plan/plan-flags.js'
import {reportOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {lockPath, lockToWrite, withUpgradeValues} from '../../cli/declaration/lock-query.js'
import {withDefaultDeclaration} from '../../cli/sources/default-declaration.js'
import {requestPorts} from '../../cli/packages/package-ports.js'
import {painter} from '../../cli/shell/text/paint.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {ownersInDocument} from '../../cli/shell/document/owners-in-document.js'
import {formatFilePlans} from '../../cli/plan/show-file-plans.js'
import {wholeLockAt} from '../../cli/files/entry-folder.js'
import {filesToLock} from '../../cli/resolution/files-to-lock.js'
import {formatLockChanges} from '../../cli/resolution/show-lock.js'
import {formatDocument, show, showNotes} from '../../cli/shell/document/show.js'
import {splitNote} from '../../cli/resolution/split-note.js'
import {unlockedQuery} from '../../cli/declaration/resolution-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {imageOutputs} from '../../cli/wire.js'
import {notesOfBase} from '../../cli/git/declared-output.js'
import {readRequest} from '../../pipeline/request/read-request.js'
import {expectNotMoving} from '../../pipeline/resolution/expect-not-moving.js'
import {lockRequest, releaseNotes} from '../../pipeline/resolution/lock-request.js'
import {expectLockable, judgedLock} from '../../cli/resolution/lock-impact.js'
import {writeHomeFiles} from '../../pipeline/home/write-home.js'

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

  /** The flags that `--help` shows. */
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
    name: argument({description: "Name of the install or request (default: the repository's path)"}),
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
    ...acceptImpactFlag,
    since: string({
      dependsOn: ['accept-impact'],
      helpGroup: 'SAFETY',
      helpValue: 'REF',
      summary: 'Accept the effects since the merge base with this branch, as package check judges them',
    }),
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
    const ports = requestPorts(flags, shown)
    const request = await readRequest(query, ports)
    const target = await lockToWrite(args, flags, {...(await imageOutputs()), joined: wholeLockAt})
    const report = await lockRequest(request, target.heldLock).finally(shown.end)
    const change = {before: target.heldLock?.lock, after: report.lock}
    expectNotMoving(change.before, change.after)
    const judged = await judgedLock({query, request, ...change}, flags, ports).finally(shown.end)
    const {lock} = judged
    const {changes, notes, ownerChanges, signerChanges} = report
    const released = await releaseNotes(report, request.policy)
    showNotes([...notesOfBase(request), ...notes, ...released, ...judged.notes], this.argv)
    const files = await filesToLock(target, lock, flags)
    if (flags['dry-run'] === 'client') {
      await show(formatFilePlans(files, report, flags, painter(this.argv, 'stdout'), judged.rejections))
      return expectLockable(judged, lockPath(flags))
    }
    expectLockable(judged, lockPath(flags))
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
