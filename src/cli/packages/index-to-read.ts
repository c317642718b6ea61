import {CrossplaneError} from '../../errors.js'
import type {PackageIndex} from '../../index/package-index.js'
import {formatSummary} from '../../index/package-summary.js'
import type {Progress} from '../shell/progress/step-event.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {pullFlags} from '../sources/pull-flags.js'
import {type IndexFlagValue, indexNames} from '../sources/index-name.js'
import {checkedSource} from '../sources/default-source.js'
import {indexOpener} from '../sources/indexes.js'
import {folderPorts, type PlaceFlags, remotePackages} from './package-ports.js'

/**
 * Joins all sources of a command line into one index: the folder of `--packages` before the indexes, so that versions
 * of the folder take precedence, as in resolution. Throws `usage` if none is given.
 */
export async function indexToRead(
  flags: FlagValues<typeof pullFlags> & IndexFlagValue & PlaceFlags,
  progress: Progress,
): Promise<PackageIndex> {
  const {packages, 'default-source': source} = flags
  const indexes = await Promise.all(
    indexNames(flags).map(indexOpener(remotePackages(flags, progress), source)),
  )
  if (packages === undefined && indexes.length === 0) {
    throw new CrossplaneError('usage', 'no index is selected', {
      suggestions: ['Pass --index ROOT|FILE, or --packages DIR.'],
    })
  }
  const {joinedIndex} = await import('../../index/joined-index.js')
  const indexed = joinedIndex(indexes)
  if (packages === undefined) return indexed
  const {folderIndex} = await import('../../resolve/catalog/folder-index.js')
  const defaultSource = source === undefined ? undefined : checkedSource(source)
  const folder = await folderIndex(await folderPorts(flags), defaultSource)
  return indexes.length === 0 ? folder : joinedIndex([folder, indexed], formatSummary)
}
