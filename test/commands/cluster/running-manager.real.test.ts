import {beforeAll, describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {objectsIn, runIn} from './installing.js'
import {DemoPackages} from './some-world.js'

const ERAS = [
  {api: 'packages', manager: 'crossplane-package-manager', request: 'ClusterPackageInstall'},
  {api: 'stacks', manager: 'crossplane-stack-manager', request: 'ClusterStackInstall'},
]
const MERGE = 'application/merge-patch+json'

describe.each(ERAS)('a cluster in which $manager is running', ({api, manager, request}) => {
  describeCluster('current', 'on a current server', cluster => {
    const {folder} = new DemoPackages()
      .publish('db', 'v1.0.0')
      .publish('sql', 'v1.0.0')
      .publish('sql', 'v1.1.0')
    const run = (...args: string[]) => runIn(cluster(), 'package', ...args)
    const install = (name: string, ...flags: string[]) => installAt(`${name}:v1.0.0`, ...flags)
    const installAt = (name: string, ...flags: string[]) =>
      run('install', `demo/${name}`, '--packages', folder, '--api', api, '--yes', ...flags)
    const group = `${api}.crossplane.io`
    const requestPath = `/apis/${group}/v1alpha1/namespaces/crossplane-system/${request.toLowerCase()}s/demo-sql`
    const deploymentPath = `/apis/apps/v1/namespaces/default/deployments/${manager}`
    let before: readonly string[] = []

    beforeAll(async () => {
      expect(await install('db', '--base', '--create-namespace', '--no-wait')).toMatchObject({status: 0})
      accepted(await cluster().kube.create(deploymentOf(manager)))
      before = await objectsIn(cluster())
    }, 60_000)

    const added = async () => (await objectsIn(cluster())).filter(name => !before.includes(name))

    it('receives only the request of an install', async () => {
      const {status, stderr} = await install('sql', '--timeout', '1s')
      expect({status, stderr}).toEqual({
        status: 6,
        stderr: expect.stringContaining(
          `Note: the package manager default/${manager} is running: only the request is created, and it does the rest`,
        ),
      })
      expect(stderr).toMatch(new RegExp(`^ {2}${request} crossplane-system/demo-sql is not ready: `, 'm'))
      expect(await added()).toEqual([`${request}.${group} crossplane-system/demo-sql`])
    })

    it('ends the wait when its manager reports that the install is ready', async () => {
      const conditions = [
        {type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z', reason: ''},
      ]
      const status = {conditionedStatus: {conditions}}
      for (const path of [requestPath, `${requestPath}/status`])
        await cluster().kube.send('PATCH', path, {status}, MERGE)
      expect(await install('sql', '--timeout', '10s')).toMatchObject({status: 0})
      expect(await added()).toEqual([`${request}.${group} crossplane-system/demo-sql`])
    })

    it('would ignore a change of the request, which is rejected', async () => {
      const {status, stderr} = await installAt('sql:v1.1.0')
      expect({status, stderr}).toEqual({
        status: 5,
        stderr: expect.stringContaining(
          `the package manager default/${manager} is running, and ignores changes of ${request} crossplane-system/demo-sql, which exists`,
        ),
      })
      expect(stderr).toContain(`Try: kubectl scale deployment ${manager} --namespace default --replicas 0`)
      const {body} = await cluster().kube.send('GET', requestPath)
      expect(body.spec).toMatchObject({package: 'demo/sql:v1.0.0'})
    })

    it('loses only the request of an install that is uninstalled', async () => {
      expect(await run('uninstall', 'demo-sql', '-n', 'crossplane-system', '--yes')).toMatchObject({
        status: 0,
      })
      expect(await added()).toEqual([])
    })

    it('receives the same request from a saved plan after an interruption, until nothing is left', async () => {
      expect(await install('sql', '--no-wait')).toMatchObject({status: 0})
      const finalizers = (names: readonly string[]) =>
        cluster().kube.send('PATCH', requestPath, {metadata: {finalizers: names}}, MERGE)
      accepted(await finalizers(['finalizer.packageinstall.crossplane.io']))
      const file = join(folder, 'uninstall.json')
      const uninstall = (...flags: string[]) => run('uninstall', ...flags)
      expect(await uninstall('demo-sql', '-n', 'crossplane-system', '--plan-out', file)).toMatchObject({
        status: 0,
      })
      for (let attempt = 1; attempt <= 2; attempt++) {
        const waiting = await uninstall('--plan', file, '--timeout', '1s')
        expect(waiting).toMatchObject({status: 6, stderr: expect.stringContaining('cannot delete ')})
      }
      accepted(await finalizers([]))
      expect(await uninstall('--plan', file)).toMatchObject({status: 0})
      expect(await uninstall('demo-sql', '-n', 'crossplane-system', '--yes')).toMatchObject({status: 1})
      expect(await added()).toEqual([])
    })

    it('keeps installs of this program until the manager is stopped', async () => {
      for (const rejected of [
        await run('uninstall', 'demo-db', '-n', 'crossplane-system', '--yes'),
        await install('db'),
      ]) {
        expect(rejected).toMatchObject({status: 5})
        expect(rejected.stderr).toContain(
          `Try: kubectl scale deployment ${manager} --namespace default --replicas 0`,
        )
      }
      accepted(await cluster().kube.send('PATCH', deploymentPath, {spec: {replicas: 0}}, MERGE))
      expect(await run('uninstall', 'demo-db', '-n', 'crossplane-system', '--yes')).toMatchObject({status: 0})
    })
  })
})

function deploymentOf(name: string) {
  const labels = {app: name}
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name, namespace: 'default'},
    spec: {
      replicas: 1,
      selector: {matchLabels: labels},
      template: {
        metadata: {labels},
        spec: {containers: [{name: 'manager', image: 'registry.example.org/crossplane/manager:v1'}]},
      },
    },
  }
}
