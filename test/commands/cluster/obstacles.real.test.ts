import {beforeAll, expect, it} from '@jest/globals'
import {asObject, asObjects, type JsonObject} from '../../../src/yaml/json-value.js'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, until} from '../../cluster/kube.js'
import type {CliResult} from '../../run-cli.js'
import {FAILING_STAGES, FIXED} from './failing-stages.js'
import {ownEntries, runIn} from './installing.js'
import {DemoPackages} from './some-world.js'

const world = new DemoPackages()
for (const name of ['absent', 'crashing', 'crowded', 'noted', 'edited', 'owned'])
  world.publish(name, 'v1.0.0')

const POD_QUOTA = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: {namespace: 'crowded', name: 'none'},
  spec: {hard: {pods: '0'}},
}
const NOTE_QUOTA = {
  ...POD_QUOTA,
  metadata: {namespace: 'noted', name: 'none'},
  spec: {hard: {'count/configmaps': '0'}},
}

describeCluster({version: 'current', pods: true, stages: FAILING_STAGES}, 'an install', cluster => {
  const install = (name: string, ...flags: string[]): Promise<CliResult> => {
    const place = [
      '--packages',
      world.folder,
      '--namespace',
      name,
      '--with-package-api',
      '--create-namespace',
    ]
    const args = [`demo/${name}:v1.0.0`, name, ...place, '--timeout', '5s', '--yes', ...flags]
    return runIn(cluster(), 'package', 'install', ...args)
  }
  const expectInstalled = async (name: string, ...flags: string[]) => {
    const {status, stderr} = await install(name, ...flags)
    expect({status, stderr}).toEqual({status: 0, stderr})
  }
  const deploymentOf = (name: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {namespace: name, name: `${name}-controller`},
  })
  const untilAvailable = (name: string) =>
    until(
      () => cluster().kube.get(deploymentOf(name)),
      ({body}) => asObject(body.status).availableReplicas === 1,
      60,
    )

  /** A quota that Kubernetes counts for. */
  async function createQuota(quota: typeof POD_QUOTA | typeof NOTE_QUOTA): Promise<void> {
    const {kube} = cluster()
    const namespace = {apiVersion: 'v1', kind: 'Namespace', metadata: {name: quota.metadata.namespace}}
    accepted(await kube.create(namespace))
    accepted(await kube.create(quota))
    await until(
      () => kube.get(quota),
      ({body}) => Object.keys(asObject(asObject(body.status).hard)).length > 0,
    )
  }

  // The base is the same for all, and its CRDs take longest.
  beforeAll(() => expectInstalled('owned'), 60_000)

  it.each([
    {
      name: 'absent',
      why: 'container "controller" cannot pull its image "registry.example.org/demo/absent:v1.0.0": "Back-off pulling image: not found"',
    },
    {name: 'crashing', why: 'container "controller" exits with 2: "unknown flag: --x"'},
  ])(
    'reports why a container does not run, and is continued by the same command: $name',
    async ({name, why}) => {
      const {status, stderr} = await install(name)
      expect({status, stderr}).toEqual({status: 6, stderr})
      expect(stderr).toContain(
        `Deployment ${name}/${name}-controller is not ready: 0 of 1 replicas are available; ${why}`,
      )
      expect(stderr).toMatch(
        /^Try: Fix the cause, and run the command again, or pass a longer --timeout[.]$/m,
      )
      const {kube} = cluster()
      const pods = asObjects(accepted(await kube.send('GET', `/api/v1/namespaces/${name}/pods`)).items)
      const [pod] = pods.map(({metadata}) => asObject(metadata).name as string)
      const fixed = {metadata: {annotations: {[FIXED]: 'true'}}}
      const path = `/api/v1/namespaces/${name}/pods/${pod ?? ''}`
      accepted(await kube.send('PATCH', path, fixed, 'application/merge-patch+json'))
      await untilAvailable(name)
      await expectInstalled(name)
    },
    120_000,
  )

  it('reports that a quota allows no Pods, and is continued by the same command', async () => {
    await createQuota(POD_QUOTA)
    const {status, stderr} = await install('crowded')
    expect({status, stderr}).toEqual({status: 6, stderr})
    expect(stderr).toMatch(/Deployment crowded[/]crowded-controller is not ready: .*exceeded quota: none/)
    accepted(await cluster().kube.delete(POD_QUOTA))
    await untilAvailable('crowded')
    await expectInstalled('crowded')
  }, 120_000)

  it('changes nothing where a quota forbids its inventory, and is continued by the same command', async () => {
    await createQuota(NOTE_QUOTA)
    const mark = await auditOf(cluster()).mark()
    const {status, stderr} = await install('noted')
    expect({status, stderr}).toEqual({status: 1, stderr})
    expect(stderr).toMatch(
      /^Error: cannot apply ConfigMap noted[/]crossplane-package[.]noted: .*exceeded quota: none/m,
    )
    const writes = ownEntries(await auditOf(cluster()).since(mark)).filter(isWrite)
    expect(writes.filter(({resource}) => resource !== 'leases')).toEqual([])
    accepted(await cluster().kube.delete(NOTE_QUOTA))
    await expectInstalled('noted')
  }, 120_000)

  it('names the manager of a field in a conflict, which --force-conflicts takes over', async () => {
    await expectInstalled('edited')
    const {apiVersion, kind, metadata} = deploymentOf('edited')
    const containers = [{name: 'controller', image: 'registry.example.org/other'}]
    const theirs = {apiVersion, kind, metadata, spec: {template: {spec: {containers}}}}
    accepted(await cluster().kube.apply(theirs, {manager: 'kubectl', force: true}))
    const {status, stderr} = await install('edited')
    expect({status, stderr}).toEqual({status: 5, stderr})
    expect(stderr).toMatch(
      /^Error: Deployment edited[/]edited-controller: ".*[.]image" is managed by "kubectl"$/m,
    )
    expect(imageOf(accepted(await cluster().kube.get(theirs)))).toBe('registry.example.org/other')
    await expectInstalled('edited', '--force-conflicts')
    expect(imageOf(accepted(await cluster().kube.get(theirs)))).toBe(
      'registry.example.org/demo/edited:v1.0.0',
    )
  }, 120_000)

  it('takes over an object of another owner with --adopt only, and keeps it when it is uninstalled', async () => {
    const name = {kind: 'ServiceAccount', apiVersion: 'v1', metadata: {namespace: 'owned', name: 'owned'}}
    expect(await runIn(cluster(), 'package', 'uninstall', 'owned/owned', '--yes')).toMatchObject({status: 0})
    accepted(await cluster().kube.create({...name, automountServiceAccountToken: false}))
    const mark = await auditOf(cluster()).mark()
    const {status, stderr} = await install('owned')
    expect({status, stderr}).toEqual({status: 5, stderr})
    expect(stderr).toMatch(/ServiceAccount owned[/]owned/)
    expect(ownEntries(await auditOf(cluster()).since(mark)).filter(isWrite)).toEqual([])
    await expectInstalled('owned', '--adopt')
    expect(await runIn(cluster(), 'package', 'uninstall', 'owned/owned', '--yes')).toMatchObject({status: 0})
    expect(accepted(await cluster().kube.get(name)).automountServiceAccountToken).toBe(false)
  }, 120_000)
})

function imageOf(deployment: JsonObject): unknown {
  const {template} = asObject(deployment.spec)
  return asObjects(asObject(asObject(template).spec).containers)[0]?.image
}
