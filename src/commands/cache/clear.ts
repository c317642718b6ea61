import {Command} from '@oclif/core/command'
import {option} from '@oclif/core/flags'
import {selectedStore} from '../../cli/ports/cache.js'
import {cacheDirFlag} from '../../cli/flags/cache.js'
import {commonFlags} from '../../cli/flags/global.js'
import {formatCleared} from '../../cli/output/show-cache.js'
import {formatJson, show} from '../../cli/output/show.js'
import {clearPackages} from '../../pipeline/cache-upkeep.js'

export default class Clear extends Command {
  static override summary = 'Delete all packages that were pulled and kept.'
  static override description = `Deletes everything that the cache holds, and nothing else: a folder without the mark of a cache of this program is refused. \
Packages are pulled again when they are needed.`

  static override examples = [
    {
      description: 'Start again from nothing',
      command: '<%= config.bin %> <%= command.id %>',
    },
    {
      description: 'The same for a cache in a folder of your own',
      command: '<%= config.bin %> <%= command.id %> --cache-dir .cache/crossplane',
    },
  ]

  static override flags = {
    ...cacheDirFlag,
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
    const {flags} = await this.parse(Clear)
    const store = await selectedStore(flags)
    const cleared = await clearPackages(store)
    await show(
      flags.output === 'json'
        ? formatJson({kind: 'CacheCleared', folder: store.name, ...cleared})
        : formatCleared(store.name, cleared),
    )
  }
}
