import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted} from '../../../test/cluster/kube.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'
import {managerSuite, named, request, SYSTEM} from './run/manager-suite.js'
import {managedCluster, type RealManager, startManager} from './run/real-manager.js'
import {writeSamples} from './run/sample-packages.js'

jest.setTimeout(240_000)

const packages = mkdtempSync(join(temporaryFolder(), 'packages-'))
const GOING = named('Namespace', 'going')
const CRD = named('CustomResourceDefinition', 'apps.app.example.org', undefined, 'apiextensions.k8s.io/v1')

describeCluster({version: 'current', pods: true}, 'a namespace with installs of the manager', cluster => {
  let manager: RealManager | undefined
  const {kube, apply, remove, settled, gone, policy} = managerSuite(cluster)

  beforeAll(async () => {
    writeSamples(packages)
    const token = await managedCluster(cluster(), packages, [SYSTEM, 'going'])
    await policy('owners: {app.example.org: example/app}\nmanager: {clusterNamespaces: [going]}\n')
    manager = await startManager(cluster(), token, packages)
  }, 240_000)

  afterAll(async () => {
    await manager?.stop()
  })

  it('goes when it is deleted, with all that was installed in it', async () => {
    const queue = request(SYSTEM, 'queue', {package: 'example/queue:v1.0.0'})
    await apply(queue)
    await settled(queue, 'Synced', /^True/)
    const app = request('going', 'app', {package: 'example/app:v1.0.0'})
    await apply(app)
    await settled(app, 'Synced', /^True/)
    await remove(GOING)
    for (const object of [GOING, CRD]) await gone(object)
    const roles = accepted(await kube().send('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles'))
    expect(JSON.stringify(roles.items)).not.toContain(':going:')
    expect(JSON.stringify(roles.items)).toContain(`:${SYSTEM}:queue`)
  })
})
