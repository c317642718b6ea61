import type {AddPorts} from '../../pipeline/index/add-to-index.js'
import type {IndexTargetPorts} from '../../pipeline/index/index-target.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {pullFlags} from '../sources/pull-flags.js'
import type {noRegistryFlag, registryFlags} from '../registry/registry-flags.js'
import type {Progress} from '../shell/progress/step-event.js'
import {registryAt} from '../author/build-ports.js'
import {packagePorts, type PlaceFlags} from '../packages/package-ports.js'

/** The registry of an index that is written to. */
export function targetPorts(
  flags: FlagValues<typeof registryFlags & typeof noRegistryFlag>,
  progress: Progress,
): IndexTargetPorts {
  return {registry: registryAt(flags, progress), report: progress.report}
}

/** The same for a command that pulls packages too. Its answer lists them, so that pulls are not reported. */
export async function addPorts(
  flags: FlagValues<typeof pullFlags> & PlaceFlags,
  progress: Progress,
): Promise<AddPorts> {
  const {remote, ...ports} = await packagePorts(flags, {...progress, pulled: () => undefined})
  return {
    ...ports,
    remote,
    ...targetPorts(flags, progress),
    ...(remote.registry && {registry: remote.registry}),
  }
}
