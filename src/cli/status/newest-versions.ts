import type {FindNewest} from '../../pipeline/cluster/list-installs.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {updateFlags} from './update-flags.js'
import {indexNames} from '../sources/index-name.js'
import {indexToRead} from '../packages/index-to-read.js'
import {remotePackages} from '../packages/package-ports.js'
import type {Progress} from '../shell/progress/step-event.js'

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
