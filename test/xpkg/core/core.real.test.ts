import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals'
import {setTimeout as sleep} from 'node:timers/promises'
import {isDeepStrictEqual} from 'node:util'
import {XPKG_PINS} from '../../../src/render/xpkg/closure.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {missingPrograms} from '../../cluster/find-server.js'
import {accepted, until} from '../../cluster/kube.js'
import type {ServerGroup} from '../../cluster/server-group.js'
import {crossplane} from '../../cluster/servers.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {DOCKER_REGISTRY_TOOLS, dockerRegistries} from '../../registry/docker-registry.js'
import {random, SEED, shuffled} from '../../shuffled.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {type CoreState, coreState, removeAll} from './core-state.js'
import {closedWorld, MOVED} from './closed-world.js'
import {moveTag, publish} from './published-packages.js'
import {render, stateOf} from './rendered-set.js'
import {randomWorld} from './random-world.js'
import {startCore} from './start-core.js'

const PATIENCE = 60
const TIMEOUT = 120_000

const missing = missingPrograms([crossplane]) ?? missingTool(...DOCKER_REGISTRY_TOOLS)

describeReal('Crossplane', missing, () => {
  const temporary = temporaryFolder()
  const startRegistry = dockerRegistries()

  describeCluster({version: 'current', pods: true}, 'with rendered sets', cluster => {
    let core: ServerGroup | undefined
    let host = ''
    let published: ReadonlyMap<string, string> = new Map()
    const at = (name: string, tag: string) => `${host}/world/${name}:${tag}`
    const move = (tag: string, to: string) => moveTag(`${host}/world/${MOVED.name}`, tag, to)
    beforeAll(async () => {
      host = (await startRegistry()).host
      published = await publish(temporary, closedWorld(`${host}/world`))
      core = await startCore(cluster())
    }, TIMEOUT)
    afterEach(async () => {
      await move(MOVED.tag, published.get(at(MOVED.name, MOVED.tag))!)
      await until(() => removeAll(cluster().kube), Boolean, PATIENCE)
    }, TIMEOUT)
    afterAll(() => core?.stop())

    const reached = async (want: CoreState) => {
      const isReached = (state: CoreState) => isDeepStrictEqual(state, want)
      const read = () => {
        core?.assertRunning()
        return coreState(cluster().kube)
      }
      await until(read, isReached, PATIENCE).catch(() => undefined)
      // It stays so.
      await sleep(1000)
      expect(await read()).toEqual(want)
    }
    const applyAll = async (objects: readonly JsonObject[], wait: () => number) => {
      for (const object of objects) {
        accepted(await cluster().kube.apply(object, {force: true}))
        await sleep(wait())
      }
    }
    /** The kinds of the requests that Crossplane itself creates meanwhile; the suite applies its own. */
    const createdDuring = async (work: () => Promise<void>) => {
      const audit = auditOf(cluster())
      const mark = await audit.mark()
      await work()
      return (await audit.since(mark))
        .filter(entry => isWrite(entry) && entry.verb === 'create' && entry.group === 'pkg.crossplane.io')
        .filter(({resource}) => ['providers', 'functions', 'configurations'].includes(resource))
        .map(({resource}) => resource)
    }

    it.each(XPKG_PINS.map((pin, index) => ({pin, seed: SEED + index})))(
      'installs and upgrades what --pin=$pin names, in any order (seed $seed)',
      async ({pin, seed}) => {
        const sets = [await render(at('app', 'v0.1.0'), pin), await render(at('app', 'v0.2.0'), pin)]
        await move(MOVED.tag, MOVED.to)
        // With --pin=tag, a moved tag changes the content.
        const moved = [at(MOVED.name, MOVED.tag), published.get(at(MOVED.name, MOVED.to))!] as const
        const digests = pin === 'tag' ? new Map([...published, moved]) : published
        const next = random(seed)
        for (const set of sets) {
          await applyAll(set.prepared, () => 0)
          await applyAll(shuffled(set.requests, seed), () => next() * 500)
          await reached(stateOf(set.requests, digests))
        }
      },
      TIMEOUT,
    )

    it(
      'requests the dependencies of a package without a set, and leaves one unhealthy',
      async () => {
        const {requests} = await render(at('app', 'v0.1.0'), 'tag')
        const created = await createdDuring(async () => {
          await applyAll(requests.slice(-1), () => 0)
          await until(
            () => coreState(cluster().kube),
            ({others}) => others.some(line => line.includes('incompatible dependencies')),
            PATIENCE,
          )
        })
        expect(created.sort()).toEqual(['configurations', 'functions', 'providers', 'providers'])
      },
      TIMEOUT,
    )

    it.each(XPKG_PINS.map((pin, index) => ({pin, seed: SEED + index})))(
      'adds no request to a random set with --pin=$pin, dependencies first (seed $seed)',
      async ({pin, seed}) => {
        const {root, packages} = randomWorld(`${host}/random-${pin}`, seed)
        const digests = await publish(temporary, packages)
        const {prepared, requests} = await render(root, pin)
        const next = random(seed)
        const created = await createdDuring(async () => {
          await applyAll(prepared, () => 0)
          await applyAll(requests, () => next() * 500)
          await reached(stateOf(requests, digests))
        })
        expect(created).toEqual([])
      },
      TIMEOUT,
    )
  })
})
