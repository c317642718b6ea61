import type {FindNewest} from '../../pipeline/cluster/list-installs.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {updateFlags} from '../flags/updates.js'
import {indexNames} from '../options/index/index-name.js'
import {indexToRead} from './index-to-read.js'
import {remotePackages} from './package-ports.js'
import type {Progress} from './progress.js'

/** Looks newer versions up in an index, or in tags: those of the cache, unless --check-updates asks the registries. */
export function newestFinder(flags: FlagValues<typeof updateFlags>, progress: Progress): FindNewest {
  const isStrict = flags['check-updates'] && !flags.offline
  const sources = {...flags, offline: !isStrict}
  return async (identities, format) => {
    if (identities.length === 0) return {versions: new Map(), warnings: []}
    const {newestVersions} = await import('../../pipeline/cluster/available-updates.js')
    const hasIndex = flags.packages !== undefined || indexNames(flags).length > 0
    return await newestVersions(identities, {
      remote: remotePackages(sources, progress),
      isStrict,
      format,
      ...(hasIndex ? {index: await indexToRead(sources, progress)} : {}),
    })
  }
}
