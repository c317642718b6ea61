import {afterEach, beforeAll, expect, it} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {isDeepStrictEqual} from 'node:util'
import {XPKG_PINS} from '../../../src/xpkg/pins.js'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {until} from '../../cluster/kube.js'
import {random, SEED, shuffled} from '../../shuffled.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {testAdopted} from './adopted-clusters.js'
import {testBumps} from './bumped.js'
import {closedWorld, MOVED} from './closed-world.js'
import type {CoreState} from './core-state.js'
import {describeCore, TIMEOUT} from './describe-core.js'
import {createdObjects, differences, nameOf} from './expanded-objects.js'
import {publishWorld} from './expanded-world.js'
import {testMirrors} from './mirrored-installs.js'
import {moveTag, publish} from './published-packages.js'
import {randomWorld} from './random-world.js'
import {render, renderExpanded, stateOf} from './rendered-set.js'
import {testRings} from './ringed.js'
import {testPagesOfClusters} from './running-cluster.js'
import {startRbacManager} from './start-core.js'

const CASES = XPKG_PINS.map((pin, index) => ({pin, seed: SEED + index}))
const REQUESTS = ['providers', 'functions', 'configurations']

const temporary = temporaryFolder()

describeCore('Crossplane with rendered sets', core => {
  let published: ReadonlyMap<string, string> = new Map()
  const at = (name: string, tag: string) => `${core().host}/world/${name}:${tag}`
  const move = (to: string) => moveTag(`${core().host}/world/${MOVED.name}`, MOVED.tag, to)

  beforeAll(async () => {
    published = await publish(temporary, closedWorld(`${core().host}/world`))
  }, TIMEOUT)
  afterEach(async () => {
    await move(published.get(at(MOVED.name, MOVED.tag))!)
  })

  const applyAll = async (objects: Parameters<typeof stateOf>[0], wait: () => number) => {
    for (const object of objects) {
      await core().apply(object)
      await sleep(wait())
    }
  }
  const reached = async (want: CoreState) => {
    await core().settled(state => isDeepStrictEqual(state, want))
    // It stays so.
    await sleep(1000)
    expect(await core().state()).toEqual(want)
  }
  /** The kinds of the requests that Crossplane itself creates meanwhile; the suite applies its own. */
  const createdDuring = async (work: () => Promise<void>) => {
    const audit = auditOf(core().cluster)
    const mark = await audit.mark()
    await work()
    return (await audit.since(mark))
      .filter(entry => isWrite(entry) && entry.verb === 'create' && entry.group === 'pkg.crossplane.io')
      .map(({resource}) => resource)
      .filter(resource => REQUESTS.includes(resource))
  }

  it.each(CASES)(
    'installs and upgrades what --pin=$pin names, in any order (seed $seed)',
    async ({pin, seed}) => {
      const sets = [await render(at('app', 'v0.1.0'), pin), await render(at('app', 'v0.2.0'), pin)]
      await move(MOVED.to)
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
      const isIncompatible = (line: string) => line.includes('incompatible dependencies')
      const created = await createdDuring(async () => {
        await applyAll(requests.slice(-1), () => 0)
        const {others} = await core().settled(state => state.others.some(isIncompatible))
        expect(others.filter(isIncompatible)).toHaveLength(1)
      })
      expect(created.sort()).toEqual(['configurations', 'functions', 'providers', 'providers'])
    },
    TIMEOUT,
  )

  it.each(CASES)(
    'adds no request to a random set with --pin=$pin, dependencies first (seed $seed)',
    async ({pin, seed}) => {
      const {root, packages} = randomWorld(`${core().host}/random-${pin}`, seed)
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

  testMirrors(core, temporary)
  testPagesOfClusters(core, temporary)
  testAdopted(core, temporary, {short: 2})
  testRings(() => [core()], temporary)
  testBumps(core, temporary, {short: 4})

  it(
    'creates what --expand lists, and nothing else',
    async () => {
      const {kube} = core().cluster
      const before = await createdObjects(kube)
      const declaration = await publishWorld(mkdtempSync(join(temporary, 'expand-')), core().host)
      const {applied, expanded} = await renderExpanded(declaration)
      await applyAll(applied, () => 0)
      const listed = new Set(expanded.map(nameOf))
      // The roles of a provider are made of the CRDs that are there when its revision changes, for a long time the last time.
      const crds = expanded.filter(({kind}) => kind === 'CustomResourceDefinition')
      const codes = () => Promise.all(crds.map(async object => (await kube.get(object)).code))
      await until(codes, all => all.every(code => code === 200), 150)
      await core().settled(({others}) => others.length === 0)
      const rbac = await startRbacManager(core().cluster)
      try {
        const differing = async () => {
          const lines: string[] = []
          for (const object of expanded)
            lines.push(...differences(object, (await kube.get(object)).body, nameOf(object)))
          const others = [...(await createdObjects(kube))].filter(
            name => !before.has(name) && !listed.has(name),
          )
          return [...lines, ...others.map(name => `${name}: not listed`)]
        }
        await until(differing, ({length}) => length === 0, 150).catch(() => undefined)
        expect(await differing()).toEqual([])
      } finally {
        await rbac.stop()
        for (const object of applied.filter(({kind}) => kind === 'DeploymentRuntimeConfig'))
          await kube.delete(object)
      }
    },
    TIMEOUT,
  )
})
