import {afterAll} from '@jest/globals'
import {isDeepStrictEqual} from 'node:util'
import {setTimeout as sleep} from 'node:timers/promises'
import {XPKG_PINS} from '../../src/xpkg/pins.js'
import {asObject, asText} from '../../src/yaml/json-value.js'
import {argocd} from '../gitops/argocd.js'
import {
  CommittedCluster,
  type CommittingController,
  committingController,
} from '../gitops/committed-cluster.js'
import type {ReconcilerKind} from '../gitops/describe-reconciled.js'
import {flux} from '../gitops/flux.js'
import {temporaryFolder} from '../temporary-folder.js'
import type {CoreState} from '../xpkg/core/core-state.js'
import {AdoptedCluster, type Adoption, testAdopted} from '../xpkg/core/adopted-clusters.js'
import {testBumps} from '../xpkg/core/bumped.js'
import {testChains} from '../xpkg/core/chained-packages.js'
import {describeCore, removed} from '../xpkg/core/describe-core.js'
import {testMoves} from '../xpkg/core/moved.js'
import {testRefusedMoves} from '../xpkg/core/refused-moves.js'
import {publish} from '../xpkg/core/published-packages.js'
import {randomWorld} from '../xpkg/core/random-world.js'
import {render, stateOf} from '../xpkg/core/rendered-set.js'
import {campaign, pick} from './campaign.js'

const temporary = temporaryFolder()

/** The worlds of `npm run soak`; several runs with other seeds can share them. */
const WORLDS = Number(process.env.CORE_WORLDS ?? 300)
/** The adopted clusters of `npm run soak`. */
const ADOPTED = Number(process.env.CORE_ADOPTED ?? 100)
/** The declarations of `npm run soak` whose tags are bumped one by one. */
const BUMPED = Number(process.env.CORE_BUMPED ?? 100)
/** The chains of `npm run soak`. */
const CHAINS = Number(process.env.CORE_CHAINS ?? 20)
/** How many times `npm run soak` kills a move. */
const KILLS = Number(process.env.CORE_KILLS ?? 50)
/** The clusters of `npm run soak` in which a move is rejected. */
const REFUSED = Number(process.env.CORE_REFUSED ?? 200)
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

  const controllers = new Map<ReconcilerKind, Promise<CommittingController>>()
  afterAll(async () => {
    for (const running of controllers.values()) {
      const {reconciler, repository} = await running
      await reconciler.stop()
      await repository.close()
    }
  })
  /** They run beside the cluster until the end, each from its first round on. */
  const byCommits =
    (kind: ReconcilerKind): Adoption =>
    (...parts) =>
      new CommittedCluster(parts, kind, async () => {
        const running = controllers.get(kind) ?? committingController(temporary, core(), kind)
        controllers.set(kind, running)
        return await running
      })
  testAdopted(core, temporary, {short: 1, long: ADOPTED}, [
    (...parts) => new AdoptedCluster(...parts),
    byCommits(flux),
    byCommits(argocd),
  ])
  testBumps(core, temporary, {short: 1, long: BUMPED})
  testChains(core, temporary, {short: 1, long: CHAINS})
  // CI has them in test/xpkg/core/unresolved.real.test.ts.
  if (process.env.SOAK_MINUTES !== undefined) {
    testMoves(core, temporary, KILLS)
    testRefusedMoves(core, temporary, REFUSED)
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
