import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import type {JsonObject} from 'kubectl-crossplane/plugin'
import {auditOf, isWrite} from '../../../test/cluster/audit.js'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, until} from '../../../test/cluster/kube.js'
import {describeCorpus} from '../../../test/corpus.js'
import {shuffled} from '../../../test/shuffled.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'
import {applyCore, copyPackages, type CorpusRequest, corpusRequests} from './run/corpus-requests.js'
import {differences} from './run/differences.js'
import {conditionIn, managedCluster, type RealManager, startManager} from './run/real-manager.js'
import {writeSamples} from './run/sample-packages.js'

const [SYSTEM, APPS] = ['crossplane-system', 'apps']
const MANAGER = `system:serviceaccount:${SYSTEM}:kubectl-crossplane-manager`
/** `npm run soak` requests all packages, others a tenth, which `STORY_SEED` repeats. */
const isAll = process.env.SOAK_MINUTES !== undefined
const SEED = Number(process.env.STORY_SEED ?? Date.now() % 1_000_000)
const REQUESTS = corpusRequests(SYSTEM, APPS)
const DRAWN = shuffled(REQUESTS, SEED).slice(0, isAll ? undefined : Math.ceil(REQUESTS.length / 10))
/** Seconds that the manager has nothing to do: watches are opened again each minute. */
const IDLE = isAll ? 600 : 60
const packages = mkdtempSync(join(temporaryFolder(), 'packages-'))

jest.setTimeout(isAll ? 600_000 : 240_000)

/** Rounds with one version of each package. */
function rounds(drawn: readonly CorpusRequest[]): readonly (readonly [string, readonly CorpusRequest[]])[] {
  const result: CorpusRequest[][] = []
  for (const request of drawn) {
    const nameOf = ({entry}: CorpusRequest) => entry.split('@')[0]
    const free = result.find(round => round.every(each => nameOf(each) !== nameOf(request)))
    if (free === undefined) result.push([request])
    else free.push(request)
  }
  return result.map(round => [round.map(({entry}) => entry).join(', '), round])
}

describeCorpus('requests of real packages', () => {
  describeCluster({version: 'current', pods: true}, `of the manager (seed ${SEED})`, cluster => {
    let manager: RealManager | undefined
    let token = ''
    const kube = () => cluster().kube
    const apply = async (object: JsonObject) => accepted(await kube().apply(object, {force: true}))
    /** What the manager sends, from a mark on. */
    const sent = async (mark: number) =>
      (await auditOf(cluster()).since(mark)).filter(({user}) => user === MANAGER)
    const start = async () => {
      await manager?.stop()
      manager = await startManager(cluster(), token, packages)
    }
    /** Waits until there were no passes for two seconds. */
    const quiet = async (least: number) => {
      for (let last = -1; last < least || last !== manager!.passes();) {
        last = manager!.passes()
        await setTimeout(2000)
      }
    }

    /** Deletes the requests of the round before. */
    const removeAll = async () => {
      const objects = REQUESTS.map(({object}) => object)
      for (const object of objects) await kube().delete(object)
      for (const object of objects) {
        await until(
          () => kube().get(object),
          ({code}) => code === 404,
          120,
        )
      }
    }

    beforeAll(async () => {
      writeSamples(packages)
      copyPackages(DRAWN, packages)
      await applyCore(cluster())
      token = await managedCluster(cluster(), packages, [SYSTEM, APPS])
      const policy = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\nmanager: {clusterNamespaces: [${APPS}]}\n`
      await apply({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {name: 'kubectl-crossplane-policy', namespace: SYSTEM},
        data: {'policy.yaml': policy},
      })
      await start()
    }, 180_000)

    afterAll(async () => {
      await manager?.stop()
    })

    it.each(rounds(DRAWN))(
      'installs %s as they are rendered, and writes nothing then',
      async (_, requests) => {
        await removeAll()
        for (const {object} of requests) await apply(object)
        for (const {object, entry} of requests) {
          const isDecided = (live: JsonObject) => !/^$|^False Unavailable/.test(conditionIn(live, 'Ready'))
          const live = await until(async () => (await kube().get(object)).body, isDecided, 120)
          const state = [conditionIn(live, 'Ready'), conditionIn(live, 'Synced')]
          expect([entry, ...state]).toEqual([entry, 'True Available', 'True ReconcileSuccess'])
        }
        for (const request of requests) {
          const {count, texts} = await differences(cluster(), request, ['--packages', packages])
          expect({entry: request.entry, isRendered: count > 5, texts}).toEqual({
            entry: request.entry,
            isRendered: true,
            texts: [],
          })
        }
        await quiet(requests.length)
        const mark = await auditOf(cluster()).mark()
        await start()
        await quiet(requests.length)
        expect((await sent(mark)).filter(isWrite)).toEqual([])
      },
    )

    it(
      'sends nothing but watches while nothing changes',
      async () => {
        const others = async () => {
          const mark = await auditOf(cluster()).mark()
          await setTimeout(IDLE * 1000)
          return (await sent(mark)).filter(({verb}) => verb !== 'watch')
        }
        // Passes that began before may still be running.
        expect(await until(others, ({length}) => length === 0, 2 * IDLE + 30)).toEqual([])
      },
      (3 * IDLE + 60) * 1000,
    )
  })
})
