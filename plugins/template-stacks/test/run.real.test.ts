import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject, openController} from 'kubectl-crossplane/plugin'
import {type AuditEntry, auditOf, isWrite} from '../../../test/cluster/audit.js'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, until} from '../../../test/cluster/kube.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'
import {startEngine} from '../src/engines/start-engine.js'
import {
  applyAll,
  collectGarbage,
  conditionIn,
  dryRun,
  installStack,
  type RealRunner,
  startRunner,
} from './run/real-stack.js'
import {CHART, chartPackage, namedPackage, OTHER_CRDS} from './run/stack-packages.js'

// The first render compiles the engines, which takes long where every core is busy.
jest.setTimeout(120_000)

const root = temporaryFolder()
const SYNCED = {status: 'True', reason: 'ReconcileSuccess', message: ''}
const DEMO = {namespace: 'runners', name: 'demo'}
const DEFINITION_PATH = '/apis/packages.crossplane.io/v1alpha1/namespaces/runners/stackdefinitions/demo'
const PLAIN = {namespace: 'team', name: 'plain'}

function demo(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'demo.example.org/v1',
    kind: 'Demo',
    metadata: {name, namespace: 'team', ...metadata},
    spec,
  }
}

function map(name: string, more: JsonObject = {}): JsonObject {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name, namespace: 'team'}, ...more}
}

describeCluster('current', 'template run', cluster => {
  const engine = startEngine({timeLimit: 120_000})
  let runner: RealRunner | undefined
  let demoToken = ''
  let plainToken = ''
  let endCollection = (): Promise<void> => Promise.resolve()

  const kube = () => cluster().kube
  const apply = async (object: JsonObject) => accepted(await kube().apply(object, {force: true}))
  const start = async (maxWrites?: number) => {
    await runner?.stop()
    runner = await startRunner(cluster(), engine, {...DEMO, token: demoToken}, maxWrites)
  }
  const patch = async (path: string, body: JsonObject) =>
    accepted(await kube().send('PATCH', path, body, 'application/merge-patch+json'))
  const read = async (object: JsonObject) => (await kube().get(object)).body
  const dataOf = async (name: string) => asObject((await read(map(name))).data)
  /** Waits for the condition of the current generation. */
  const settled = async (name: string, want: (condition: ReturnType<typeof conditionIn>) => boolean) =>
    conditionIn(
      await until(
        () => read(demo(name)),
        object => {
          const {observedGeneration} = asObjects(asObject(object.status).conditions)[0] ?? {}
          return observedGeneration === asObject(object.metadata).generation && want(conditionIn(object))
        },
      ),
    )
  const synced = async (name: string) =>
    await settled(name, each => each.status === 'True' && each.message === '')
  const gone = async (object: JsonObject) =>
    await until(
      () => kube().get(object),
      ({code}) => code === 404,
    )
  const eventsOf = async (name: string) =>
    asObjects((await kube().send('GET', '/api/v1/namespaces/team/events')).body.items)
      .filter(({involvedObject}) => asObject(involvedObject).name === name)
      .map(({reason, message}) => `${asText(reason)} ${asText(message)}`)

  beforeAll(async () => {
    for (const name of ['runners', 'team'])
      await apply({apiVersion: 'v1', kind: 'Namespace', metadata: {name}})
    for (const crd of OTHER_CRDS) await applyAll(cluster(), Buffer.from(crd))
    demoToken = await installStack(cluster(), chartPackage(mkdtempSync(join(root, 'p-'))), DEMO)
    plainToken = await installStack(cluster(), namedPackage(mkdtempSync(join(root, 'p-'))), PLAIN)
    endCollection = collectGarbage(cluster())
    await start()
  }, 180_000)

  afterAll(async () => {
    await runner?.stop()
    await endCollection()
    await engine.close()
  })

  it('applies the objects of custom resources, each its own', async () => {
    await apply(demo('a', {size: 5, maps: {one: {}, two: {extra: 'x'}}}))
    await apply(demo('b', {maps: {one: {}}}))
    expect([await synced('a'), await synced('b')]).toEqual([SYNCED, SYNCED])
    expect([await dataOf('a-one'), await dataOf('a-two'), await dataOf('b-one')]).toEqual([
      {size: '5'},
      {size: '5', extra: 'x'},
      {size: '1'},
    ])
    const {metadata} = await read(demo('a'))
    expect(asObject(metadata).finalizers).toEqual(['templating-controller.crossplane.io'])
    expect(await eventsOf('a')).toEqual(['ReconcileSuccess '])
  })

  it('takes changes of its fields back at once, and keeps those of others', async () => {
    const change = {metadata: {labels: {theirs: 'kept'}}, data: {size: '7', theirs: 'kept'}}
    const path = '/api/v1/namespaces/team/configmaps/a-one'
    await patch(path, change)
    await until(
      () => dataOf('a-one'),
      data => data.size === '5',
    )
    accepted(await kube().delete(map('b-one')))
    await until(
      () => kube().get(map('b-one')),
      ({code}) => code === 200,
    )
    const {metadata, data} = await read(map('a-one'))
    expect({data, theirs: asObject(asObject(metadata).labels).theirs}).toEqual({
      data: {size: '5', theirs: 'kept'},
      theirs: 'kept',
    })
  })

  it('removes a field and an object that are no longer rendered', async () => {
    await apply(demo('a', {size: 5, maps: {two: {}}}))
    await gone(map('a-one'))
    await synced('a')
    expect(await dataOf('a-two')).toEqual({size: '5'})
    expect(await eventsOf('a')).toContainEqual(
      'Pruned deleted ConfigMap team/a-one: it is no longer rendered',
    )
  })

  it('shows in a dry run what would change, and counts what would not', async () => {
    await patch('/apis/demo.example.org/v1/namespaces/team/demos/b', {spec: {maps: {new: {}}}})
    await synced('b')
    const before = await dryRun(cluster(), engine, {...DEMO, token: demoToken})
    expect(before.diff).toEqual({objects: [], unchanged: 3, rejections: []})
    await runner?.stop()
    await apply(demo('b', {maps: {one: {}, other: {}}}))
    const {diff, count} = await dryRun(cluster(), engine, {...DEMO, token: demoToken})
    const changes = diff.objects.map(({change, object}) => `${change} ${object.name}`)
    expect({changes, unchanged: diff.unchanged, count}).toEqual({
      changes: ['create b-other'],
      unchanged: 3,
      count: 2,
    })
    await start()
    await synced('b')
    expect(await dataOf('b-other')).toEqual({size: '1'})
  })

  it('writes nothing in another process while nothing changes', async () => {
    const mark = await auditOf(cluster()).mark()
    await start()
    await until(
      () => Promise.resolve(runner?.notReady()),
      reason => reason === undefined,
    )
    // A pass over each: only then is the status of a new one written.
    await apply(demo('last'))
    await synced('last')
    const isOther = ({user, name, resource}: AuditEntry) =>
      user.startsWith('system:serviceaccount:') && name !== 'last' && resource !== 'events'
    const entries = await auditOf(cluster()).since(mark)
    expect(entries.filter(entry => isWrite(entry) && isOther(entry))).toEqual([])
    expect((await eventsOf('a')).sort()).toEqual([
      expect.stringMatching(/^DriftCorrected ConfigMap team\/a-one: changed data\.size \(set by \w+\)$/),
      'Pruned deleted ConfigMap team/a-one: it is no longer rendered',
      expect.stringMatching(/^ReconcileSuccess/),
    ])
  })

  it('leaves an object of someone else alone and names it, until its stack may adopt it', async () => {
    await apply(map('c-one', {data: {size: 'theirs'}}))
    await apply(demo('c', {maps: {one: {}, two: {}}}))
    expect(await settled('c', ({status}) => status === 'False')).toEqual({
      status: 'False',
      reason: 'NotOwned',
      message: 'cannot apply ConfigMap team/c-one: it exists, and does not belong to the custom resource',
    })
    expect([await dataOf('c-one'), await dataOf('c-two')]).toEqual([{size: 'theirs'}, {size: '1'}])
    const annotations = {'templatestacks.crossplane.io/adopt': 'true'}
    await apply(demo('c', {maps: {one: {}, two: {}}}, {annotations, labels: {team: 'x'}}))
    await until(
      () => read(map('c-two')),
      ({metadata}) => asObject(asObject(metadata).labels).team === 'x',
    )
    expect(await dataOf('c-one')).toEqual({size: 'theirs'})
    await patch(DEFINITION_PATH, {metadata: {annotations}})
    await synced('c')
    expect(await dataOf('c-one')).toEqual({size: '1'})
    await patch(DEFINITION_PATH, {metadata: {annotations: {'templatestacks.crossplane.io/adopt': null}}})
  })

  it('applies and deletes objects outside of the namespace, which garbage collection does not delete', async () => {
    const big = {apiVersion: 'demo.example.org/v1', kind: 'Big', metadata: {name: 'd-big'}}
    const far = {...map('d-far'), metadata: {name: 'd-far', namespace: 'runners'}}
    const create = async () => {
      await apply(demo('d', {big: 'd-big', maps: {far: {namespace: 'runners'}}}))
      await synced('d')
    }
    await create()
    for (const outside of [big, far])
      expect(asObject((await read(outside)).metadata).ownerReferences).toBeUndefined()
    accepted(await kube().delete(far))
    await until(
      () => kube().get(far),
      ({code}) => code === 200,
    )
    accepted(await kube().delete(demo('d')))
    await gone(demo('d'))
    expect([(await kube().get(big)).code, (await kube().get(far)).code]).toEqual([404, 404])
  })

  it('deletes the record of a custom resource whose finalizer was removed by hand, and names what stays', async () => {
    await apply(demo('g', {maps: {far: {namespace: 'runners'}}}))
    await synced('g')
    const record = async () => {
      const {uid} = asObject((await read(demo('g'))).metadata)
      return {
        ...map(`template-children-${asText(uid)}`),
        metadata: {name: `template-children-${asText(uid)}`, namespace: 'runners'},
      }
    }
    const first = await record()
    expect((await kube().get(first)).code).toBe(200)
    const force = async () => {
      const path = '/apis/demo.example.org/v1/namespaces/team/demos/g'
      await patch(path, {metadata: {finalizers: null}})
      await gone(demo('g'))
    }
    const warnings = () => runner?.log.filter(({level}) => level === 'warning').map(({message}) => message)
    const warning =
      'Demo team/g is gone without its finalizer: its record is deleted; these objects stay: ConfigMap runners/g-far'
    // While no process runs.
    await runner?.stop()
    accepted(await kube().delete(demo('g')))
    await force()
    await start()
    await gone(first)
    expect(warnings()).toContain(warning)
    // While one waits for an object.
    await apply(demo('g', {maps: {far: {namespace: 'runners'}}}))
    await synced('g')
    const second = await record()
    const hold = (finalizers: readonly string[]) =>
      patch('/api/v1/namespaces/runners/configmaps/g-far', {metadata: {finalizers}})
    await hold(['example.org/hold'])
    accepted(await kube().delete(demo('g')))
    await settled('g', ({reason}) => reason === 'Deleting')
    await force()
    await gone(second)
    expect(warnings()?.filter(text => text === warning)).toHaveLength(2)
    await hold([])
  })

  it('names the rule that is missing, and continues when it is granted', async () => {
    await apply(demo('e', {needsRights: true, maps: {one: {}}}))
    const {reason, message} = await settled('e', ({status}) => status === 'False')
    expect({reason, rule: /lacks the rule (\{.*\})/.exec(message)?.[1]}).toEqual({
      reason: 'PermissionDenied',
      rule: '{apiGroups: ["demo.example.org"], resources: ["extras"], verbs: ["*"]}',
    })
    expect(await dataOf('e-one')).toEqual({size: '1'})
    const metadata = {name: 'extras'}
    const group = 'rbac.authorization.k8s.io'
    const role = {apiVersion: `${group}/v1`, kind: 'ClusterRole', metadata}
    await apply({...role, rules: [{apiGroups: ['demo.example.org'], resources: ['extras'], verbs: ['*']}]})
    await apply({
      ...role,
      kind: 'ClusterRoleBinding',
      roleRef: {apiGroup: group, kind: 'ClusterRole', name: 'extras'},
      subjects: [{kind: 'ServiceAccount', ...DEMO}],
    })
    expect(await synced('e')).toEqual(SYNCED)
  })

  it('names the rule that --leader-elect needs', async () => {
    const config = readFileSync(cluster().kubeconfig, 'utf8').replaceAll(cluster().tokens.admin, demoToken)
    const file = join(root, 'kubeconfig')
    writeFileSync(file, config)
    const flags = {kubeconfig: file, 'leader-elect': true, 'log-format': 'text'} as const
    const controller = await openController(flags, '0.1.0')
    const optOut = 'without --leader-elect'
    const lease = {namespace: 'runners', name: 'template-stack-demo', optOut}
    const options = {lease, notReady: () => undefined}
    await expect(controller.run(options, () => Promise.resolve())).rejects.toMatchObject({
      code: 'cluster-denied',
      suggestions: expect.arrayContaining([
        expect.stringContaining(
          '{apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "update", "delete"]}',
        ),
      ]),
    })
  })

  it('deletes by priority, also while templates fail', async () => {
    await apply(demo('f', {maps: {last: {priority: '-1'}, first: {priority: '9'}, other: {}}}))
    await synced('f')
    const hold = {metadata: {finalizers: ['example.org/hold']}}
    const path = '/api/v1/namespaces/team/configmaps/f-first'
    await patch(path, hold)
    await apply(demo('f', {maps: 'broken'}))
    expect(await settled('f', ({status}) => status === 'False')).toMatchObject({reason: 'TemplateError'})
    accepted(await kube().delete(demo('f')))
    const {message} = await settled('f', ({reason}) => reason === 'Deleting')
    const deleting = async (name: string) =>
      asText(asObject((await read(map(name))).metadata).deletionTimestamp) !== ''
    expect([message, await deleting('f-first'), await deleting('f-other'), await deleting('f-last')]).toEqual(
      ['waiting for the deletion of ConfigMap team/f-first', true, false, false],
    )
    await patch(path, {metadata: {finalizers: null}})
    await gone(demo('f'))
    const left = await Promise.all(['first', 'other', 'last'].map(name => kube().get(map(`f-${name}`))))
    expect(left.map(({code}) => code)).toEqual([404, 404, 404])
  })

  it('follows a definition that changes', async () => {
    const path = DEFINITION_PATH
    const files = (text: string) => ({spec: {behavior: {source: {files: {'templates/all.yaml': text}}}}})
    await patch(path, files(CHART.replace('size: {{', 'new: {{')))
    await until(
      () => dataOf('a-two'),
      data => data.new === '5' && data.size === undefined,
    )
    await patch(path, {spec: {behavior: {engine: {type: 'helm9'}}}})
    expect(await settled('a', ({status}) => status === 'False')).toMatchObject({
      reason: 'StackDefinitionInvalid',
    })
    // Also in a process that has never seen a valid one.
    await start()
    await apply(demo('h', {maps: {one: {}}}))
    expect(await settled('h', ({status}) => status === 'False')).toMatchObject({
      reason: 'StackDefinitionInvalid',
    })
    await apply(demo('i'))
    accepted(await kube().delete(demo('i')))
    await gone(demo('i'))
    await patch(path, {spec: {behavior: {engine: {type: 'helm3'}}}})
    await patch(path, files(CHART))
    await until(
      () => dataOf('a-two'),
      data => data.size === '5' && data.new === undefined,
    )
    expect([await synced('a'), await synced('h'), await dataOf('h-one')]).toEqual([
      SYNCED,
      SYNCED,
      {size: '1'},
    ])
  })

  it.each([1, 2, 3, 4, 5])('that ends after %i writes is continued by another process', async writes => {
    const name = `k${writes}`
    await start(writes)
    await apply(demo(name, {maps: {one: {}, two: {}}, big: `${name}-big`}))
    // More writes than these are due for the object alone, and for others that changed before.
    await runner?.ended
    await start()
    await synced(name)
    expect([await dataOf(`${name}-one`), await dataOf(`${name}-two`)]).toEqual([{size: '1'}, {size: '1'}])
  })

  it('takes over what the original controller made, with the fields that are no longer rendered', async () => {
    await runner?.stop()
    const {metadata} = await apply(demo('t', {maps: {one: {}}}))
    const uid = asText(asObject(metadata).uid)
    const owner = {apiVersion: 'demo.example.org/v1', kind: 'Demo', name: 't', uid, controller: true}
    const labels = {'core.crossplane.io/parent-name': 't'}
    const made = {name: 't-one', namespace: 'team', labels, ownerReferences: [owner]}
    accepted(await kube().create({...map(''), metadata: made, data: {size: '1', old: 'x'}}))
    await start()
    await synced('t')
    expect(await dataOf('t-one')).toEqual({size: '1'})
  })

  it('sets the status of a kind without its subresource, once per change', async () => {
    const plain = {apiVersion: 'demo.example.org/v1', kind: 'Plain', metadata: {name: 'p', namespace: 'team'}}
    const second = await startRunner(cluster(), engine, {...PLAIN, token: plainToken})
    await apply({...plain, spec: {size: 3}})
    const {status} = await until(
      () => read(plain),
      object => asObject(object.status).seen === '3',
    )
    expect(conditionIn({status: status ?? null})).toEqual(SYNCED)
    const {metadata} = await read(plain)
    await new Promise(resolve => setTimeout(resolve, 1500))
    expect((await read(plain)).metadata).toEqual(metadata)
    await second.stop()
  })
})
