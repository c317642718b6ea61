import {beforeAll, expect, it} from '@jest/globals'
import {schemaOf, schemaViolations} from '../../json-schema.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {wholeObjectsIn} from './cluster-state.js'
import {runIn} from './installing.js'
import {DemoPackages, ownedBy} from './some-world.js'

const CACHE = (namespace: string, name: string) => ({
  apiVersion: 'demo.example.org/v1',
  kind: 'CACHES',
  metadata: {namespace, name},
})

describeCluster('current', 'the impact of an uninstall', cluster => {
  const {folder} = new DemoPackages('Namespaced', {keepsFields: true})
    .publish('cache', 'v1.0.0')
    .publish('app', 'v1.0.0', 'caches')
  const install = async (name: string, team: string) => {
    const flags = ['--packages', folder, '--no-wait', '--yes', '--with-package-api', '--create-namespace']
    const args = ['demo/' + name, name, '--namespace', team, ...ownedBy('cache'), ...flags]
    expect(await runIn(cluster(), 'package', 'install', ...args)).toMatchObject({status: 0})
  }
  const uninstall = (id: string, ...flags: string[]) => runIn(cluster(), 'package', 'uninstall', id, ...flags)

  beforeAll(async () => {
    await install('app', 'team-a')
    await install('cache', 'team-b')
    const kept = {...CACHE('team-a', 'a-kept'), spec: {reclaimPolicy: 'Retain', deletionPolicy: 'Orphan'}}
    const {metadata} = kept
    accepted(
      await cluster().kube.create({...kept, metadata: {...metadata, finalizers: ['demo.example.org/x']}}),
    )
    for (let i = 0; i < 24; i++) accepted(await cluster().kube.create(CACHE('team-a', `more-${10 + i}`)))
    accepted(await cluster().kube.create(CACHE('team-b', 'other')))
  }, 120_000)

  it('is part of the rejection, and nothing changes', async () => {
    const before = await wholeObjectsIn(cluster())
    const {status, stderr} = await uninstall('team-a/demo-cache', '--yes')
    expect({status, stderr}).toEqual({
      status: 5,
      stderr: expect.stringContaining(
        '25 custom resources of caches.demo.example.org would lose their controller: team-a/a-kept (reclaimPolicy Retain, deletionPolicy Orphan, finalizer demo.example.org/x), team-a/more-10,',
      ),
    })
    expect(stderr).toMatch(
      /^DEPENDENT +team-a\/app\n +requires caches\.demo\.example\.org\/v1 of team-a\/demo-cache$/m,
    )
    expect(stderr).toMatch(/^SHARED +caches\.demo\.example\.org\n +used by team-b\/cache$/m)
    expect(stderr).toMatch(
      /^RESOURCES +caches\.demo\.example\.org\n +25 custom resources lose their controller$/m,
    )
    expect(stderr).toMatch(/^ +and 5 more$/m)
    expect(stderr).not.toContain('team-b/other')
    expect(await wholeObjectsIn(cluster())).toEqual(before)
  })

  it('is part of the plan document', async () => {
    const {status, stdout} = await uninstall('team-a/demo-cache', '--dry-run', 'client', '-o', 'json')
    const document = JSON.parse(stdout) as {readonly impact: object}
    expect({status, violations: schemaViolations(schemaOf('plan'), document)}).toEqual({
      status: 5,
      violations: [],
    })
    expect(document.impact).toMatchObject({
      crds: [{crd: 'caches.demo.example.org', instances: 25, users: ['team-b/cache']}],
      dependents: [{install: 'team-a/app', crds: ['caches.demo.example.org/v1'], of: 'team-a/demo-cache'}],
    })
  })

  it('is that of a namespace only', async () => {
    const {stdout} = await uninstall('team-b/cache', '--dry-run', 'client', '-o', 'json')
    expect((JSON.parse(stdout) as {readonly impact: object}).impact).toEqual({
      crds: [
        {
          crd: 'caches.demo.example.org',
          instances: 1,
          first: [{namespace: 'team-b', name: 'other'}],
          users: ['team-a/demo-cache'],
        },
      ],
      dependents: [],
    })
  })
})
