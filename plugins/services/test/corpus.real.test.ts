import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {
  asObject,
  asObjects,
  asText,
  convertCrd,
  type JsonObject,
  type KubernetesObject,
  readYaml,
} from 'kubectl-crossplane/plugin'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, until} from '../../../test/cluster/kube.js'
import {corpusPackage, runIn} from '../../../test/commands/cluster/installing.js'
import {random} from '../../../test/shuffled.js'
import {corpusText, describeCorpus} from '../../../test/corpus.js'
import {CloudStandIn} from './cloud-stand-in.js'
import {type RunKinds, ServicesRun} from './run-process.js'
import {decoded, valueAt} from './stories/fancy-services.js'

/** More of them with other numbers: `SERVICES_KILLS=100`, and `STORY_SEED` repeats a run. */
const KILLS = Number(process.env.SERVICES_KILLS ?? 10)
const SEED = Number(process.env.STORY_SEED ?? Date.now() % 1_000_000)
jest.setTimeout(180_000 + KILLS * 10_000)

const CLAIM = {apiVersion: 'cache.crossplane.io/v1alpha1', kind: 'RedisCluster'}
const CLAIMS = '/apis/cache.crossplane.io/v1alpha1/namespaces/team/redisclusters'

interface Cloud {
  readonly name: string
  readonly version: string
  readonly group: string
  readonly managed: string
  readonly class: string
  readonly parameters: JsonObject
}

/** Packages of 2020, as they were published. */
const CLOUDS: readonly Cloud[] = [
  {
    name: 'gcp',
    version: 'v0.9.0',
    group: 'cache.gcp.crossplane.io',
    managed: 'cloudmemorystoreinstances',
    class: 'CloudMemorystoreInstanceClass',
    parameters: {memorySizeGb: 1, region: 'us-east1', tier: 'BASIC'},
  },
  {
    name: 'azure',
    version: 'v0.10.0',
    group: 'cache.azure.crossplane.io',
    managed: 'redis',
    class: 'RedisClass',
    parameters: {location: 'westus', sku: {name: 'Basic', family: 'C', capacity: 0}},
  },
]
/** Other kinds of one of these packages, which two processes serve with a Lease. */
const LEASED: RunKinds = {
  claim: 'mysqlinstances.database.crossplane.io',
  class: 'cloudsqlinstanceclasses.database.gcp.crossplane.io',
  managed: 'cloudsqlinstances.database.gcp.crossplane.io',
}
const LEASED_CLAIM = {apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance'}
const LEASED_CLASS = {
  apiVersion: 'database.gcp.crossplane.io/v1beta1',
  kind: 'CloudSQLInstanceClass',
  metadata: {name: 'leased', labels: {cloud: 'leased'}},
  specTemplate: {
    providerRef: {name: 'cloud'},
    writeConnectionSecretsToNamespace: 'crossplane-system',
    forProvider: {region: 'us-east1', databaseVersion: 'MYSQL_5_7', settings: {tier: 'db-f1-micro'}},
  },
}
const LEASED_NAMES = Array.from({length: 20}, (_, at) => `leased-${at}`)
/** The time that a Lease lasts, and one for a busy machine. */
const TAKEOVER = 20_000 + 20_000
const NAMES = CLOUDS.flatMap(({name: cloud}) =>
  Array.from({length: 5}, (_, at) => ({cloud, name: `${cloud}-${at}`})),
)

function kindsOf({group, managed, class: kind}: Cloud): RunKinds {
  return {
    claim: 'redisclusters.cache.crossplane.io',
    class: `${kind.toLowerCase()}es.${group}`,
    managed: `${managed}.${group}`,
  }
}

describeCorpus('services of the corpus', () => {
  describeCluster({version: 'current', pods: true}, `claims of real packages (seed ${SEED})`, cluster => {
    const next = random(SEED)
    let standIn: CloudStandIn | undefined
    let running: readonly ServicesRun[] = []
    let logs = ''
    let follower: ServicesRun | undefined
    let killed = 0
    const kube = () => cluster().kube
    /** Kinds are served a moment after their CRDs are established. */
    const served = async (send: () => ReturnType<ReturnType<typeof kube>['get']>) =>
      accepted(await until(send, ({code}) => code !== 404))
    const create = async (object: JsonObject) => await served(async () => await kube().create(object))
    const list = async (path: string) =>
      asObjects((await served(async () => await kube().send('GET', path))).items)
    const secrets = async () => {
      const lists = await Promise.all(
        ['team', 'crossplane-system'].map(async each => await list(`/api/v1/namespaces/${each}/secrets`)),
      )
      return lists.flat().filter(({type}) => type === 'connection.crossplane.io/v1alpha1')
    }
    const start = () => {
      running = CLOUDS.map(cloud => new ServicesRun(cluster().kubeconfig, kindsOf(cloud)))
    }
    const end = async (signal: NodeJS.Signals) => {
      const statuses = await Promise.all(running.map(async each => await each.end(signal)))
      logs += running.map(({log}) => log).join('')
      running = []
      return statuses
    }
    /** Kills the processes at random moments of their start and their work. */
    const killOften = async (count: number) => {
      for (let kill = 0; kill < count; kill++) {
        start()
        await new Promise(resolve => setTimeout(resolve, 300 + next() * 2500))
        await end('SIGKILL')
      }
    }
    const claimOf = (cloud: string, name: string) => {
      const spec = {classSelector: {matchLabels: {cloud}}, writeConnectionSecretToRef: {name}}
      return {...CLAIM, metadata: {name, namespace: 'team'}, spec}
    }
    const leased = async () => await list(`/apis/${LEASED_CLASS.apiVersion}/cloudsqlinstances`)
    /** Kills a process at work while another one waits for its Lease, which expires while other tests run. */
    const startTakeover = async () => {
      const run = async (text: string) => {
        const started = new ServicesRun(cluster().kubeconfig, LEASED, '--leader-elect')
        await until(
          () => Promise.resolve(started.log),
          log => log.includes(text),
          60,
        )
        return started
      }
      await create(LEASED_CLASS)
      const leader = await run('holds the Lease')
      follower = await run('waiting for the Lease')
      for (const name of LEASED_NAMES) {
        const metadata = {name, namespace: 'team'}
        const classSelector = {matchLabels: LEASED_CLASS.metadata.labels}
        await create({...LEASED_CLAIM, metadata, spec: {classSelector}})
      }
      await until(leased, ({length}) => length > 0)
      await leader.end('SIGKILL')
      killed = Date.now()
    }
    const allBound = async () =>
      await until(
        async () => await list(CLAIMS),
        objects =>
          objects.every(
            object =>
              valueAt(object, 'status.bindingPhase') === 'Bound' &&
              valueAt(object, 'status.conditions.Ready.status') === 'True',
          ),
        120,
      )

    beforeAll(async () => {
      for (const {name, version} of CLOUDS) {
        const args = [
          ...corpusPackage(`provider-${name}`, version, name),
          '--with-package-api',
          '--create-namespace',
        ]
        const {status, stderr} = await runIn(cluster(), 'package', 'install', ...args, '--yes', '--no-wait')
        expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
      }
      // The kinds of claims belonged to Crossplane itself.
      for (const name of ['cache.crossplane.io_redisclusters', 'database.crossplane.io_mysqlinstances']) {
        const text = corpusText(`corpus-core/crossplane@v0.11.0/${name}.yaml`)
        const [crd] = readYaml(Buffer.from(text), name).map(({value}) => asObject(value))
        accepted(await kube().create(convertCrd(crd as KubernetesObject, {nonStructural: 'preserve'}).crd))
      }
      accepted(await kube().create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'team'}}))
      for (const {name, group, class: kind, parameters} of CLOUDS) {
        const specTemplate = {
          providerRef: {name: 'cloud'},
          writeConnectionSecretsToNamespace: 'crossplane-system',
          reclaimPolicy: 'Delete',
          forProvider: parameters,
        }
        const metadata = {name, labels: {cloud: name}}
        const object = {apiVersion: `${group}/v1beta1`, kind, metadata, specTemplate}
        await create(object)
      }
      standIn = new CloudStandIn(
        kube(),
        CLOUDS.map(({group, managed}) => `/apis/${group}/v1beta1/${managed}`),
      )
      standIn.start()
      await startTakeover()
    }, 240_000)

    afterAll(async () => {
      await end('SIGKILL')
      await follower?.end('SIGKILL')
      await standIn?.stop()
    })

    it('creates one managed resource for each claim, however often the processes are killed', async () => {
      for (const {cloud, name} of NAMES) {
        await create(claimOf(cloud, name))
      }
      await killOften(Math.ceil(KILLS / 2))
      start()
      const claims = await allBound()
      const names = claims.map(object => asText(valueAt(object, 'spec.resourceRef.name'))).sort()
      expect(names).toHaveLength(NAMES.length)
      expect([...(standIn?.seen.values() ?? [])].sort()).toEqual(names)
    })

    it('passes the connection details on, each to its claim', async () => {
      for (const {name} of NAMES) {
        const claim = (await kube().get({...CLAIM, metadata: {name, namespace: 'team'}})).body
        const read = async () =>
          decoded(
            (await kube().get({apiVersion: 'v1', kind: 'Secret', metadata: {name, namespace: 'team'}})).body
              .data,
          )
        const endpoint = `${asText(valueAt(claim, 'spec.resourceRef.name'))}.example.org`
        expect(await until(read, data => data.endpoint !== undefined)).toMatchObject({endpoint})
      }
    })

    it('gives a managed resource the parameters of its class', async () => {
      for (const object of (await standIn?.managed()) ?? []) {
        const cloud = CLOUDS.find(({name}) => valueAt(object, 'spec.classRef.name') === name)
        expect(asObject(asObject(object.spec).forProvider)).toMatchObject(cloud?.parameters ?? {none: ''})
      }
    })

    it('leaves nothing when the claims are deleted, however often the processes are killed', async () => {
      await end('SIGKILL')
      for (const {name} of NAMES)
        accepted(await kube().delete({...CLAIM, metadata: {name, namespace: 'team'}}))
      await killOften(Math.floor(KILLS / 2))
      start()
      await until(
        async () => [await list(CLAIMS), (await standIn?.managed()) ?? [], await secrets()],
        lists => lists.every(({length}) => length === 0),
        120,
      )
    })

    it('ends when it is stopped, without credentials in its log and in Events', async () => {
      // Only a process that works has begun to listen for signals.
      for (const {name: cloud} of CLOUDS) await create(claimOf(cloud, `last-${cloud}`))
      await until(
        () => Promise.resolve(running.map(({log}) => log)),
        texts => texts.every(text => text.includes('Successfully bound managed resource')),
        60,
      )
      expect(await end('SIGTERM')).toEqual(CLOUDS.map(() => 143))
      expect(logs).toContain('Successfully bound managed resource')
      expect(logs + JSON.stringify(await list('/api/v1/events'))).not.toContain('password-of-')
    })

    it('continues in another process after the one with the Lease was killed, and creates nothing twice', async () => {
      const claims = await until(
        async () => await list(`/apis/${LEASED_CLAIM.apiVersion}/namespaces/team/mysqlinstances`),
        objects => objects.every(object => valueAt(object, 'spec.resourceRef.name') !== undefined),
        90,
      )
      const [, taken = ''] = /^(\S+) .*holds the Lease/m.exec(follower?.log ?? '') ?? []
      expect(Date.parse(taken) - killed).toBeLessThan(TAKEOVER)
      const names = (await leased()).map(({metadata}) => asText(asObject(metadata).name))
      expect(names.sort()).toEqual(
        claims.map(object => asText(valueAt(object, 'spec.resourceRef.name'))).sort(),
      )
      expect(names).toHaveLength(LEASED_NAMES.length)
      expect(await follower?.end('SIGTERM')).toBe(143)
    })
  })
})
