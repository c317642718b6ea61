import type {ClusterApi} from '../../src/cluster/api/cluster-api.js'
import {CrossplaneError} from '../../src/errors.js'

/** A client whose writes fail after a number of them, as those of a process that ends; it then aborts `stop`. */
export function mortalApi(api: ClusterApi, maxWrites: number, stop: AbortController): ClusterApi {
  let writes = 0
  const counted =
    <Args extends readonly unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (writes++ < maxWrites) return await write(...args)
      stop.abort()
      throw new CrossplaneError('cluster-unreachable', 'the process ended')
    }
  return {
    ...api,
    apply: counted((...args: Parameters<ClusterApi['apply']>) => api.apply(...args)),
    create: counted((...args: Parameters<ClusterApi['create']>) => api.create(...args)),
    delete: counted((...args: Parameters<ClusterApi['delete']>) => api.delete(...args)),
    mergePatch: counted((...args: Parameters<ClusterApi['mergePatch']>) => api.mergePatch(...args)),
  }
}
