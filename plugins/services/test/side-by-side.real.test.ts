import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {asText, type ClusterApi, type JsonObject, mapConcurrent} from 'kubectl-crossplane/plugin'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {missingPrograms} from '../../../test/cluster/find-server.js'
import {createServed, until} from '../../../test/cluster/kube.js'
import {crossplaneRuntime} from '../../../test/cluster/servers.js'
import {describeReal} from '../../../test/real-parts.js'
import {random} from '../../../test/shuffled.js'
import {configured} from '../src/claims/configure.js'
import type {Service} from '../src/services.js'
import {playPair, type Side} from './side-by-side/pair.js'
import {RuntimeProcess} from './side-by-side/runtime-process.js'
import {defaultClass, scenario} from './side-by-side/scenario.js'
import {ExternalSystem} from './stories/external-system.js'
import {CLAIM, crds, fancyService, FCP} from './stories/fancy-services.js'
import {type RealRunner, startRunner} from './stories/real-runner.js'

/** More of them with another number, which are others each time: `SERVICES_CLAIMS=200`. `STORY_SEED` repeats a run. */
const {SERVICES_CLAIMS, STORY_SEED} = process.env
const CLAIMS = Number(SERVICES_CLAIMS ?? 20)
const SEED = Number(STORY_SEED ?? (SERVICES_CLAIMS === undefined ? 42 : Date.now() % 1_000_000))
const CONCURRENCY = 20
jest.setTimeout(180_000 + CLAIMS * 15_000)

const MANAGED = 'FavouriteDBInstance'

/** A client that watches only the claims and managed resources of one side. */
function servedApi(api: ClusterApi): ClusterApi {
  const labelSelector = 'served-by=services'
  return {
    ...api,
    watch: (kind, options) =>
      api.watch(kind, [CLAIM.kind, MANAGED].includes(kind.kind) ? {...options, labelSelector} : options),
  }
}

/** A service whose managed resources have the labels of their claims. */
function labeledService(system: ExternalSystem): Service {
  return {
    ...fancyService(MANAGED, system),
    configure: input => {
      const managed = configured(input)
      return {...managed, metadata: {...managed.metadata, labels: input.claim.metadata.labels ?? {}}}
    },
  }
}

const missing = missingPrograms([crossplaneRuntime])

describeReal('services beside crossplane-runtime', missing, () => {
  describeCluster({version: 'current', pods: true}, `claims of one cluster (seed ${SEED})`, cluster => {
    const system = new ExternalSystem()
    let runtime: RuntimeProcess
    let runner: RealRunner | undefined
    const kube = () => cluster().kube
    const create = async (object: JsonObject) => await createServed(kube(), object)

    beforeAll(async () => {
      for (const name of ['crossplane-system', 'sys-default'])
        await create({apiVersion: 'v1', kind: 'Namespace', metadata: {name}})
      for (const crd of crds()) await create(crd)
      const metadata = {name: 'fcp', namespace: 'crossplane-system'}
      await create({apiVersion: 'v1', kind: 'Secret', metadata, stringData: {key: 'credentials'}})
      const spec = {credentialsSecretRef: {...metadata, key: 'key'}}
      await create({apiVersion: FCP, kind: 'Provider', metadata: {name: 'fcp'}, spec})
      await create(defaultClass())
      await until(
        () => kube().get({...CLAIM, metadata: {name: 'none', namespace: 'default'}}),
        ({body}) => asText(body.message).includes('not found'),
      )
      runtime = await RuntimeProcess.start(cluster(), 'runtime')
      runner = startRunner(cluster(), [labeledService(system)], {api: servedApi})
    }, 240_000)

    afterAll(async () => {
      await runner?.stop()
      await runtime.stop()
    })

    it(`differ by named rules only, for ${CLAIMS} claims`, async () => {
      const sides: readonly [Side, Side] = [
        {servedBy: 'runtime', system: runtime, refresh: async () => await runtime.refresh()},
        {servedBy: 'services', system, refresh: () => Promise.resolve()},
      ]
      const next = random(SEED)
      const scenarios = Array.from({length: CLAIMS}, (_, index) => scenario(index, next))
      const differences: Record<string, readonly string[]> = {}
      await mapConcurrent([...scenarios.entries()], CONCURRENCY, async ([index, each]) => {
        const result = await playPair(each, index, {kube: kube(), sides})
        if (result.length > 0) differences[`${index} ${each.about}`] = result
      })
      expect(differences).toEqual({})
    })
  })
})
