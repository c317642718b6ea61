import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {asObject, asText, type JsonObject} from 'kubectl-crossplane/plugin'
import {join} from 'node:path'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {createServed, until} from '../../../test/cluster/kube.js'
import {runServices} from '../src/run-provider.js'
import {dryRun, runOnce} from '../src/run/run-once.js'
import {ExternalSystem} from './stories/external-system.js'
import {CLAIM, crds, decoded, fancyService, FCP, MANAGED, valueAt} from './stories/fancy-services.js'
import {type RealRunner, runnerOf, startRunner} from './stories/real-runner.js'

jest.setTimeout(120_000)

describeCluster('current', 'services', cluster => {
  const system = new ExternalSystem()
  let runner: RealRunner | undefined
  const kube = () => cluster().kube
  const create = async (object: JsonObject) => await createServed(kube(), object)
  const claim = (name: string, spec: JsonObject): JsonObject => ({
    ...CLAIM,
    metadata: {name, namespace: 'team'},
    spec,
  })
  const bound = async (name: string) =>
    await until(
      async () => (await kube().get(claim(name, {}))).body,
      object => valueAt(object, 'status.conditions.Ready.status') === 'True',
    )
  const secret = async (name: string, namespace: string) =>
    decoded((await kube().get({apiVersion: 'v1', kind: 'Secret', metadata: {name, namespace}})).body.data)

  beforeAll(async () => {
    for (const name of ['team', 'system'])
      await create({apiVersion: 'v1', kind: 'Namespace', metadata: {name}})
    for (const crd of crds()) await create(crd)
    await create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {name: 'fcp', namespace: 'system'},
      stringData: {credentials: 'provider-secret'},
    })
    await create({
      apiVersion: FCP,
      kind: 'Provider',
      metadata: {name: 'fcp'},
      spec: {credentialsSecretRef: {namespace: 'system', name: 'fcp', key: 'credentials'}},
    })
    await create({
      apiVersion: FCP,
      kind: 'FavouriteDBInstanceClass',
      metadata: {name: 'standard', labels: {tier: 'standard'}},
      specTemplate: {
        writeConnectionSecretsToNamespace: 'system',
        providerRef: {name: 'fcp'},
        forProvider: {fancinessLevel: 10},
        reclaimPolicy: 'Delete',
      },
    })
    runner = startRunner(
      cluster(),
      MANAGED.map(kind => fancyService(kind, system)),
    )
  })

  afterAll(async () => await runner?.stop())

  it('binds a claim to a managed resource that its class describes', async () => {
    await create(
      claim('db', {
        classSelector: {matchLabels: {tier: 'standard'}},
        writeConnectionSecretToRef: {name: 'db'},
      }),
    )
    const object = await bound('db')
    expect(asText(asObject(object.status).bindingPhase)).toBe('Bound')
    const name = asText(valueAt(object, 'spec.resourceRef.name'))
    expect(await secret('db', 'team')).toEqual({
      endpoint: `${name}.example.org`,
      username: 'root',
      password: 'created',
    })
  })

  it('binds a claim to a managed resource that it names', async () => {
    await create({
      apiVersion: FCP,
      kind: 'FavouriteDBInstance',
      metadata: {name: 'mine'},
      spec: {
        providerRef: {name: 'fcp'},
        forProvider: {fancinessLevel: 3},
        writeConnectionSecretToRef: {namespace: 'system', name: 'mine'},
      },
    })
    const resourceRef = {apiVersion: FCP, kind: 'FavouriteDBInstance', name: 'mine'}
    await create(claim('static', {resourceRef, writeConnectionSecretToRef: {name: 'static'}}))
    await bound('static')
    expect(await secret('static', 'team')).toMatchObject({endpoint: 'mine.example.org'})
  })

  it('shows what a pass would change, makes it once, and rejects what it cannot bind', async () => {
    await runner?.stop()
    runner = undefined
    const {managed, class: classes, claims = []} = fancyService('FavouriteDBInstance', system)
    // Without code of a provider, as the command has it.
    const service = {managed, claims, ...(classes === undefined ? {} : {class: classes})}
    const parts = runnerOf(cluster(), [service])
    const classSelector = {matchLabels: {tier: 'standard'}}
    await create(claim('shown', {classSelector, fancinessLevel: 10}))
    await create(claim('other', {classSelector, fancinessLevel: 11}))
    const read = async (name: string) => (await kube().get(claim(name, {}))).body
    const {objects} = await dryRun(parts)
    expect(objects.map(({object}) => `${object.kind} ${object.name}`)).toContain('FancySQLInstance shown')
    expect(valueAt(await read('shown'), 'spec.classRef')).toBeUndefined()
    const {failures} = await runOnce(parts)
    expect(failures.map(({message}) => message)).toEqual([
      'FancySQLInstance team/other: claim value [11] does not match class value [10]',
    ])
    expect(valueAt(await read('shown'), 'spec.resourceRef.kind')).toBe('FavouriteDBInstance')
  })

  it('does not start with a managed kind whose status is never stored', async () => {
    const {provider: _provider, ...service} = fancyService('PlainDBInstance', system)
    await expect(runOnce(runnerOf(cluster(), [service]))).rejects.toMatchObject({code: 'unsupported'})
  })

  it.each([
    {
      name: 'which kind is missing',
      kubeconfig: () => cluster().kubeconfig,
      want: `Error: cannot run services: the cluster does not serve Missing.fcp.example.org
Try: Install the package that defines it, with its claims.
`,
    },
    {
      name: 'that there is no kubeconfig',
      kubeconfig: () => join(cluster().folder, 'none'),
      want: expect.stringMatching(
        /^Error: cannot read the kubeconfig .*\n( {2}caused by: .*\n)?(Try: .*\n)+$/,
      ),
    },
  ])('states in the program of a provider $name', async ({kubeconfig, want}) => {
    const written: string[] = []
    const write = jest
      .spyOn(process.stderr, 'write')
      .mockImplementation(text => written.push(String(text)) > 0)
    const [managed, options] = [
      {apiVersion: FCP, kind: 'Missing'},
      {version: 'v0.1.0', leaderElect: false},
    ]
    const status = await runServices([{managed}], {...options, kubeconfig: kubeconfig()})
    write.mockRestore()
    expect({status, stderr: written.join('')}).toEqual({status: 1, stderr: want})
  })
})
