import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {asObject, asObjects, asText, type JsonObject} from 'kubectl-crossplane/plugin'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, connect, createServed, type Kube, until} from '../../../test/cluster/kube.js'
import {tenantOf} from '../../../test/cluster/tenant.js'
import {ExternalSystem} from './stories/external-system.js'
import {CLAIM, crds, decoded, FCP, fancyService, MANAGED, valueAt} from './stories/fancy-services.js'
import {type RealRunner, startRunner} from './stories/real-runner.js'

jest.setTimeout(120_000)

/** Users of claims read their secrets. */
const RIGHTS = [
  {apiGroups: ['database.example.org'], resources: ['*'], verbs: ['*']},
  {apiGroups: [''], resources: ['secrets'], verbs: ['*']},
]
const CONNECTION = 'connection.crossplane.io/v1alpha1'
const PASSWORD = 'of team-b alone'
const [KIND = ''] = MANAGED
const CLASS = {apiVersion: FCP, kind: `${KIND}Class`, name: 'standard'}

function claim(namespace: string, name: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return {...CLAIM, metadata: {name, namespace, ...metadata}, spec}
}

/** What team-a knows of the database of team-b. */
interface Victim {
  readonly claim: JsonObject
  readonly managed: JsonObject
  readonly external: string
}

interface Attack {
  readonly name: string
  readonly spec?: (victim: Victim) => JsonObject
  readonly metadata?: (victim: Victim) => JsonObject
  /** What team-a has in its namespace before. */
  readonly secret?: (victim: Victim) => JsonObject
}

const referenceOf = ({apiVersion, kind, metadata}: JsonObject): JsonObject => {
  const {name, namespace, uid} = asObject(metadata)
  return JSON.parse(JSON.stringify({apiVersion, kind, name, namespace, uid})) as JsonObject
}
const nameOf = ({metadata}: JsonObject) => asText(asObject(metadata).name)
const owner = (object: JsonObject): JsonObject => {
  const {namespace: _namespace, ...reference} = referenceOf(object)
  return {...reference, controller: true}
}

/** What a user of team-a writes to get at the database of team-b, or its password. */
const ATTACKS: readonly Attack[] = [
  {name: 'a reference to its managed resource', spec: ({managed}) => ({resourceRef: referenceOf(managed)})},
  {
    name: 'a reference without its UID',
    spec: ({managed}) => ({resourceRef: {apiVersion: FCP, kind: KIND, name: nameOf(managed)}}),
  },
  {
    name: 'a reference beside a class',
    spec: ({managed}) => ({resourceRef: referenceOf(managed), classRef: CLASS}),
  },
  {
    name: 'a reference with a namespace',
    spec: ({managed}) => ({resourceRef: {...referenceOf(managed), namespace: 'team-b'}}),
  },
  {
    name: 'the reference to its claim',
    spec: victim => ({resourceRef: referenceOf(victim.managed), claimRef: referenceOf(victim.claim)}),
  },
  {
    name: 'a bound phase',
    spec: ({managed}) => ({resourceRef: referenceOf(managed), bindingPhase: 'Bound'}),
  },
  {name: 'its external name', metadata: ({external}) => externalName(external)},
  {
    name: 'its external name and the permission of a class',
    metadata: ({external}) => ({
      annotations: {
        ...(externalName(external).annotations as JsonObject),
        'kubectl-crossplane.dev/allow-external-name': 'true',
      },
    }),
  },
  {
    name: 'its external name as a parameter',
    spec: ({external}) => ({classRef: CLASS, 'crossplane.io/external-name': external}),
  },
  {
    name: 'parameters of a managed resource',
    spec: ({external}) => ({classRef: CLASS, forProvider: {name: external, fancinessLevel: 10}}),
  },
  {name: 'a provider of its own', spec: () => ({classRef: CLASS, providerRef: {name: 'other'}})},
  {name: 'a reclaim policy', spec: () => ({classRef: CLASS, reclaimPolicy: 'Retain'})},
  {
    name: 'a place for credentials',
    spec: () => ({classRef: CLASS, writeConnectionSecretsToNamespace: 'team-a'}),
  },
  {
    name: 'a secret in its namespace',
    spec: () => ({classRef: CLASS, writeConnectionSecretToRef: {name: 'prod', namespace: 'team-b'}}),
  },
  {
    name: 'a secret in the namespace of the system',
    spec: ({claim: theirs}) => ({
      classRef: CLASS,
      writeConnectionSecretToRef: {name: asText(asObject(theirs.metadata).uid), namespace: 'sys'},
    }),
  },
  {
    name: 'a path as the name of a secret',
    spec: () => ({classRef: CLASS, writeConnectionSecretToRef: {name: '../team-b/prod'}}),
  },
  {
    name: 'a secret that its managed resource controls',
    secret: ({managed}) => ({metadata: {ownerReferences: [owner(managed)]}}),
  },
  {
    name: 'a secret that its claim controls',
    secret: ({claim: theirs}) => ({metadata: {ownerReferences: [owner(theirs)]}}),
  },
  {
    name: 'a secret that says what it is propagated from',
    secret: ({claim: theirs}) => ({
      metadata: {
        annotations: {
          'crossplane.io/propagate-from': `sys/${asText(asObject(theirs.metadata).uid)}`,
          'crossplane.io/propagate-from-namespace': 'sys',
          'crossplane.io/propagate-from-name': asText(asObject(theirs.metadata).uid),
        },
      },
    }),
  },
  {
    name: 'an owner reference to its managed resource',
    spec: () => ({classRef: CLASS}),
    metadata: ({managed}) => ({ownerReferences: [owner(managed)]}),
  },
  {
    name: 'the class of another kind',
    spec: ({managed}) => ({classRef: referenceOf(managed)}),
  },
  {
    name: 'a class in a namespace',
    spec: () => ({classRef: {...CLASS, namespace: 'team-b'}}),
  },
  {name: 'a selector of everything', spec: () => ({classSelector: {}})},
  {
    name: 'a reference of another API version and with another UID',
    spec: ({managed}) => ({
      resourceRef: {...referenceOf(managed), apiVersion: FCP.replace(/\/.*/, '/v9'), uid: 'other'},
    }),
  },
  {
    name: 'its provider configuration and management policies',
    spec: () => ({
      classRef: CLASS,
      providerConfigRef: {name: 'fcp'},
      managementPolicies: ['Observe'],
      deletionPolicy: 'Orphan',
    }),
  },
  {
    name: 'the finalizers, labels and annotations of its managed resource',
    spec: () => ({classRef: CLASS}),
    metadata: ({managed, external}) => ({
      finalizers: ['finalizer.resourceclaim.crossplane.io'],
      labels: {'crossplane.io/claim-name': 'prod', 'crossplane.io/claim-namespace': 'team-b'},
      annotations: {
        'crossplane.io/external-name': external,
        'crossplane.io/external-create-succeeded': '2020-01-01T00:00:00Z',
        'crossplane.io/paused': 'true',
        'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(managed.spec),
      },
    }),
  },
  {
    name: 'a secret that consents to its data',
    spec: ({claim: theirs}) => ({
      classRef: CLASS,
      writeConnectionSecretToRef: {name: asText(asObject(theirs.metadata).uid)},
    }),
    secret: ({claim: theirs}) => ({
      metadata: {
        annotations: {
          'from.propagate.crossplane.io/namespace': 'sys',
          'from.propagate.crossplane.io/name': asText(asObject(theirs.metadata).uid),
          'to.propagate.crossplane.io/811c9dc5': 'team-a/prod',
        },
      },
    }),
  },
]

function externalName(name: string): JsonObject {
  return {annotations: {'crossplane.io/external-name': name}}
}

describeCluster({version: 'current', pods: true}, 'users of claims', cluster => {
  const system = new ExternalSystem()
  let runner: RealRunner
  let tenant: Kube
  let victim: Victim
  const kube = () => cluster().kube
  const get = async (object: JsonObject) => accepted(await kube().get(object))
  const secretsIn = async (namespace: string) =>
    asObjects(accepted(await kube().send('GET', `/api/v1/namespaces/${namespace}/secrets`)).items)

  /** All that team-b has. */
  const theirs = async () => ({
    objects: await Promise.all(
      [victim.claim, victim.managed].map(async object => {
        const {metadata, spec, status} = await get(object)
        const {uid, annotations, deletionTimestamp} = asObject(metadata)
        return {uid, annotations, deletionTimestamp, spec, phase: asObject(status).bindingPhase}
      }),
    ),
    secrets: [
      ...(await secretsIn('team-b')),
      ...(await secretsIn('sys')).filter(one => nameOf(one) === asText(asObject(victim.claim.metadata).uid)),
    ].map(({metadata, data}) => ({name: asObject(metadata).name, data})),
    external: system.instances.get(victim.external),
  })

  beforeAll(async () => {
    for (const name of ['sys', 'team-a', 'team-b'])
      await createServed(kube(), {apiVersion: 'v1', kind: 'Namespace', metadata: {name}})
    for (const crd of crds()) await createServed(kube(), crd)
    const credentials = {metadata: {name: 'fcp', namespace: 'sys'}, stringData: {credentials: 'of-fcp'}}
    await createServed(kube(), {apiVersion: 'v1', kind: 'Secret', ...credentials})
    const credentialsSecretRef = {namespace: 'sys', name: 'fcp', key: 'credentials'}
    const provider = {apiVersion: FCP, kind: 'Provider', spec: {credentialsSecretRef}}
    const specTemplate = {
      ...{writeConnectionSecretsToNamespace: 'sys', providerRef: {name: 'fcp'}},
      ...{forProvider: {fancinessLevel: 10}, reclaimPolicy: 'Delete'},
    }
    await createServed(kube(), {...provider, metadata: {name: 'fcp'}})
    await createServed(kube(), {
      apiVersion: CLASS.apiVersion,
      kind: CLASS.kind,
      metadata: {name: CLASS.name},
      specTemplate,
    })
    runner = startRunner(cluster(), [fancyService(KIND, system)])
    const spec = {classRef: CLASS, writeConnectionSecretToRef: {name: 'prod'}}
    await createServed(kube(), claim('team-b', 'prod', spec))
    const bound = await until(
      () => get(claim('team-b', 'prod', {})),
      object => valueAt(object, 'status.bindingPhase') === 'Bound',
      60,
    )
    const name = asText(asObject(asObject(bound.spec).resourceRef).name)
    const managed = await get({apiVersion: FCP, kind: KIND, metadata: {name}})
    const external = asText(asObject(asObject(managed.metadata).annotations)['crossplane.io/external-name'])
    victim = {claim: bound, managed, external}
    // Other instances have a generated one.
    system.steer({do: 'set', name: external, password: PASSWORD})
    await until(
      () => get({apiVersion: 'v1', kind: 'Secret', metadata: {name: 'prod', namespace: 'team-b'}}),
      ({data}) => decoded(data).password === PASSWORD,
      60,
    )
    tenant = connect({...cluster(), token: await tenantOf(kube(), 'team-a', RIGHTS)})
  }, 180_000)

  afterAll(async () => {
    tenant.close()
    await runner.stop()
  })

  it.each(ATTACKS.map((attack, index) => ({...attack, own: `attack-${index}`})))(
    'gain and break nothing by $name',
    async ({own, spec = () => ({classRef: CLASS}), metadata = () => ({}), secret}) => {
      const before = await theirs()
      if (secret !== undefined) {
        const {metadata: more} = secret(victim)
        const object = {apiVersion: 'v1', kind: 'Secret', type: CONNECTION}
        accepted(
          await tenant.create({...object, metadata: {...asObject(more), name: own, namespace: 'team-a'}}),
        )
      }
      const wanted = {writeConnectionSecretToRef: {name: own}, ...spec(victim)}
      const attack = claim('team-a', own, wanted, metadata(victim))
      accepted(await tenant.create(attack))
      // A claim that nobody serves gets no conditions.
      await until(
        () => get(attack),
        ({status}) => asObjects(asObject(status).conditions).length > 0,
        5,
      ).catch(() => undefined)
      // Whatever came of it, a second pass finds the same.
      await new Promise(resolve => setTimeout(resolve, 800))
      expect(await theirs()).toEqual(before)
      const live = await get(attack)
      if (valueAt(live, 'status.bindingPhase') === 'Bound')
        expect(asObject(asObject(live.spec).resourceRef).name).not.toBe(nameOf(victim.managed))
      const stolen = [PASSWORD, Buffer.from(PASSWORD).toString('base64')]
      const seen = JSON.stringify([await secretsIn('team-a'), live, await eventsOf('team-a')])
      expect(stolen.filter(text => seen.includes(text))).toEqual([])
      accepted(await tenant.delete(attack))
      await until(
        async () => (await tenant.get(attack)).code,
        code => code === 404,
        60,
      )
      await new Promise(resolve => setTimeout(resolve, 300))
      expect(await theirs()).toEqual(before)
    },
  )

  it.each([
    {
      name: 'the managed resource',
      change: (): JsonObject => ({spec: {resourceRef: referenceOf(victim.managed)}}),
    },
    {
      name: 'the name in the external system',
      change: (): JsonObject => ({metadata: externalName(victim.external)}),
    },
    {
      name: 'the class and the managed resource',
      change: (): JsonObject => ({
        spec: {classRef: referenceOf(victim.managed), resourceRef: {name: nameOf(victim.managed)}},
      }),
    },
    {
      name: 'the secret',
      change: (): JsonObject => ({
        spec: {writeConnectionSecretToRef: {name: asText(asObject(victim.claim.metadata).uid)}},
      }),
    },
    {name: 'the finalizers', change: (): JsonObject => ({metadata: {finalizers: []}})},
  ])('gain and break nothing by changing $name of a claim that is bound', async ({change, name}) => {
    const before = await theirs()
    const own = claim('team-a', `bound-${name.replaceAll(' ', '-')}`, {
      ...{classRef: CLASS, writeConnectionSecretToRef: {name: 'bound'}},
    })
    accepted(await tenant.create(own))
    await until(
      () => get(own),
      object => valueAt(object, 'status.bindingPhase') === 'Bound',
      60,
    )
    const {apiVersion = ''} = own as {readonly apiVersion?: string}
    const path = `/apis/${apiVersion}/namespaces/team-a/fancysqlinstances/${nameOf(own)}`
    const answer = await tenant.send('PATCH', path, change(), 'application/merge-patch+json')
    expect([200, 422]).toContain(answer.code)
    await new Promise(resolve => setTimeout(resolve, 1500))
    expect(await theirs()).toEqual(before)
    const seen = JSON.stringify([await secretsIn('team-a'), await eventsOf('team-a')])
    expect(seen).not.toContain(Buffer.from(PASSWORD).toString('base64'))
    accepted(await tenant.delete(own))
    await until(
      async () => (await tenant.get(own)).code,
      code => code === 404,
      60,
    )
    await new Promise(resolve => setTimeout(resolve, 500))
    expect(await theirs()).toEqual(before)
  })

  it('get another database only by a class that allows it', async () => {
    const allowed = claim('team-a', 'allowed', {
      ...{classRef: {...CLASS, name: 'allowing'}, writeConnectionSecretToRef: {name: 'allowed'}},
    })
    accepted(
      await tenant.create({
        ...allowed,
        metadata: {...asObject(allowed.metadata), ...externalName(victim.external)},
      }),
    )
    const {specTemplate} = await get({apiVersion: FCP, kind: CLASS.kind, metadata: {name: CLASS.name}})
    const annotations = {'kubectl-crossplane.dev/allow-external-name': 'true'}
    await createServed(kube(), {
      ...{apiVersion: FCP, kind: CLASS.kind, metadata: {name: 'allowing', annotations}},
      specTemplate: {...asObject(specTemplate), reclaimPolicy: 'Retain'},
    })
    await until(
      async () => JSON.stringify(await secretsIn('team-a')),
      text => text.includes(Buffer.from(PASSWORD).toString('base64')),
      60,
    )
  })

  const eventsOf = async (namespace: string) =>
    asObjects(accepted(await kube().send('GET', `/api/v1/namespaces/${namespace}/events`)).items)
})
