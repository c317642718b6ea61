import {Command} from '@oclif/core/command'
import {boolean, option, string} from '@oclif/core/flags'
import {selectedStore} from '../../cli/ports/cache.js'
import {parseDuration} from '../../cli/output/duration.js'
import {cacheDirFlag} from '../../cli/flags/cache.js'
import {commonFlags} from '../../cli/flags/global.js'
import {formatPruned} from '../../cli/output/show-cache.js'
import {formatJson, show} from '../../cli/output/show.js'
import {prunePackages} from '../../pipeline/cache-upkeep.js'

export default class Prune extends Command {
  static override summary = 'Delete packages that were not used for long.'
  static override description = `Deletes the packages and tags that nobody used for the given time, the files that no package is left to need, and what \
processes left behind that were killed. Others may read and write the cache meanwhile: files younger than an hour stay, \
since their package may be on its way.`

  static override examples = [
    {
      description: 'Delete what was not used for 30 days',
      command: '<%= config.bin %> <%= command.id %>',
    },
    {
      description: 'See what would be deleted of what was not used for a week',
      command: '<%= config.bin %> <%= command.id %> --older-than 7d --dry-run',
    },
  ]

  static override flags = {
    ...cacheDirFlag,
    'older-than': string({
      default: '30d',
      helpGroup: 'PRUNE',
      helpValue: 'TIME',
      summary: 'How long a package may go unused, such as 30d or 12h.',
    }),
    'dry-run': boolean({default: false, helpGroup: 'PRUNE', summary: 'Only say what would be deleted.'}),
    output: option({
      char: 'o',
      options: ['text', 'json'] as const,
      default: 'text',
      helpGroup: 'OUTPUT',
      summary: 'Output format; text is for people and may change.',
    })(),
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(Prune)
    const dryRun = flags['dry-run']
    const unusedFor = parseDuration(flags['older-than'], '--older-than')
    const store = await selectedStore(flags)
    const pruned = await prunePackages(store, {now: Date.now(), unusedFor, dryRun})
    await show(
      flags.output === 'json'
        ? formatJson({kind: 'CachePruned', folder: store.name, dryRun, ...pruned})
        : formatPruned(store.name, pruned, dryRun),
    )
  }
}
