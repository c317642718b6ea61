import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asText, type JsonObject} from 'kubectl-crossplane/plugin'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, connect, type Kube, until} from '../../../test/cluster/kube.js'
import {openApiWith, realClock} from '../../../test/cluster/open-api.js'
import {tenantOf} from '../../../test/cluster/tenant.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'
import {startEngine} from '../src/engines/start-engine.js'
import {clusterFacts} from '../src/run/cluster-facts.js'
import {runOnce} from '../src/run/run-once.js'
import {findDefinition} from '../src/run/stack-definition.js'
import {applyAll, collectGarbage, conditionIn, installStack} from './run/real-stack.js'
import {chartPackage, namedPackage, OTHER_CRDS} from './run/stack-packages.js'

jest.setTimeout(120_000)

const DEMO = {namespace: 'runners', name: 'demo'}
const PLAIN = {namespace: 'team-a', name: 'plain'}
const ADOPT = {'templatestacks.crossplane.io/adopt': 'true'}
const RIGHTS = [{apiGroups: ['demo.example.org'], resources: ['demos', 'plains'], verbs: ['*']}]
const SECRET = 'of-team-b'
const root = temporaryFolder()

function resource(kind: string, namespace: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return {apiVersion: 'demo.example.org/v1', kind, metadata: {name: 'prod', namespace, ...metadata}, spec}
}

const big: JsonObject = {apiVersion: 'demo.example.org/v1', kind: 'Big', metadata: {name: 'prod'}}
const map = (namespace: string, name: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name, namespace},
})

interface Attack {
  readonly name: string
  readonly in: JsonObject
  /** Absent for a custom resource that no pass sees before it is deleted. */
  readonly want?: RegExp
  readonly isDeleted?: boolean
}

const THEFT = {big: 'prod', size: 'of team-a', maps: {shared: {namespace: 'shared'}, own: {}}}
const labelsOf = (namespace: string) => ({
  'core.crossplane.io/parent-group': 'demo.example.org',
  'core.crossplane.io/parent-version': 'v1',
  'core.crossplane.io/parent-kind': 'Demo',
  'core.crossplane.io/parent-namespace': namespace,
  'core.crossplane.io/parent-name': 'prod',
})

/** What a user of team-a writes to get at the objects of team-b. */
const ATTACKS: readonly Attack[] = [
  {name: 'the names of its objects', in: resource('Demo', 'team-a', THEFT), want: /^NotOwned .*Big prod/},
  {
    name: 'the annotation adopt',
    in: resource('Demo', 'team-a', THEFT, {annotations: ADOPT}),
    want: /^NotOwned .*Big prod/,
  },
  {
    name: 'the labels of its custom resource',
    in: resource('Demo', 'team-a', THEFT, {annotations: ADOPT, labels: labelsOf('team-b')}),
    want: /^NotOwned .*Big prod/,
  },
  {
    name: 'an owner reference to its custom resource',
    in: resource('Demo', 'team-a', THEFT, {
      annotations: ADOPT,
      ownerReferences: [{apiVersion: 'demo.example.org/v1', kind: 'Demo', name: 'prod', uid: 'UID'}],
    }),
    want: /^NotOwned .*Big prod/,
  },
  {
    name: 'its finalizer and the labels of its record',
    in: resource('Demo', 'team-a', THEFT, {
      annotations: ADOPT,
      finalizers: ['templating-controller.crossplane.io'],
      labels: {'template-stacks.kubectl-crossplane.dev/stack': 'demo'},
    }),
    want: /^NotOwned .*Big prod/,
  },
  {
    name: 'its finalizer, and a deletion before the first pass',
    in: resource('Demo', 'team-a', THEFT, {
      annotations: ADOPT,
      labels: labelsOf('team-b'),
      finalizers: ['templating-controller.crossplane.io'],
    }),
    isDeleted: true,
  },
  {
    name: 'the namespace of its objects',
    in: resource('Demo', 'team-a', {...THEFT, big: 'own', maps: {own: {namespace: 'team-b'}}}),
    want: /^NotOwned .*ConfigMap team-b\/prod-own/,
  },
  {
    name: 'the namespace of its objects beside one of its own',
    in: resource('Demo', 'team-a', {...THEFT, big: 'own'}, {annotations: ADOPT}),
    want: /^NotOwned .*ConfigMap shared\/prod-shared/,
  },
  {
    name: 'the annotation adopt in other spellings',
    in: resource('Demo', 'team-a', THEFT, {
      annotations: {
        'templatestacks.crossplane.io/Adopt': 'true',
        'template-stacks.kubectl-crossplane.dev/adopt': 'true',
        'kubectl-crossplane.dev/adopt': 'true',
      },
    }),
    want: /^NotOwned .*Big prod/,
  },
  {
    name: 'the UID of its custom resource in a label',
    in: resource('Demo', 'team-a', THEFT, {
      labels: {...labelsOf('team-b'), 'core.crossplane.io/parent-uid': 'UID'},
    }),
    want: /^NotOwned .*Big prod/,
  },
  {
    name: 'fields that no schema has',
    in: resource('Demo', 'team-a', {...THEFT, adopt: true, annotations: ADOPT}),
    want: /^NotOwned .*Big prod/,
  },
  {
    name: 'annotations for the objects of a stack',
    in: resource('Demo', 'team-a', THEFT, {
      annotations: {
        ...ADOPT,
        'templatestacks.crossplane.io/prune': 'false',
        'templatestacks.crossplane.io/deletion-priority': '9',
        'templatestacks.crossplane.io/remove-defaulting-annotations': 'true',
        'kubectl.kubernetes.io/last-applied-configuration': '{}',
      },
    }),
    want: /^NotOwned .*Big prod/,
  },
  {
    name: 'text that looks like another object',
    in: resource('Demo', 'team-a', {
      ...{big: 'text', maps: {}},
      size: `1\n---\napiVersion: demo.example.org/v1\nkind: Big\nmetadata: {name: prod}\nspec: {size: stolen}\n`,
    }),
    want: /^/,
  },
  {
    name: 'a status of its own',
    in: {...resource('Plain', 'team-a', {size: 1}), status: {seen: 'x', conditions: []}},
    want: /^NotOwned .*ConfigMap team-a\/prod-map/,
  },
  {
    name: 'an object of its name, whose content a template reads',
    in: resource('Plain', 'team-a', {size: 1}, {annotations: ADOPT}),
    want: /^NotOwned .*ConfigMap team-a\/prod-map/,
  },
]

describeCluster('current', 'users of custom resources', cluster => {
  const engine = startEngine({timeLimit: 120_000})
  const tokens = new Map<JsonObject, string>()
  let tenant: Kube
  let endCollection = (): Promise<void> => Promise.resolve()
  const kube = () => cluster().kube
  const apply = async (object: JsonObject) => accepted(await kube().apply(object, {force: true}))

  const allow = async (value: string | null) => {
    const path = '/apis/packages.crossplane.io/v1alpha1/namespaces/runners/stackdefinitions/demo'
    const annotations = {'templatestacks.crossplane.io/adopt': value}
    accepted(await kube().send('PATCH', path, {metadata: {annotations}}, 'application/merge-patch+json'))
  }

  /** Makes one pass over all custom resources of a stack, with the rights that it has. */
  const run = async (stack: typeof DEMO) => {
    const api = openApiWith(cluster(), tokens.get(stack) ?? '')
    const facts = await clusterFacts(api, () => realClock.elapsed())
    const definition = await findDefinition(stack, api)
    const process = {api, clock: realClock, log: () => undefined}
    await runOnce({process, engine, facts, definition, folder: undefined, isDryRun: false})
  }
  const theirs = [big, map('shared', 'prod-shared'), map('team-b', 'prod-own'), map('team-a', 'prod-map')]
  /** The objects of others, but for what only says who looked at them. */
  const others = async () =>
    await Promise.all(
      theirs.map(async object => {
        const {metadata, ...content} = accepted(await kube().get(object))
        return {...content, labels: asObject(metadata).labels, uid: asObject(metadata).uid}
      }),
    )

  beforeAll(async () => {
    for (const name of ['runners', 'team-a', 'team-b', 'shared'])
      await apply({apiVersion: 'v1', kind: 'Namespace', metadata: {name}})
    for (const crd of OTHER_CRDS) await applyAll(cluster(), Buffer.from(crd))
    tokens.set(DEMO, await installStack(cluster(), chartPackage(mkdtempSync(join(root, 'p-'))), DEMO))
    tokens.set(PLAIN, await installStack(cluster(), namedPackage(mkdtempSync(join(root, 'p-'))), PLAIN))
    await apply({...map('team-a', 'prod-map'), data: {size: SECRET}})
    await apply(
      resource('Demo', 'team-b', {big: 'prod', size: SECRET, maps: {shared: {namespace: 'shared'}, own: {}}}),
    )
    await run(DEMO)
    tenant = connect({...cluster(), token: await tenantOf(kube(), 'team-a', RIGHTS)})
    endCollection = collectGarbage(cluster())
  }, 180_000)

  afterAll(async () => {
    tenant.close()
    await engine.close()
    await endCollection()
  })

  it.each(ATTACKS)('gain nothing by $name', async ({in: object, want = /^/, isDeleted = false}) => {
    const before = await others()
    const target = accepted(await kube().get(resource('Demo', 'team-b', {})))
    const uid = asText(asObject(target.metadata).uid)
    const written = JSON.parse(JSON.stringify(object).replace('"UID"', JSON.stringify(uid))) as JsonObject
    accepted(await tenant.create(written))
    const stack = object.kind === 'Plain' ? PLAIN : DEMO
    if (isDeleted) accepted(await tenant.delete(object))
    for (let pass = 0; pass < 2; pass += 1) await run(stack)
    if (!isDeleted) {
      const live = accepted(await tenant.get(object))
      const {reason, message} = conditionIn(live)
      expect(`${reason} ${message}`).toMatch(want)
      expect(JSON.stringify(live)).not.toContain(SECRET)
      expect(await others()).toEqual(before)
      accepted(await tenant.delete(object))
    }
    // The next object goes when garbage collection has deleted the one before.
    await until(
      async () => {
        await run(stack)
        return await tenant.get(object)
      },
      ({code}) => code === 404,
    )
    expect(await others()).toEqual(before)
  })

  it('gain nothing by changing a custom resource that has objects of its own', async () => {
    const before = await others()
    const own = resource('Demo', 'team-a', {big: 'mine', size: 1, maps: {own: {}}}, {name: 'mine'})
    const path = '/apis/demo.example.org/v1/namespaces/team-a/demos/mine'
    accepted(await tenant.create(own))
    await run(DEMO)
    expect((await kube().get({...big, metadata: {name: 'mine'}})).code).toBe(200)
    // The record of the objects of team-b is an object of the stack, in its namespace.
    const target = accepted(await kube().get(resource('Demo', 'team-b', {})))
    const uid = asText(asObject(target.metadata).uid)
    const changes: readonly JsonObject[] = [
      {spec: {big: 'prod'}},
      {spec: {big: 'mine', maps: {own: null, map: {namespace: 'team-b'}}}},
      {metadata: {annotations: ADOPT}, spec: {big: 'prod', size: 'stolen'}},
    ]
    for (const change of changes) {
      accepted(await tenant.send('PATCH', path, change, 'application/merge-patch+json'))
      await run(DEMO)
      expect(await others()).toEqual(before)
    }
    const record = map('runners', `template-children-${uid}`)
    const recorded = accepted(await kube().get(record)).data
    const thief = resource(
      'Demo',
      'team-a',
      {big: 'thief', size: 1, maps: {[`children-${uid}`]: {namespace: 'runners'}}},
      {name: 'template'},
    )
    accepted(await tenant.create(thief))
    await run(DEMO)
    expect(conditionIn(accepted(await tenant.get(thief))).reason).toBe('NotOwned')
    expect(accepted(await kube().get(record)).data).toEqual(recorded)
    for (const object of [own, thief]) {
      accepted(await tenant.delete(object))
      await until(
        async () => {
          await run(DEMO)
          return await tenant.get(object)
        },
        ({code}) => code === 404,
      )
    }
    expect(accepted(await kube().get(record)).data).toEqual(recorded)
    expect(await others()).toEqual(before)
  })

  it('take over nothing that has an owner, also where the definition of the stack allows it', async () => {
    const holder = accepted(await kube().get(map('team-b', 'prod-own')))
    const {name, uid} = asObject(holder.metadata)
    const owned: JsonObject = {
      ...map('team-b', 'held-shared'),
      metadata: {
        ...{name: 'held-shared', namespace: 'team-b'},
        ownerReferences: [{apiVersion: 'v1', kind: 'ConfigMap', name: asText(name), uid: asText(uid)}],
      },
      data: {size: SECRET},
    }
    await apply(owned)
    await allow('true')
    const spec = {big: 'held', size: 'stolen', maps: {shared: {namespace: 'team-b'}}}
    const thief = resource('Demo', 'team-a', spec, {name: 'held'})
    accepted(await tenant.create(thief))
    await run(DEMO)
    const {reason, message} = conditionIn(accepted(await tenant.get(thief)))
    await allow(null)
    expect(`${reason} ${message}`).toMatch(/^NotOwned .*ConfigMap team-b\/held-shared/)
    expect(asObject(accepted(await kube().get(owned)).data).size).toBe(SECRET)
    accepted(await tenant.delete(thief))
    await run(DEMO)
    expect(asObject(accepted(await kube().get(owned)).data).size).toBe(SECRET)
  })

  it('take over what has no owner only if the definition of the stack allows it', async () => {
    const free = map('shared', 'free-shared')
    const taken = resource(
      'Demo',
      'team-a',
      {...THEFT, maps: {shared: {namespace: 'shared'}}},
      {name: 'free'},
    )
    const before = await others()
    await apply({...free, data: {size: 'free'}})
    accepted(await tenant.create(taken))
    await run(DEMO)
    expect(asObject(accepted(await kube().get(free)).data).size).toBe('free')
    await allow('true')
    await run(DEMO)
    expect(asObject(accepted(await kube().get(free)).data).size).toBe('of team-a')
    // The same annotation gives nothing of another custom resource.
    const {reason, message} = conditionIn(accepted(await tenant.get(taken)))
    expect(`${reason} ${message}`).toMatch(/^NotOwned .*Big prod/)
    await allow(null)
    expect(await others()).toEqual(before)
  })

  it('get no label on objects outside of their namespace', async () => {
    const labels = {team: 'b', 'pod-security.kubernetes.io/enforce': 'privileged'}
    const spec = {big: 'labeled', size: 1, maps: {far: {namespace: 'shared'}, near: {}}}
    accepted(await tenant.create(resource('Demo', 'team-a', spec, {name: 'labeled', labels})))
    await run(DEMO)
    const far = [{...big, metadata: {name: 'labeled'}}, map('shared', 'labeled-far')]
    const found = await Promise.all(
      [...far, map('team-a', 'labeled-near')].map(async each => accepted(await kube().get(each))),
    )
    const own = found.map(({metadata}) =>
      Object.keys(asObject(asObject(metadata).labels)).filter(key => !key.includes('/parent-')),
    )
    expect(own).toEqual([[], [], ['team']])
  })
})
