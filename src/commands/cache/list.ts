import {Command} from '@oclif/core/command'
import {selectedStore} from '../../cli/cache/package-cache.js'
import {cacheDirFlag} from '../../cli/cache/cache-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {listOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {painter} from '../../cli/shell/text/paint.js'
import {cacheListDocument, formatCacheList} from '../../cli/cache/show-cache.js'
import {showList} from '../../cli/shell/document/show-list.js'
import {listPackages} from '../../pipeline/cache-upkeep.js'

export default class List extends Command {
  static override summary = 'List cached packages'
  static override description = `Lists the packages in the cache with their tags, files and the time of last use. --offline can use all of them. \
No registry is accessed, and no file is verified: that is done when a package is used.`

  static override examples = [
    {
      description: 'List cached packages',
      command: '<%= config.bin %> <%= command.id %>',
    },
    {
      description: 'List the references that are available offline, in another cache folder',
      command:
        "<%= config.bin %> <%= command.id %> --cache-dir .cache/crossplane --output json | jq '.packages[].references[]'",
    },
  ]

  static override flags = {
    ...cacheDirFlag,
    ...listOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(List)
    const store = await selectedStore(flags)
    const packages = await listPackages(store)
    const paint = painter(this.argv, 'stdout')
    await showList(
      {
        document: cacheListDocument(store.name, packages),
        names: packages.flatMap(({references}) => references),
        table: isWide => formatCacheList(packages, Date.now(), paint, isWide),
        empty: 'no packages found',
      },
      flags.output,
    )
  }
}
