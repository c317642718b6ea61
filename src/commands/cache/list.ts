import {Command} from '@oclif/core/command'
import {selectedStore} from '../../cli/ports/cache.js'
import {cacheDirFlag} from '../../cli/flags/cache.js'
import {commonFlags} from '../../cli/flags/global.js'
import {reportOutputFlag} from '../../cli/flags/output.js'
import {painter} from '../../cli/output/paint.js'
import {cacheListDocument, formatCacheList} from '../../cli/output/show-cache.js'
import {formatDocument, show} from '../../cli/output/show.js'
import {listPackages} from '../../pipeline/cache-upkeep.js'

export default class List extends Command {
  static override summary = 'List the packages that were pulled and kept.'
  static override description = `Shows each package of the cache with the tags that led to it, its files and when it was last used, the last used first. \
These can be taken with --offline. Nothing is read from a registry, and no file is checked: that is done on use.`

  static override examples = [
    {
      description: 'Look at what is kept',
      command: '<%= config.bin %> <%= command.id %>',
    },
    {
      description: 'The references that can be taken offline, from a folder of your own',
      command:
        '<%= config.bin %> <%= command.id %> --cache-dir .cache/crossplane --output json | jq .packages[].references[]',
    },
  ]

  static override flags = {
    ...cacheDirFlag,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(List)
    const store = await selectedStore(flags)
    const packages = await listPackages(store)
    await show(
      flags.output === 'text'
        ? formatCacheList(packages, Date.now(), painter(this.argv, 'stdout'))
        : formatDocument(cacheListDocument(store.name, packages), flags.output),
    )
  }
}
