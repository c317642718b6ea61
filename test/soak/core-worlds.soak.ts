import {afterAll} from '@jest/globals'
import {loadAll} from 'js-yaml'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {isDeepStrictEqual} from 'node:util'
import {setTimeout as sleep} from 'node:timers/promises'
import {XPKG_PINS} from '../../src/xpkg/pins.js'
import {asObject, asObjects, asText, type JsonObject} from '../../src/yaml/json-value.js'
import {accepted} from '../cluster/kube.js'
import {runIn} from '../commands/cluster/installing.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import type {CoreState} from '../xpkg/core/core-state.js'
import {describeCore, removed} from '../xpkg/core/describe-core.js'
import {publish} from '../xpkg/core/published-packages.js'
import {importedWorld, writtenCluster} from '../xpkg/core/random-requests.js'
import {randomWorld} from '../xpkg/core/random-world.js'
import {render, stateOf} from '../xpkg/core/rendered-set.js'
import {campaign, pick} from './campaign.js'

const temporary = temporaryFolder()

/** The worlds of `npm run soak`; several runs with other seeds can share them. */
const WORLDS = Number(process.env.CORE_WORLDS ?? 300)
/** The imported clusters of `npm run soak`. */
const IMPORTED = Number(process.env.CORE_IMPORTS ?? 100)
/** Milliseconds in which Crossplane reads what was applied. */
const RECONCILED = 5000
/** Milliseconds: after that without a change, Crossplane is stuck or done. */
const QUIET = 20_000

describeCore('Crossplane with random worlds', core => {
  const alone = {worlds: 0, failed: 0}
  afterAll(() => {
    process.stderr.write(`left to Crossplane alone: ${alone.failed} of ${alone.worlds} worlds failed\n`)
  })

  campaign('are as rendered, with the tags of one package deleted', {short: 1, long: WORLDS}, async round => {
    const seed = Math.floor(round.random() * 1_000_000)
    const pin = XPKG_PINS[round.number % XPKG_PINS.length]!
    const {root, packages} = randomWorld(`${core().host}/world-${round.number}`, seed, false)
    const digests = await publish(temporary, packages)
    const {prepared, requests} = await render(root, pin)

    alone.worlds += 1
    if (!(await installsAlone(root))) alone.failed += 1
    await removed(core().cluster)

    if (pin !== 'tag') deleteTags(pick(round.random, packages).repository)
    for (const object of prepared) await core().apply(object)
    for (const object of requests) {
      await core().apply(object)
      await sleep(round.random() * 500)
    }
    const want = stateOf(requests, digests)
    const state = await core().settled(current => isDeepStrictEqual(current, want))
    if (!isDeepStrictEqual(state, want))
      throw new Error(`--pin=${pin}, ${root}: ${JSON.stringify({state, want}, undefined, 1)}`)
    await removed(core().cluster)

    function deleteTags(repository: string): void {
      for (const each of packages.filter(one => one.repository === repository))
        core().deleteTag(repository, each.tag)
    }
  })

  let published: Promise<ReadonlyMap<string, string>> | undefined
  campaign('are imported as they are', {short: 2, long: IMPORTED}, async ({random}) => {
    const path = `${core().host}/imported`
    const world = importedWorld(path)
    published ??= publish(temporary, world)
    const {prepared, requests, isUnresolved} = writtenCluster(random, world, await published)
    const pausesOne = random() < 0.5
    for (const object of prepared) await core().apply(object)
    for (const [index, object] of requests.entries()) {
      await core().apply(object)
      await core().settled(({healthy}) => healthy.length === index + 1)
    }
    await core().apply(absentRequest(path))
    if (pausesOne) await core().apply(paused(requests.at(-1)!))
    await core().settled(({others}) => others.length === 1)
    const before = await installed()

    const file = join(mkdtempSync(join(temporary, 'home-')), 'crossplane-packages.yaml')
    const imported = await runIn(core().cluster, 'package', 'import', '--declaration', file)
    const {stderr} = imported
    const rules = new Set([...stderr.matchAll(/\[(import-\w+)\]/g)].map(([, rule]) => rule))
    const expectSame = (actual: unknown, wanted: unknown) => {
      if (isDeepStrictEqual(actual, wanted)) return
      throw new Error(JSON.stringify({actual, wanted, stderr, requests, prepared}, undefined, 1))
    }
    expectSame(imported.status, 0)
    expectSame(rules.has('import-unreadable'), true)
    expectSame(rules.has('import-paused'), pausesOne)
    // Without the resolver, requests of a cluster that has one change, and tags have pins of this program.
    expectSame(rules.has('import-differs') && !rules.has('import-resolver') && !isUnresolved, false)
    for (const object of await declared(file)) await core().apply(object)
    await sleep(RECONCILED)
    expectSame(await installed(), before)
    await removed(core().cluster)
  })

  /** What no import may change: requests with their UIDs and packages, active revisions, and the Lock. */
  async function installed() {
    const {active, lock} = await core().state()
    const requested: string[] = []
    for (const plural of ['providers', 'functions', 'configurations']) {
      const path = `/apis/pkg.crossplane.io/v1/${plural}`
      const {items} = accepted(await core().cluster.kube.send('GET', path))
      for (const {metadata, spec} of asObjects(items)) {
        const {name, uid} = asObject(metadata)
        requested.push([plural, name, uid, asObject(spec).package].map(asText).join(' '))
      }
    }
    return {active, lock, requested: requested.sort()}
  }

  async function declared(file: string): Promise<readonly JsonObject[]> {
    const {status, stdout, stderr} = await runCli('package', 'render', '--declaration', file)
    if (status !== 0) throw new Error(stderr)
    return loadAll(stdout) as JsonObject[]
  }

  /** Requests only the package that a user asks for, and reports whether everything gets healthy. */
  async function installsAlone(root: string): Promise<boolean> {
    const {requests} = await render(root, 'tag')
    await core().apply(requests.find(({spec}) => asText(asObject(spec).package) === root)!)
    let last: CoreState | undefined
    for (let quietSince = Date.now(); Date.now() - quietSince < QUIET; await sleep(500)) {
      const state = await core().state()
      // It requires others, which are requested before it is healthy.
      if (state.others.length === 0 && state.healthy.length > 1) return true
      if (!isDeepStrictEqual(state, last)) quietSince = Date.now()
      last = state
    }
    return false
  }
})

function absentRequest(path: string): JsonObject {
  return {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: {name: 'absent'},
    spec: {package: `${path}/provider-absent:v1.0.0`, skipDependencyResolution: true},
  }
}

function paused(request: JsonObject): JsonObject {
  const annotations = {'crossplane.io/paused': 'true'}
  return {...request, metadata: {...asObject(request.metadata), annotations}}
}
