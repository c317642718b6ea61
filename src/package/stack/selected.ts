import type {PackagePorts} from '../../locate/located-package.js'
import {unresolved} from '../../resolve/packages/rejection.js'
import type {ResolutionPolicy} from '../../resolve/packages/resolution-policy.js'
import {resolvePackages} from '../../resolve/packages/resolve-packages.js'
import type {RequestedRoot} from '../../resolve/requested/requested-roots.js'
import type {PinnedVersion} from '../format.js'

/** Returns the versions that a request resolves to. Throws as `resolvePackages` does. */
export async function selectedVersions(
  requested: readonly RequestedRoot[],
  policy: ResolutionPolicy,
  ports: PackagePorts,
): Promise<readonly PinnedVersion[]> {
  const result = await resolvePackages(requested, policy, ports)
  if (result.kind === 'rejected') throw unresolved(result)
  return result.resolution.packages.map(({summary}) => summary)
}
