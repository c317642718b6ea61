import {Command} from '@oclif/core/command'
import {option, string} from '@oclif/core/flags'
import {bareClient, FILE_DRY_RUNS} from '../../cli/shell/flags/dry-run.js'
import {selectedStore} from '../../cli/cache/package-cache.js'
import {parseDuration} from '../../cli/shell/flags/duration.js'
import {cacheDirFlag} from '../../cli/cache/cache-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {reportOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {formatPruned} from '../../cli/cache/show-cache.js'
import {formatDocument, show} from '../../cli/shell/document/show.js'
import {prunePackages} from '../../pipeline/cache-upkeep.js'

export default class Prune extends Command {
  static override summary = 'Remove unused packages from the cache'
  static override description = `Removes unused packages and tags, files that no package needs, and temporary files of processes \
that were killed. Other processes can use the cache meanwhile: files younger than an hour are kept.`

  static override examples = [
    {
      description: 'Remove packages that were not used for 30 days',
      command: '<%= config.bin %> <%= command.id %>',
    },
    {
      description: 'List what would be removed after a week without use',
      command: '<%= config.bin %> <%= command.id %> --older-than 7d --dry-run',
    },
  ]

  static override flags = {
    ...cacheDirFlag,
    'older-than': string({
      default: '30d',
      helpGroup: 'PRUNE',
      helpValue: 'DURATION',
      summary: 'Maximum time without use, such as 30d or 12h',
    }),
    'dry-run': bareClient(
      option({
        options: FILE_DRY_RUNS,
        default: 'none',
        helpGroup: 'PRUNE',
        summary: 'Print what would be removed, and remove nothing',
      })(),
    ),
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(Prune)
    const dryRun = flags['dry-run'] === 'client'
    const unusedFor = parseDuration(flags['older-than'], '--older-than')
    const store = await selectedStore(flags)
    const pruned = await prunePackages(store, {now: Date.now(), unusedFor, dryRun})
    await show(
      flags.output === 'text'
        ? formatPruned(store.name, pruned, dryRun)
        : formatDocument({kind: 'CachePruned', folder: store.name, dryRun, ...pruned}, flags.output),
    )
  }
}
