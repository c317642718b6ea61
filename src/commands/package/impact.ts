import {Command} from '@oclif/core/command'
import {FOUND} from '../../cli/exit-code.js'
import {commonFlags} from '../../cli/flags/global.js'
import {impactFlags} from '../../cli/flags/impact.js'
import {impactSides, objectPaths} from '../../cli/options/impact-query.js'
import {writtenFlags} from '../../cli/options/written-flags.js'
import {showNotes} from '../../cli/output/document/show.js'
import {showImpact} from '../../cli/output/inspection/show-impact.js'
import {progress} from '../../cli/output/progress/progress.js'
import {emptyWarning, objectFiles} from '../../cli/ports/object-files.js'
import {requestPorts} from '../../cli/ports/package-ports.js'
import {patternMatcher, schemaRules} from '../../cli/wire.js'
import {expectJudged} from '../../pipeline/compare-packages.js'
import {isFailed, packageImpact} from '../../pipeline/package-impact.js'

export default class Impact extends Command {
  static override summary = 'Judge what other versions of packages do to your objects'
  static override description = `Reads objects from files, and judges each one by the schemas of two versions of packages, as the API server would: objects that are rejected, \
fields that are dropped, kinds and versions that are no longer served, defaults and rules that change. By default, the lock file is compared with what \
"package lock --upgrade" would select. No cluster is needed.

Files of rendered trees are left out. Templates, patches of kustomize and Compositions are not judged, and are listed.

Exits with 0 if no object has a verdict of --fail-on, with 1 if one has, and with 7 if a file or a package could not be read.`

  static override examples = [
    {
      description: 'Judge the objects of a folder before two versions of a package are exchanged',
      command:
        '<%= config.bin %> <%= command.id %> --old registry.example.org/team/provider:v0.1.0 --new registry.example.org/team/provider:v0.2.0 --objects ./clusters',
    },
    {
      description: 'Judge rendered objects before an upgrade of the lock file',
      command: 'kubectl kustomize | <%= config.bin %> <%= command.id %> --objects -',
    },
  ]

  /** The flags that `-h` shows. */
  static isCheck = true
  static mostUsed = ['objects', 'old', 'new', 'fail-on', 'max-unread', 'output', 'packages', 'offline']

  static override flags = {...impactFlags, ...commonFlags}

  override async run(): Promise<void> {
    const {flags, raw} = await this.parse(Impact)
    const sides = impactSides(flags, writtenFlags(raw))
    const shown = progress(this.argv)
    const ports = requestPorts(flags, shown)
    const objects = await objectFiles(await objectPaths(flags, ports))
    const query = {...sides, ...objects}
    const judge = {match: await patternMatcher(), rules: await schemaRules()}
    const {impact, failures} = await packageImpact(query, ports, judge).finally(shown.end)
    showNotes(failures.empty.map(emptyWarning), this.argv)
    const {output, 'fail-on': failOn, 'max-unread': maxUnread} = flags
    await showImpact(impact, {output, failOn}, this.argv)
    expectJudged(failures.unreadable, {unread: impact.unreadCrds})
    if (isFailed(impact, {failOn, maxUnread})) this.exit(FOUND)
  }
}
