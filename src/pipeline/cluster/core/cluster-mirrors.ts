import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import {failureOf} from '../../../cluster/api/cluster-failure.js'
import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {ClusterMirror} from '../../../locate/remote-repository.js'
import {readCore, readImageConfigs} from '../../../observe/core/read-core.js'
import {coreMirrors, isRewriting} from '../../../plan/cluster/core/core-mirrors.js'
import {escaped} from '../../../text.js'
import type {RequestPorts} from '../../request/read-request.js'

/**
 * Has packages be read from where the ImageConfigs of a cluster rewrite their references to, as its core reads them. They are
 * read before the first package; a cluster without a core, and a user who may not list them, has none.
 */
export function withClusterMirrors(requests: RequestPorts, api: ClusterApi): RequestPorts {
  let mirrors: ReturnType<typeof readMirrors> | undefined
  return {
    ...requests,
    packages: async declared => {
      const ports = await requests.packages(declared)
      mirrors ??= readMirrors(api)
      const clusterMirror = await mirrors
      return clusterMirror === undefined ? ports : {...ports, remote: {...ports.remote, clusterMirror}}
    },
  }
}

async function readMirrors(
  api: ClusterApi,
): Promise<((repository: string) => ClusterMirror | undefined) | undefined> {
  const imageConfigs = (await visibleImageConfigs(api)).filter(isRewriting)
  const core = imageConfigs.length === 0 ? undefined : await readCore(api)
  return core && coreMirrors(imageConfigs, core.requests)
}

/** Reads the ImageConfigs of a cluster; none for a user who may not list them. */
export async function visibleImageConfigs(api: ClusterApi): Promise<readonly KubernetesObject[]> {
  try {
    return await readImageConfigs(api)
  } catch (error) {
    if (failureOf(error)?.status === 403) return []
    throw error
  }
}

/** Names the mirrors that a cluster reads packages from. */
export function mirrorNotes(
  repositories: readonly string[],
  mirrorOf: (repository: string) => ClusterMirror | undefined = () => undefined,
): readonly Diagnostic[] {
  return repositories.flatMap((repository): readonly Diagnostic[] => {
    const mirror = mirrorOf(repository)
    if (mirror === undefined) return []
    const message = `Crossplane reads ${escaped(repository)} from ${escaped(mirror.repository)}, as ImageConfig ${escaped(mirror.imageConfig)} says`
    return [{severity: 'note', rule: 'xpkg-mirror', message, subject: {package: repository}}]
  })
}
