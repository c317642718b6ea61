import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {asObject, asObjects, asText, type JsonObject} from 'kubectl-crossplane/plugin'
import {auditOf, isWrite} from '../../../test/cluster/audit.js'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, until} from '../../../test/cluster/kube.js'
import {ExternalSystem} from './stories/external-system.js'
import {CLAIM, crds, decoded, fancyService, FCP, MANAGED, valueAt} from './stories/fancy-services.js'
import {type RealRunner, startRunner} from './stories/real-runner.js'

jest.setTimeout(180_000)

/** Repeats a run: the ends come after the same numbers of writes. */
const SEED = Number(process.env.STORY_SEED ?? Date.now() % 1_000_000)
const KILLS = 10
const CLAIMS = 8
const NAMES = Array.from({length: CLAIMS}, (_, at) => `db${at}`)

/** Numbers from 1 to `most` that follow from the seed. https://en.wikipedia.org/wiki/Linear_congruential_generator */
function numbersOf(seed: number, count: number, most: number): readonly number[] {
  let state = seed
  return Array.from({length: count}, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return 1 + (state % most)
  })
}

describeCluster({version: 'current', pods: true}, 'services, disturbed', cluster => {
  const system = new ExternalSystem()
  let runners: RealRunner[] = []
  /** Each generates another password: only the stored one may be used. */
  let passwords = 0

  const kube = () => cluster().kube
  const create = async (object: JsonObject) =>
    accepted(
      await until(
        () => kube().create(object),
        ({code}) => code !== 404,
      ),
    )
  const start = (maxWrites?: number) => {
    const generate = () => ({password: `generated-${passwords++}`})
    const services = MANAGED.map(kind => fancyService(kind, system, {generate}))
    const runner = startRunner(cluster(), services, maxWrites === undefined ? {} : {maxWrites})
    runners.push(runner)
    return runner
  }
  const stopAll = async () => {
    await Promise.all(runners.map(runner => runner.stop()))
    runners = []
  }
  /** Kinds are not served at once after a restart. */
  const list = async (path: string) =>
    asObjects(
      accepted(
        await until(
          () => kube().send('GET', path),
          ({code}) => code === 200,
        ),
      ).items,
    )
  const claims = async () => await list(`/apis/${CLAIM.apiVersion}/namespaces/team/fancysqlinstances`)
  const managed = async () => await list(`/apis/${FCP}/favouritedbinstances`)
  const secretsIn = async (namespace: string) =>
    (await list(`/api/v1/namespaces/${namespace}/secrets`)).filter(
      ({type}) => type === 'connection.crossplane.io/v1alpha1',
    )
  const createClaims = async () => {
    for (const name of NAMES) {
      await create({
        ...CLAIM,
        metadata: {name, namespace: 'team'},
        spec: {classSelector: {matchLabels: {tier: 'a'}}, writeConnectionSecretToRef: {name}},
      })
    }
  }
  const deleteClaims = async () => {
    for (const name of NAMES) {
      await until(
        () => kube().delete({...CLAIM, metadata: {name, namespace: 'team'}}),
        ({code}) => code === 200,
      )
    }
  }
  const allBound = async () =>
    await until(
      claims,
      objects =>
        objects.length === CLAIMS &&
        objects.every(
          object =>
            valueAt(object, 'status.bindingPhase') === 'Bound' &&
            valueAt(object, 'status.conditions.Ready.status') === 'True' &&
            valueAt(object, 'status.conditions.Synced.status') === 'True',
        ),
      60,
    )
  const creations = () => system.calls.filter(call => call.startsWith('create '))

  beforeAll(async () => {
    for (const name of ['team', 'system'])
      await create({apiVersion: 'v1', kind: 'Namespace', metadata: {name}})
    for (const crd of crds()) await create(crd)
    const credentials = {name: 'fcp', namespace: 'system'}
    await create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: credentials,
      stringData: {key: 'fcp-credentials'},
    })
    await create({
      apiVersion: FCP,
      kind: 'Provider',
      metadata: {name: 'fcp'},
      spec: {credentialsSecretRef: {...credentials, key: 'key'}},
    })
    await create({
      apiVersion: FCP,
      kind: 'FavouriteDBInstanceClass',
      metadata: {name: 'a', labels: {tier: 'a'}},
      specTemplate: {
        writeConnectionSecretsToNamespace: 'system',
        providerRef: {name: 'fcp'},
        forProvider: {fancinessLevel: 1},
        reclaimPolicy: 'Delete',
      },
    })
  })

  afterAll(stopAll)

  it(`creates each external resource once, with ${KILLS} ends at random moments (seed ${SEED})`, async () => {
    await createClaims()
    for (const writes of numbersOf(SEED, KILLS, 15)) {
      const runner = start(writes)
      await Promise.race([runner.ended, new Promise(resolve => setTimeout(resolve, 4000))])
      await stopAll()
    }
    start()
    const bound = await allBound()
    const names = bound.map(object => asText(valueAt(object, 'spec.resourceRef.name')))
    expect((await managed()).map(({metadata}) => asText(asObject(metadata).name)).sort()).toEqual(
      names.sort(),
    )
    expect(creations().sort()).toEqual(names.map(name => `create ${name}`).sort())
  })

  it('passes the password on with which the external resource was created', async () => {
    const [inTeam, inSystem] = [await secretsIn('team'), await secretsIn('system')]
    const passwordsIn = (secrets: readonly JsonObject[]) =>
      secrets.map(({data}) => decoded(data).password).sort()
    expect(passwordsIn(inTeam)).toEqual(passwordsIn(inSystem))
    expect(passwordsIn(inTeam)).toEqual([...system.passwords.values()].sort())
  })

  it('leaves nothing behind when claims are deleted, with ends at random moments', async () => {
    await stopAll()
    await deleteClaims()
    for (const writes of numbersOf(SEED + 1, KILLS, 10)) {
      const runner = start(writes)
      await Promise.race([runner.ended, new Promise(resolve => setTimeout(resolve, 4000))])
      await stopAll()
    }
    start()
    await until(
      async () => [await claims(), await managed(), await secretsIn('team'), await secretsIn('system')],
      lists => lists.every(({length}) => length === 0),
      90,
    )
    expect([...system.instances]).toEqual([])
  })

  it('converges with two processes at a time, which then write nothing', async () => {
    start()
    await createClaims()
    await allBound()
    const quiet = async () => {
      const mark = await auditOf(cluster()).mark()
      await new Promise(resolve => setTimeout(resolve, 3000))
      const entries = await auditOf(cluster()).since(mark)
      return entries.filter(entry => isWrite(entry) && entry.userAgent.startsWith('suite'))
    }
    expect(await until(quiet, ({length}) => length === 0)).toEqual([])
    const names = (await managed()).map(({metadata}) => asText(asObject(metadata).name))
    expect(names.length).toBe(CLAIMS)
    expect([...system.instances.keys()].sort()).toEqual(names.sort())
  })

  it('continues when the API server restarts', async () => {
    await cluster().withoutApiServer(async () => {
      await new Promise(resolve => setTimeout(resolve, 2000))
    })
    await deleteClaims()
    await until(managed, ({length}) => length === 0, 60)
    expect([...system.instances]).toEqual([])
  })

  it('writes no credentials into logs, Events and statuses', async () => {
    const texts = JSON.stringify([
      runners.map(({log}) => log),
      await list('/api/v1/events'),
      await claims(),
      await managed(),
    ])
    expect(texts).not.toContain('generated-')
    expect(texts).not.toContain('fcp-credentials')
  })
})
