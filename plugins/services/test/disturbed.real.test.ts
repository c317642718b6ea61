import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {asObject, asObjects, asText, type JsonObject} from 'kubectl-crossplane/plugin'
import {auditOf, isWrite} from '../../../test/cluster/audit.js'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, createServed, until} from '../../../test/cluster/kube.js'
import {ExternalSystem} from './stories/external-system.js'
import {CLAIM, crds, decoded, fancyService, FCP, MANAGED, valueAt} from './stories/fancy-services.js'
import {type RealRunner, startRunner} from './stories/real-runner.js'

/** More of them with another number: `SERVICES_KILLS=100`. */
const KILLS = Number(process.env.SERVICES_KILLS ?? 10)
jest.setTimeout(180_000 + KILLS * 10_000)

/** Repeats a run: the ends come after the same numbers of writes. */
const SEED = Number(process.env.STORY_SEED ?? Date.now() % 1_000_000)
const CLAIMS = 8
const NAMES = Array.from({length: CLAIMS}, (_, at) => `db${at}`)
const MANY = Array.from({length: 50}, (_, at) => `many${at}`)
const CLASSES = Array.from({length: 10}, (_, at) => `class${at}`)

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
  const create = async (object: JsonObject) => await createServed(kube(), object)
  const start = (options: NonNullable<Parameters<typeof startRunner>[2]> = {}) => {
    const generate = () => ({password: `generated-${passwords++}`})
    const services = MANAGED.map(kind => fancyService(kind, system, {generate}))
    const runner = startRunner(cluster(), services, options)
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
  const createClaims = async (names = NAMES, tier = 'a') => {
    for (const name of names) {
      await create({
        ...CLAIM,
        metadata: {name, namespace: 'team'},
        spec: {classSelector: {matchLabels: {tier}}, writeConnectionSecretToRef: {name}},
      })
    }
  }
  const deleteClaims = async (names = NAMES) => {
    for (const name of names) {
      await until(
        () => kube().delete({...CLAIM, metadata: {name, namespace: 'team'}}),
        ({code}) => code === 200,
      )
    }
  }
  const allBound = async (count = CLAIMS) =>
    await until(
      claims,
      objects =>
        objects.length === count &&
        objects.every(
          object =>
            valueAt(object, 'status.bindingPhase') === 'Bound' &&
            valueAt(object, 'status.conditions.Ready.status') === 'True' &&
            valueAt(object, 'status.conditions.Synced.status') === 'True',
        ),
      150,
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
    for (const name of ['a', ...CLASSES]) {
      await create({
        apiVersion: FCP,
        kind: 'FavouriteDBInstanceClass',
        metadata: {name, labels: {tier: name === 'a' ? 'a' : 'many'}},
        specTemplate: {
          writeConnectionSecretsToNamespace: 'system',
          providerRef: {name: 'fcp'},
          forProvider: {fancinessLevel: 1},
          reclaimPolicy: 'Delete',
        },
      })
    }
  })

  afterAll(stopAll)

  it(`creates each external resource once, with ${KILLS} ends at random moments (seed ${SEED})`, async () => {
    await createClaims()
    for (const writes of numbersOf(SEED, KILLS, 15)) {
      const runner = start({maxWrites: writes})
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
      const runner = start({maxWrites: writes})
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

  it(`serves ${MANY.length} claims of ${CLASSES.length} classes with two processes and a busy server`, async () => {
    await stopAll()
    const rejections: number[] = []
    const busy = (code: number) => rejections.push(code)
    start({busy})
    start({busy})
    const before = creations().length
    await createClaims(MANY, 'many')
    const bound = await allBound(MANY.length)
    const names = (await managed()).map(({metadata}) => asText(asObject(metadata).name)).sort()
    expect(bound.map(object => asText(valueAt(object, 'spec.resourceRef.name'))).sort()).toEqual(names)
    expect([...system.instances.keys()].sort()).toEqual(names)
    expect(creations().slice(before).sort()).toEqual(names.map(name => `create ${name}`))
    expect(new Set(bound.map(object => valueAt(object, 'spec.classRef.name'))).size).toBeGreaterThan(1)
    const counts = [409, 429].map(code => rejections.filter(each => each === code).length)
    expect(counts.every(count => count > 10)).toBe(true)
    // Conflicts are repeated in silence.
    const texts = JSON.stringify([await claims(), await managed(), await list('/api/v1/events')])
    expect(texts).not.toContain('the server is busy')
  })

  it('writes nothing then', async () => {
    const quiet = async () => {
      const mark = await auditOf(cluster()).mark()
      await new Promise(resolve => setTimeout(resolve, 3000))
      const entries = await auditOf(cluster()).since(mark)
      return entries.filter(entry => isWrite(entry) && entry.userAgent.startsWith('suite'))
    }
    expect(await until(quiet, ({length}) => length === 0)).toEqual([])
  })

  it('continues when the API server restarts', async () => {
    await cluster().withoutApiServer(async () => {
      await new Promise(resolve => setTimeout(resolve, 2000))
    })
    await deleteClaims(MANY)
    await until(managed, ({length}) => length === 0, 150)
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
