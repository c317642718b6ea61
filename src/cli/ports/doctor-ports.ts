import type {DoctorPorts, RegistryRequests} from '../../pipeline/doctor/ports.js'
import type {clusterFlags} from '../flags/cluster.js'
import type {cacheFlags} from '../flags/cache.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {registryFlags, sourceFlag} from '../flags/registry.js'
import {type IndexFlagValue, indexNames} from '../options/index/index-name.js'
import type {RegistryFlags} from '../options/registry/http-options.js'
import type {Progress} from '../output/progress.js'
import {cacheStore, clock, keychain, programs} from '../wire.js'
import {cachePlace} from './cache-place.js'
import {openCluster} from './cluster-ports.js'
import {indexOpener} from './indexes.js'
import {registries, registryPorts} from './registries.js'

type DoctorFlags = FlagValues<typeof clusterFlags & typeof registryFlags & typeof sourceFlag> &
  Pick<FlagValues<typeof cacheFlags>, 'cache-dir'> &
  IndexFlagValue

/** Returns the ports of `doctor` for the flags of a command line. */
export async function doctorPorts(
  flags: DoctorFlags,
  version: string,
  progress: Pick<Progress, 'warn' | 'trace'>,
): Promise<DoctorPorts> {
  const time = await clock()
  const open = indexOpener({registry: registries(flags, progress)}, flags['default-source'])
  return {
    programs: await programs(),
    cluster: () => openCluster(flags, version),
    registries: registryRequests(flags, progress),
    indexes: indexNames(flags).map(name => ({name, open: () => open(name)})),
    cache: async () => {
      const place = cachePlace(flags['cache-dir'])
      return place === undefined ? undefined : await cacheStore(place)
    },
    now: () => time.now(),
  }
}

function registryRequests(
  flags: RegistryFlags,
  {warn, trace}: Pick<Progress, 'warn' | 'trace'>,
): RegistryRequests {
  return {
    hasCredentials: async registry => (await (await keychain(warn)).credentialsFor(registry)) !== undefined,
    request: async registry => {
      const [ports, {requestRoot}] = await Promise.all([
        registryPorts(flags, registry, trace),
        import('../../registry/request-root.js'),
      ])
      await requestRoot({...ports, keychain: await keychain(warn)}, registry)
    },
  }
}
