import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {FOUND} from '../../cli/shell/exit-code.js'
import {installedFlags} from '../../cli/cluster/cluster-flags.js'
import type {FlagValues} from '../../cli/shell/flags/flag-values.js'
import type {OutdatedReport} from '../../package/reports.js'
import {choiceFlags} from '../../cli/declaration/choice-flags.js'
import {coreVersionFlag} from '../../cli/declaration/xpkg-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {lockFileFlag} from '../../cli/declaration/lock-flags.js'
import {listOrGraphOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {lockToRead} from '../../cli/declaration/lock-query.js'
import {withDefaultDeclaration} from '../../cli/sources/default-declaration.js'
import {requestPorts} from '../../cli/packages/package-ports.js'
import {isGraph} from '../../cli/shell/text/draw-graph.js'
import {painter} from '../../cli/shell/text/paint.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {drawOutdated, formatOutdated} from '../../cli/resolution/show-outdated.js'
import {showList} from '../../cli/shell/document/show-list.js'
import {show, showNotes} from '../../cli/shell/document/show.js'
import {unlockedQuery} from '../../cli/declaration/resolution-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {count} from '../../text.js'
import {readRequest} from '../../pipeline/request/read-request.js'
import {outdatedRequest} from '../../pipeline/resolution/outdated-request.js'

export default class Outdated extends Command {
  static override summary = 'List outdated packages'
  static override description = `Compares the locked version of each package with the version that "package lock --upgrade" would select, \
and with the latest stable version. If that would not be selected, the reason is shown: the \
request pins the package, another package holds it back, or the locked version was yanked. Exits with 1 if a package is \
not at its selected version or was yanked, and with 7 if the comparison failed. With --installed, compares the packages of a cluster \
instead of a lock; a tag or digest in a request pins its package, whichever program applied it.`

  static override examples = [
    {
      description: 'List packages that can be upgraded',
      command:
        '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml --packages ./packages',
    },
    {
      description: 'List packages of a cluster that can be upgraded',
      command: '<%= config.bin %> <%= command.id %> --installed --context my-cluster',
    },
    {
      description: 'Draw what holds packages back',
      command:
        '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml --packages ./packages --output mermaid',
    },
  ]

  /** The flags that `--help` shows. */
  static isCheck = true
  static mostUsed = [
    'namespace',
    'output',
    'packages',
    'index',
    'declaration',
    'lock-file',
    'installed',
    'quiet',
  ]

  static override args = {
    ref: argument({
      description:
        'Package, or crd:RESOURCE.GROUP[/VERSION] for the package that provides it; with --installed, the NAME of a request or install, or a repository',
    }),
    name: argument({description: "Name of the install or request (default: the repository's path)"}),
  }

  static override flags = {
    ...choiceFlags,
    ...coreVersionFlag,
    ...lockFileFlag,
    ...installedFlags,
    ...listOrGraphOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags, raw} = await this.parse(Outdated)
    const {installed} = flags
    const {notes, ...report} = installed
      ? await this.#ofCluster(args, flags, writtenFlags(raw))
      : await this.#ofLock(args, flags, writtenFlags(raw))
    showNotes(notes, this.argv)
    const hasUpgrades = report.packages.some(({status}) => status === 'outdated' || status === 'yanked')
    const paint = painter(this.argv, 'stdout')
    if (isGraph(flags.output)) await show(drawOutdated(report, flags.output))
    else
      await showList(
        {
          document: {kind: 'OutdatedPackages', ...report},
          names: report.packages.map(outdatedPackage => outdatedPackage.package),
          table: () => formatOutdated(report, paint, installed ? 'INSTALLED' : 'LOCKED'),
          empty: `${count(report.current, 'package')} up to date`,
        },
        flags.output,
      )
    if (hasUpgrades) this.exit(FOUND)
  }

  async #ofLock(args: Arguments, flags: Flags, flagNames: ReadonlySet<string>): Promise<OutdatedReport> {
    const declared = withDefaultDeclaration(args.ref, flags)
    const shown = progress(this.argv)
    const query = {...unlockedQuery(args, declared, flagNames), lock: lockToRead(args, declared)}
    const request = await readRequest(query, requestPorts(declared, shown))
    return await outdatedRequest(request).finally(shown.end)
  }

  async #ofCluster(args: Arguments, flags: Flags, flagNames: ReadonlySet<string>): Promise<OutdatedReport> {
    const {expectNoReference, expectNoRequestFlags, installedOutdated} =
      await import('../../cli/resolution/show-installed.js')
    expectNoReference(args.name)
    expectNoRequestFlags(flagNames)
    const shown = progress(this.argv)
    const query = {name: args.ref, flagNames, version: this.config.version}
    return await installedOutdated(flags, query, shown).finally(shown.end)
  }
}

type Arguments = Partial<Readonly<Record<'ref' | 'name', string>>>
type Flags = FlagValues<typeof Outdated.flags>
