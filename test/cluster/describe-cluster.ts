import {afterAll, beforeAll} from '@jest/globals'
import {describeReal} from '../real-parts.js'
import {startCluster} from './api-server.js'
import type {TestCluster} from './api-server.js'
import {missingServers} from './find-server.js'
import type {ClusterOptions, KubernetesVersion} from './servers.js'

/**
 * A suite with a cluster of its own, which is there while its tests run: `cluster()` inside of a test or hook gives it.
 * Where its servers were not built, the suite is named as skipped, or fails, as `describeReal` says.
 */
export function describeCluster(
  requested: ClusterOptions | KubernetesVersion,
  name: string,
  body: (cluster: () => TestCluster) => void,
): void {
  const options: ClusterOptions = typeof requested === 'string' ? {version: requested} : requested
  describeReal(name, missingServers(options), () => {
    let running: TestCluster | undefined
    beforeAll(async () => {
      running = await startCluster(options)
    }, 180_000)
    afterAll(() => running?.stop())
    body(() => {
      if (running === undefined) throw new Error('the cluster runs in tests and hooks only')
      return running
    })
  })
}
