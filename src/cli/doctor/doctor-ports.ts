import type {Patience} from '../../http/patience.js'
import type {DeclaredSources} from '../../pipeline/request/read-request.js'
import type {Keychain} from '../../registry/credentials/keychain.js'
import type {DoctorPorts, RegistryRequests} from '../../pipeline/doctor/ports.js'
import type {clusterFlags} from '../cluster/cluster-flags.js'
import type {cacheFlags} from '../cache/cache-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {registryFlags, sourceFlag} from '../registry/registry-flags.js'
import {type IndexFlagValue, indexNames} from '../sources/index-name.js'
import type {RegistryFlags} from '../registry/http-options.js'
import type {Progress} from '../shell/progress/step-event.js'
import {cacheStore, keychain, programs} from '../wire.js'
import {cachePlace} from '../cache/cache-place.js'
import {openCluster} from '../cluster/cluster-ports.js'
import {indexOpener} from '../sources/indexes.js'
import {registries, registryPorts} from '../registry/registries.js'

type DoctorFlags = FlagValues<typeof clusterFlags & typeof registryFlags & typeof sourceFlag> &
  Pick<FlagValues<typeof cacheFlags>, 'cache-dir'> &
  IndexFlagValue

/** A server that does not respond at once, or a program that does not exit, is the result of a check. */
const PATIENCE: Patience = {attempts: 1, timeoutMs: 5000}

/** Returns the ports of `doctor` for the flags of a command line and the sources of a declaration. */
export async function doctorPorts(
  flags: DoctorFlags,
  version: string,
  progress: Progress,
  declared: DeclaredSources | undefined,
): Promise<DoctorPorts> {
  const {registries: mirrors = {}, indexes = [], defaultSource} = declared ?? {}
  const remote = {registry: registries(flags, progress, PATIENCE), mirrors}
  const open = indexOpener(remote, flags['default-source'] ?? defaultSource)
  const names = [...new Set([...indexNames(flags), ...indexes])]
  return {
    programs: await programs(),
    cluster: () => openCluster(flags, version, progress, {patience: PATIENCE}),
    registries: registryRequests(flags, progress),
    indexes: names.map(name => ({name, open: () => open(name)})),
    cache: async () => {
      const place = cachePlace(flags['cache-dir'])
      return place === undefined ? undefined : await cacheStore(place)
    },
  }
}

function registryRequests(
  flags: RegistryFlags,
  {warn, trace, report}: Pick<Progress, 'warn' | 'trace' | 'report'>,
): RegistryRequests {
  let opened: Promise<Keychain> | undefined
  // One keychain for both, which runs each helper once.
  const credentials = () => (opened ??= keychain(warn, PATIENCE.timeoutMs))
  return {
    hasCredentials: async registry => (await (await credentials()).credentialsFor(registry)) !== undefined,
    request: async registry => {
      const [ports, {requestRoot}] = await Promise.all([
        registryPorts(flags, registry, {trace, report}, PATIENCE),
        import('../../registry/request-root.js'),
      ])
      await requestRoot({...ports, keychain: await credentials()}, registry)
    },
  }
}
