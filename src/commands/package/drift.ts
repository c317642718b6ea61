import {Command} from '@oclif/core/command'
import {driftFlags} from '../../cli/drift/drift-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {FOUND} from '../../cli/shell/exit-code.js'
import {checkDriftFlags, driftQuery, isCloned} from '../../cli/drift/drift-query.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {hasDrift} from '../../cli/drift/show-sides.js'
import {watchDrift} from '../../cli/drift/watch-drift.js'
import {clock} from '../../cli/wire.js'
import {driftLook} from '../../cli/drift/drift-look.js'
import {expectLooked} from '../../pipeline/drift/find-drift.js'
import {showWarnings} from '../../cli/shell/document/show.js'
import {showReport} from '../../cli/drift/show-drift-report.js'

export default class Drift extends Command {
  static override summary = 'Compare a lock file, a Git repository and a cluster'
  static override description = `Compares the objects of packages on two or three sides: as the lock file of --declaration renders them, as they are committed \
to the repository of --git, and as they are in the cluster of --context. Names each object and field that is not the same on all \
sides, the side that differs, and who changed it in the cluster. Nothing is changed.

Exits with 0 if nothing differs, with 1 if something differs, and with 7 if a side could not be read, for example because a \
permission is missing.`

  static override examples = [
    {
      description: 'Compare a cluster with a lock file and the rendered files in Git',
      command:
        '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml --git . --context production',
    },
  ]

  /** The flags that `--help` shows. */
  static isCheck = true
  static mostUsed = ['declaration', 'git', 'path', 'context', 'packages', 'watch', 'output', 'quiet']

  static override flags = {...driftFlags, ...commonFlags}

  override async run(): Promise<void> {
    const {flags} = await this.parse(Drift)
    checkDriftFlags(flags)
    const selected = driftQuery(flags)
    const shown = progress(this.argv)
    const look = () => driftLook(selected, flags, this.config.version, shown)
    if (flags.watch) this.exit(await watchDrift(look, await clock(), isCloned(flags), this.argv))
    const report = await look()
    showWarnings({warnings: report.warnings ?? []}, this.argv)
    await showReport(report, flags.output, this.argv)
    if (hasDrift(report)) this.exit(FOUND)
    expectLooked(report)
  }
}
