import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  type JsonObject,
  type KubernetesObject,
  readYaml,
} from 'kubectl-crossplane/plugin'
import {auditOf, isWrite} from '../../../test/cluster/audit.js'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, until} from '../../../test/cluster/kube.js'
import {managerObjects} from '../src/manifests/manager-objects.js'
import {installPass} from '../src/run/install-pass.js'
import {passPorts} from '../src/run/pass-ports-of.js'
import type {PassPorts} from '../src/run/pass-ports.js'
import {runCli} from '../../../test/run-cli.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'
import {API, managerSuite, named, request, SYSTEM} from './run/manager-suite.js'
import {contains, managedCluster, openManager, type RealManager, startManager} from './run/real-manager.js'
import {recordCases} from './run/record-cases.js'
import {writeSamples} from './run/sample-packages.js'

// The first pass of a process reads everything, which takes long where every core is busy.
jest.setTimeout(120_000)

const packages = mkdtempSync(join(temporaryFolder(), 'packages-'))

const CONTROLLER = named('Deployment', 'queue-controller', SYSTEM, 'apps/v1')
const QUEUE = request(SYSTEM, 'queue', {package: 'example/queue:v1.0.0'})

describeCluster({version: 'current', pods: true}, 'manager run', cluster => {
  let manager: RealManager | undefined
  let token = ''
  const {kube, apply, read, settled, gone, policy} = managerSuite(cluster)
  const start = async () => {
    await manager?.stop()
    manager = await startManager(cluster(), token, packages)
  }
  const versionIn = (deployment: JsonObject) => {
    const pod = asObject(asObject(asObject(deployment.spec).template).spec)
    return asText(asObjects(asObjects(pod.containers)[0]?.env)[0]?.value)
  }
  beforeAll(async () => {
    writeSamples(packages)
    token = await managedCluster(cluster(), packages, [SYSTEM, 'team'])
    await start()
  }, 180_000)

  afterAll(async () => {
    await manager?.stop()
  })

  it('installs what a request names, as it is rendered, and is Ready when its Deployment is', async () => {
    await apply(QUEUE)
    expect(await settled(QUEUE, 'Ready', /^True/)).toBe('True Available')
    const {stdout} = await runCli(
      ...['package', 'render', 'example/queue:v1.0.0', 'queue', '--packages', packages, '--no-dependencies'],
    )
    const rendered = readYaml(Buffer.from(stdout), 'rendered').map(({value}) => asObject(value))
    const different = []
    for (const object of rendered) if (!contains(await read(object), object)) different.push(object)
    expect({count: rendered.length > 6, different}).toEqual({count: true, different: []})
    const {status, metadata} = await read(QUEUE)
    expect(asObject(status).resolved).toEqual({package: 'example/queue:v1.0.0', version: 'v1.0.0'})
    expect(asTexts(asObject(metadata).finalizers)).toEqual(['finalizer.packageinstall.crossplane.io'])
  })

  it('writes nothing in another process while nothing changes', async () => {
    const mark = await auditOf(cluster()).mark()
    await start()
    await apply(request(SYSTEM, 'lonely', {package: 'example/lonely:v1.0.0'}))
    await settled(request(SYSTEM, 'lonely', {}), 'Ready', /WaitingForDependency/)
    const sent = (await auditOf(cluster()).since(mark)).filter(({userAgent}) => userAgent === 'suite')
    const since = sent.filter(
      entry => isWrite(entry) && entry.name !== 'lonely' && entry.resource !== 'events',
    )
    expect(
      since.map(({verb, uri}) => `${verb} ${uri}`).filter(text => !/dryRun|reviews|selfsubject/.test(text)),
    ).toEqual([])
    // Besides its watch, it lists the requests of one namespace at most, however many there are.
    const lists = sent.filter(({uri}) => uri.startsWith(`/apis/${API}/packageinstalls?`))
    expect(lists.filter(({uri}) => /[?&]limit=50(?:&|$)/.test(uri))).toEqual([])
  })

  it('names the CRD that it waits for', async () => {
    expect(await settled(request(SYSTEM, 'lonely', {}), 'Ready', /./)).toContain(
      'things.nowhere.example.org/v1',
    )
  })

  it('takes changes of its objects back, and creates what was deleted', async () => {
    const deployment = await read(CONTROLLER)
    const env = [{op: 'replace', path: '/spec/template/spec/containers/0/env/0/value', value: 'changed'}]
    const path = `/apis/apps/v1/namespaces/${SYSTEM}/deployments/queue-controller`
    accepted(await kube().send('PATCH', path, env, 'application/json-patch+json'))
    expect(
      versionIn(
        await until(
          () => read(CONTROLLER),
          live => versionIn(live) === 'v1.0.0',
          60,
        ),
      ),
    ).toBe('v1.0.0')
    accepted(await kube().delete(CONTROLLER))
    const uid = (object: JsonObject) => asText(asObject(object.metadata).uid)
    await until(
      () => read(CONTROLLER),
      live => uid(live) !== '' && uid(live) !== uid(deployment),
      60,
    )
    await settled(QUEUE, 'Ready', /^True/)
  })

  it('upgrades by a change of the request, and leaves all as it is where that would lose instances', async () => {
    await apply({
      apiVersion: 'queue.example.org/v1',
      kind: 'Queue',
      metadata: {name: 'one', namespace: 'team'},
    })
    await apply({...QUEUE, spec: {package: 'example/queue:v1.1.0'}})
    await until(
      () => read(CONTROLLER),
      live => versionIn(live) === 'v1.1.0',
      60,
    )
    await settled(QUEUE, 'Ready', /^True/)
    await apply({...QUEUE, spec: {package: 'example/queue:v2.0.0'}})
    expect(await settled(QUEUE, 'Synced', /^False/)).toMatch(/UpgradeRefused .*queues/)
    const {status} = await read(QUEUE)
    expect([asObject(asObject(status).resolved).version, versionIn(await read(CONTROLLER))]).toEqual([
      'v1.1.0',
      'v1.1.0',
    ])
    await apply({...QUEUE, spec: {package: 'example/queue:v1.1.0'}})
    await settled(QUEUE, 'Synced', /^True/)
  })

  it('refuses what uses the node, and what contradicts itself', async () => {
    const node = request(SYSTEM, 'node', {package: 'example/node:v1.0.0'})
    await apply(node)
    expect(await settled(node, 'Ready', /hostPID/)).toMatch(/^False PermissionRefused/)
    const both = request(SYSTEM, 'both', {
      package: 'example/queue:v1.0.0',
      crd: 'queues.queue.example.org/v1',
    })
    await apply(both)
    expect(await settled(both, 'Ready', /InvalidRequest/)).toMatch(/^False/)
    for (const each of [node, both]) accepted(await kube().delete(each))
    for (const each of [node, both]) await gone(each)
  })

  it('serves another namespace only by the policy, with the groups that it gives to a package', async () => {
    const app = request('team', 'app', {package: 'example/app:v1.0.0'})
    await apply(app)
    expect(await settled(app, 'Ready', /PolicyRefused/)).toMatch(/^False/)
    await policy('manager: {namespaces: [team]}\n')
    expect(await settled(app, 'Ready', /group/)).toMatch(/PolicyRefused .*apps\.app\.example\.org/)
    const owned = 'owners: {app.example.org: example/app}\nmanager: {namespaces: [team]}\n'
    const rule = '{name: closed, expression: plan.operations.size() == 0, message: closed this week}'
    await policy(`${owned}contact: Team A\nrules: [${rule}]\n`)
    expect(await settled(app, 'Ready', /rejects/)).toMatch(
      /PolicyRefused .*: the policy ConfigMap kubectl-crossplane-policy of Team A rejects it.*closed this week/s,
    )
    await policy(owned)
    expect(await settled(app, 'Ready', /^True/)).toBe('True Available')
    const cluster = {
      ...request('team', 'sly', {package: 'example/queue:v1.0.0'}),
      kind: 'ClusterPackageInstall',
    }
    await apply(cluster)
    expect(await settled(cluster, 'Ready', /PolicyRefused .*Cluster packages/)).toMatch(/^False/)
    accepted(await kube().delete(cluster))
    await gone(cluster)
  })

  it('changes no install of another namespace that needs a repair once the pass has begun', async () => {
    await manager?.stop()
    const app = await read(request('team', 'app', {}))
    accepted(await kube().delete(named('Deployment', 'app-controller', 'team', 'apps/v1')))
    const {manager: parts} = await openManager(cluster(), token, packages)
    const ports = passPorts(parts, new AbortController().signal, {
      wake: () => undefined,
      waits: () => undefined,
      hasChanged: () => false,
      wasEdited: () => false,
    })
    const planInstall: PassPorts['installer']['planInstall'] = async (object, settings) => {
      const change = await parts.installer.planInstall(object, settings)
      accepted(await kube().delete(CONTROLLER))
      return change
    }
    const {state} = await installPass(app as unknown as KubernetesObject, {
      ...ports,
      installer: {...parts.installer, planInstall},
    })
    expect(state.synced).toMatchObject({
      status: 'False',
      reason: 'UpgradeRefused',
      message: expect.stringContaining('requires the installs crossplane-system/queue'),
    })
    expect((await kube().get(CONTROLLER)).code).toBe(404)
    await start()
    for (const deployment of [CONTROLLER, named('Deployment', 'app-controller', 'team', 'apps/v1')])
      await until(
        () => kube().get(deployment),
        ({code}) => code === 200,
        60,
      )
    for (const object of [QUEUE, app]) await settled(object, 'Ready', /^True/)
  })

  it('waits with a deletion while something needs the package, and names it', async () => {
    accepted(await kube().delete(QUEUE))
    expect(await settled(QUEUE, 'Ready', /InstancesExist/)).toMatch(/queue/)
    expect(versionIn(await read(CONTROLLER))).toBe('v1.1.0')
    accepted(await kube().delete(request('team', 'app', {})))
    await gone(request('team', 'app', {}))
    const one = {
      apiVersion: 'queue.example.org/v1',
      kind: 'Queue',
      metadata: {name: 'one', namespace: 'team'},
    }
    accepted(await kube().delete(one))
    await gone(QUEUE)
    await gone(CONTROLLER)
    await gone(
      named('CustomResourceDefinition', 'queues.queue.example.org', undefined, 'apiextensions.k8s.io/v1'),
    )
  })

  it('takes over what package install installed under the name of a request', async () => {
    const {kubeconfig} = cluster()
    const {status, stderr} = await runCli(
      ...['package', 'install', 'example/queue:v1.0.0', 'queue', '--packages', packages, '--yes'],
      ...['--no-dependencies', '--replicas', '3', '--kubeconfig', kubeconfig],
    )
    expect({status, stderr}).toMatchObject({status: 0})
    const before = await read(CONTROLLER)
    await apply(QUEUE)
    await settled(QUEUE, 'Ready', /^True/)
    const uid = (object: JsonObject) => asText(asObject(object.metadata).uid)
    expect(uid(await read(CONTROLLER))).toBe(uid(before))
    expect(asObject((await read(CONTROLLER)).spec).replicas).toBe(3)
    accepted(await kube().delete(QUEUE))
    await gone(QUEUE)
    await gone(CONTROLLER)
  })

  it('gets requests from package install, upgrade and uninstall while its Deployment is running', async () => {
    const deployment = managerObjects({image: 'example.org/x:v1', namespace: SYSTEM, flags: []}).find(
      ({kind}) => kind === 'Deployment',
    )
    await apply(deployment!)
    const run = async (...args: readonly string[]) =>
      await runCli('package', ...args, '--kubeconfig', cluster().kubeconfig, '--yes')
    const install = async (version: string, ...flags: readonly string[]) =>
      await run(
        ...['install', `example/queue:${version}`, 'queue', '--packages', packages, '--timeout', '60s'],
        ...flags,
      )
    const replicas = async () => asObject((await read(CONTROLLER)).spec).replicas
    const uninstall = async (...flags: readonly string[]) =>
      await run('uninstall', 'queue', '-n', SYSTEM, '--timeout', '60s', ...flags)

    const before = await auditOf(cluster()).mark()
    expect(await install('v1.0.0')).toMatchObject({status: 0})
    expect(versionIn(await read(CONTROLLER))).toBe('v1.0.0')
    expect(await install('v1.1.0', '--replicas', '2')).toMatchObject({status: 0})
    expect([versionIn(await read(CONTROLLER)), await replicas()]).toEqual(['v1.1.0', 2])
    const one = {
      apiVersion: 'queue.example.org/v1',
      kind: 'Queue',
      metadata: {name: 'one', namespace: 'team'},
    }
    await apply(one)
    expect(await uninstall()).toMatchObject({status: 5})
    expect(await uninstall('--custom-resources', 'keep')).toMatchObject({status: 0})
    const codes = async () =>
      await Promise.all([one, QUEUE, CONTROLLER].map(async each => (await kube().get(each)).code))
    expect(await codes()).toEqual([200, 404, 404])
    expect(await install('v1.1.0')).toMatchObject({status: 0})
    expect(await uninstall('--custom-resources', 'delete', '--confirm-delete', '1')).toMatchObject({
      status: 0,
    })
    expect(await codes()).toEqual([404, 404, 404])
    const written = (await auditOf(cluster()).since(before))
      .filter(entry => isWrite(entry) && entry.userAgent.startsWith('kubectl-crossplane/'))
      .filter(({uri, resource}) => !uri.includes('dryRun') && !/reviews$|^leases$/.test(resource))
      .map(({verb, resource}) => `${verb} ${resource}`)
    // The second is the upgrade, the third keeps the custom resources, the last records those that are deleted.
    const request = 'clusterpackageinstalls'
    expect(written).toEqual([
      ...[`patch ${request}`, `patch ${request}`, `patch ${request}`, `delete ${request}`],
      ...[`patch ${request}`, `patch ${request}`, 'delete queues', `delete ${request}`],
    ])
    accepted(await kube().delete(deployment!))
    // Six commands wait for the manager, each up to a minute.
  }, 360_000)

  it('gives the users of a labelled namespace their roles, and repairs them', async () => {
    const role = named('ClusterRole', 'crossplane:ns:team:edit', undefined, 'rbac.authorization.k8s.io/v1')
    const exists = async () =>
      await until(
        () => kube().get(role),
        ({code}) => code === 200,
        60,
      )
    const label = async (value: string | null) => {
      const patch = {metadata: {labels: {'rbac.crossplane.io/managed-roles': value}}}
      accepted(await kube().send('PATCH', '/api/v1/namespaces/team', patch, 'application/merge-patch+json'))
    }
    await label('true')
    const {body} = await exists()
    expect(asObjects(asObject(body.metadata).ownerReferences).map(({kind, name}) => [kind, name])).toEqual([
      ['Namespace', 'team'],
    ])
    accepted(await kube().delete(role))
    await exists()
    await label(null)
    await gone(role)
  })

  it('finds the package of a CRD, and makes requests of its dependencies', async () => {
    await policy(
      'owners: {app.example.org: example/app, queue.example.org: example/queue}\nmanager: {clusterNamespaces: [team]}\n',
    )
    const byCrd = request('team', 'wanted', {crd: 'apps.app.example.org/v1'})
    await apply(byCrd)
    expect(await settled(byCrd, 'Ready', /^True/)).toBe('True Available')
    const list = await kube().send('GET', `/apis/${API}/namespaces/${SYSTEM}/clusterpackageinstalls`)
    const auto = asObjects(list.body.items).find(
      ({metadata}) => asObject(asObject(metadata).labels)['kubectl-crossplane.dev/auto'] === 'true',
    )
    expect(asObject(auto?.spec).package).toBe('example/queue:v1.1.0')
    accepted(await kube().delete(byCrd))
    await gone(byCrd)
    await gone({...auto, apiVersion: API, kind: 'ClusterPackageInstall'})
  })

  recordCases(managerSuite(cluster))
})
