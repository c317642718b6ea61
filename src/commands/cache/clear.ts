import {Command} from '@oclif/core/command'
import {selectedStore} from '../../cli/cache/package-cache.js'
import {cacheDirFlag} from '../../cli/cache/cache-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {reportOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {formatCleared} from '../../cli/cache/show-cache.js'
import {formatDocument, show} from '../../cli/shell/document/show.js'
import {clearPackages} from '../../pipeline/cache-upkeep.js'

export default class Clear extends Command {
  static override summary = 'Remove all packages from the cache'
  static override description = `Removes everything in the cache. A folder without the marker file of a cache is rejected. Packages are pulled again when \
they are needed.`

  static override examples = [
    {
      description: 'Clear the cache',
      command: '<%= config.bin %> <%= command.id %>',
    },
    {
      description: 'Clear a cache in another folder',
      command: '<%= config.bin %> <%= command.id %> --cache-dir .cache/crossplane',
    },
  ]

  static override flags = {
    ...cacheDirFlag,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(Clear)
    const store = await selectedStore(flags)
    const cleared = await clearPackages(store)
    await show(
      flags.output === 'text'
        ? formatCleared(store.name, cleared)
        : formatDocument({kind: 'CacheCleared', folder: store.name, ...cleared}, flags.output),
    )
  }
}
