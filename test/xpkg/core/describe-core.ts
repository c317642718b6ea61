import {afterAll, afterEach, beforeAll} from '@jest/globals'
import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {missingPrograms} from '../../cluster/find-server.js'
import {accepted, until} from '../../cluster/kube.js'
import {crossplane} from '../../cluster/servers.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {DOCKER_REGISTRY_TOOLS, type DockerRegistry, dockerRegistries} from '../../registry/docker-registry.js'
import {type CoreState, coreState, ownedDefinitions, removeAll} from './core-state.js'
import {startCore} from './start-core.js'

/** Seconds. Crossplane looks again after a minute where it missed a change. */
const PATIENCE = 150
/** Milliseconds, of a test too. */
export const TIMEOUT = 240_000

/** Crossplane beside a cluster, with a registry. */
export interface Core {
  readonly cluster: TestCluster
  /** Of the registry. */
  readonly host: string
  /** Makes the registry forget a tag of a repository, as a publisher who deletes it; the content stays. */
  deleteTag(repository: string, tag: string): void
  /** Applies objects one after the other. */
  apply(object: JsonObject): Promise<void>
  state(): Promise<CoreState>
  /** Stops Crossplane and the controllers of Kubernetes while something is done: nothing reacts to it. */
  frozen(work: () => Promise<void>): Promise<void>
  /** Resolves with the first state for which a condition holds, or with the last one when it takes too long. */
  settled(isReached: (state: CoreState) => boolean): Promise<CoreState>
}

/** Defines a suite with Crossplane beside a cluster, from which all packages are removed after each test unless they are kept. */
export function describeCore(
  name: string,
  body: (core: () => Core) => void,
  {keepsPackages = false}: {readonly keepsPackages?: boolean} = {},
): void {
  const missing = missingPrograms([crossplane]) ?? missingTool(...DOCKER_REGISTRY_TOOLS)
  describeReal(name, missing, () => {
    const startRegistry = dockerRegistries()
    describeCluster({version: 'current', pods: true}, 'beside a cluster', cluster => {
      let running: (Core & {readonly stop: () => Promise<void>}) | undefined
      beforeAll(async () => {
        running = await startBeside(cluster(), await startRegistry())
      }, TIMEOUT)
      if (!keepsPackages) afterEach(() => removed(cluster()), TIMEOUT)
      afterAll(() => running?.stop())
      body(() => {
        if (running === undefined) throw new Error('Crossplane runs in tests and hooks only')
        return running
      })
    })
  })
}

/** Resolves when all packages are gone and stay so: Crossplane may still be creating what a deleted one required. */
export async function removed({kube}: TestCluster): Promise<void> {
  do {
    await until(() => removeAll(kube), Boolean, PATIENCE)
    await sleep(3000)
  } while (!(await removeAll(kube)))
  // A package that takes over a CRD before it goes is healthy, and its kind is not served. Some stay as their objects do.
  await until(
    () => ownedDefinitions(kube),
    names => names.length === 0,
    60,
  ).catch(() => undefined)
}

async function startBeside(cluster: TestCluster, {host, folder}: DockerRegistry) {
  const group = await startCore(cluster)
  const state = async () => {
    group.assertRunning()
    return await coreState(cluster.kube)
  }
  return {
    cluster,
    host,
    deleteTag(repository: string, tag: string) {
      const path = repository.slice(host.length + 1)
      // Its API deletes content only, with all tags of it.
      rmSync(join(folder, 'data/docker/registry/v2/repositories', path, '_manifests/tags', tag), {
        recursive: true,
      })
    },
    async apply(object: JsonObject) {
      accepted(await cluster.kube.apply(object, {force: true}))
    },
    state,
    async settled(isReached: (state: CoreState) => boolean) {
      // The state that was reached can be gone when it is read again.
      let last = await state()
      const read = async () => (last = await state())
      await until(read, isReached, PATIENCE).catch(() => undefined)
      return last
    },
    async frozen(work: () => Promise<void>) {
      const pids = [...group.pids(), cluster.pidOf('kube-controller-manager')]
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      try {
        await work()
      } finally {
        for (const pid of pids) process.kill(pid, 'SIGCONT')
      }
    },
    stop: () => group.stop(),
  }
}
