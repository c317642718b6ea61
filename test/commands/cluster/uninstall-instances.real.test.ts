import {afterAll, afterEach, beforeAll, beforeEach, expect, it} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {type AuditEntry, auditOf, isWrite} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, until} from '../../cluster/kube.js'
import {compileForChild, type CompiledScript} from '../../compile-for-child.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {wholeObjectsIn} from './cluster-state.js'
import {type Controller, FINALIZER, startController, TINY_CONTROLLER} from './controlled.js'
import {runIn} from './installing.js'
import {DemoPackages} from './some-world.js'

const temporary = temporaryFolder()
const TEAM = 'team-a'
const DEPLOYMENT = 'demo-cache-controller'

const CACHE = (name: string) => ({
  apiVersion: 'demo.example.org/v1',
  kind: 'CACHES',
  metadata: {namespace: TEAM, name},
})

describeCluster('current', 'an uninstall with custom resources', cluster => {
  const {folder} = new DemoPackages('Namespaced', {keepsFields: true}).publish('cache', 'v1.0.0')
  let script: CompiledScript
  let controller: Controller

  beforeAll(async () => {
    script = await compileForChild(TINY_CONTROLLER)
  })
  afterAll(() => script.remove())

  beforeEach(async () => {
    const flags = ['--packages', folder, '--no-wait', '--yes', '--with-package-api', '--create-namespace']
    const {status, stderr} = await runIn(
      cluster(),
      ...['package', 'install', 'demo/cache', '--namespace', TEAM, ...flags],
    )
    expect({status, stderr}).toEqual({status: 0, stderr})
    const served = {plural: 'caches', namespace: TEAM, deployment: DEPLOYMENT}
    controller = startController(cluster(), script, mkdtempSync(join(temporary, 'controller-')), served)
    for (const name of ['one', 'two', 'three']) accepted(await cluster().kube.create(CACHE(name)))
    await until(
      () => Promise.resolve(controller.external()),
      ({length}) => length === 3,
    )
  }, 60_000)
  afterEach(() => controller.kill())

  const uninstall = (...flags: string[]) =>
    runIn(cluster(), 'package', 'uninstall', `${TEAM}/demo-cache`, '--yes', ...flags)
  const DELETE = ['--custom-resources', 'delete']

  it.each<[string, readonly string[], string]>([
    ['without a flag', [], '3 custom resources of caches.demo.example.org would lose their controller'],
    ['without a count', DELETE, 'deleting 3 custom resources requires --confirm-delete=3'],
    [
      'with another count',
      [...DELETE, '--confirm-delete', '2'],
      '--confirm-delete is 2, but 3 custom resources would be deleted',
    ],
  ])(
    'is rejected %s, and nothing changes',
    async (_, flags, message) => {
      const before = await wholeObjectsIn(cluster())
      const {status, stderr} = await uninstall(...flags)
      expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining(message)})
      expect(await wholeObjectsIn(cluster())).toEqual(before)
      expect(controller.external()).toHaveLength(3)
      expect(await uninstall(...DELETE, '--confirm-delete', '3')).toMatchObject({status: 0})
    },
    60_000,
  )

  it('deletes them with their external state, and then the controller, CRD and RBAC', async () => {
    const audit = auditOf(cluster())
    const mark = await audit.mark()
    const {status, stderr} = await uninstall(...DELETE, '--confirm-delete', '3', '--no-wait')
    expect({status, stderr}).toEqual({status: 0, stderr})
    await controller.ended
    expect(controller.external()).toEqual([])
    const steps = (await audit.since(mark)).filter(isWrite).flatMap(stepOf)
    // The controller removes finalizers while other instances are being deleted.
    expect([...new Set(steps)]).toEqual([
      ...['delete caches', 'patch caches', 'delete deployments', 'delete rolebindings'],
      ...['delete serviceaccounts', 'delete packages', 'unclaim', 'delete customresourcedefinitions'],
      // Who may list the custom resources by a role of the package can complete the removal.
      ...['delete clusterroles', 'delete configmaps', 'delete leases'],
    ])
  }, 60_000)

  it('waits for a controller that does not run, names the finalizer, and is continued later', async () => {
    await controller.kill()
    const before = await wholeObjectsIn(cluster())
    const {status, stderr} = await uninstall(...DELETE, '--confirm-delete', '3', '--timeout', '1s')
    expect({status, stderr}).toEqual({status: 6, stderr: expect.stringContaining(FINALIZER)})
    const after = await wholeObjectsIn(cluster())
    expect(Object.keys(after)).toEqual(Object.keys(before))
    expect(controller.external()).toHaveLength(3)
    accepted(
      await cluster().kube.send(
        ...(['PATCH', `/apis/demo.example.org/v1/namespaces/${TEAM}/caches/one`] as const),
        ...([{metadata: {finalizers: null}}, 'application/merge-patch+json'] as const),
      ),
    )
    const served = {plural: 'caches', namespace: TEAM, deployment: DEPLOYMENT}
    controller = startController(cluster(), script, mkdtempSync(join(temporary, 'controller-')), served)
    expect(await uninstall(...DELETE, '--confirm-delete', '3')).toMatchObject({status: 0})
    await controller.ended
  }, 60_000)

  it('keeps them and their CRD with --custom-resources=keep', async () => {
    const {status, stderr} = await uninstall('--custom-resources', 'keep')
    expect({status, stderr}).toEqual({status: 0, stderr})
    await controller.ended
    const {kube} = cluster()
    const body = accepted(await kube.send('GET', `/apis/demo.example.org/v1/caches`))
    expect(body.items).toHaveLength(3)
    expect(controller.external()).toHaveLength(3)
    const crd = await kube.send(
      'GET',
      `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/caches.demo.example.org`,
    )
    expect(JSON.stringify(crd.body.metadata)).not.toContain('parent.packages.crossplane.io')
    expect(stderr).toMatch(/^keep +1 +CustomResourceDefinition +caches\.demo\.example\.org\s+kept by/m)
  }, 60_000)
})

/** A change of something of the install, by the program or the controller, as `delete caches`. */
function stepOf({verb, resource, uri, userAgent}: AuditEntry): string[] {
  if (!userAgent.startsWith('kubectl-crossplane') && resource !== 'caches') return []
  if (uri.includes(`fieldManager=crossplane-packages%3A`)) return ['unclaim']
  return verb === 'delete' || resource === 'caches' ? [`${verb} ${resource}`] : []
}
