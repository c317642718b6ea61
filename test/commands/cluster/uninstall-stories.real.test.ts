import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeAll, beforeEach, expect, it} from '@jest/globals'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {listener} from '../../listening.js'
import {objectsIn, runIn} from './installing.js'
import {type GatedCluster, gatedCluster} from './interrupted-run.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {DemoPackages, ownedBy} from './some-world.js'

const CACHE = (namespace: string, name: string) => ({
  apiVersion: 'demo.example.org/v1',
  kind: 'CACHES',
  metadata: {namespace, name},
})
const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'caches.demo.example.org'},
}
const DELETE = ['--custom-resources', 'delete', '--confirm-delete']

describeCluster('current', 'stories of uninstalls that others meet', cluster => {
  const listen = listener()
  const {folder} = new DemoPackages('Namespaced')
    .publish('cache', 'v1.0.0')
    .publish('app', 'v1.0.0', 'caches')
  const backups = temporaryFolder()
  let gated: GatedCluster
  let before: readonly string[]

  const install = async (name: string, team: string) => {
    const flags = ['--packages', folder, '--no-wait', '--yes', '--base', '--create-namespace']
    const args = [`demo/${name}`, name, '--namespace', team, ...ownedBy('cache'), ...flags]
    const {status, stderr} = await runIn(cluster(), 'package', 'install', ...args)
    expect({status, stderr}).toEqual({status: 0, stderr})
  }
  const uninstall = (id: string, ...flags: string[]) =>
    runIn(cluster(), 'package', 'uninstall', id, '--yes', ...flags)
  const create = async (namespace: string, name: string) =>
    accepted(await cluster().kube.create(CACHE(namespace, name)))
  const exists = async (object: Parameters<ReturnType<typeof cluster>['kube']['get']>[0]) =>
    (await cluster().kube.get(object)).code === 200

  beforeAll(async () => {
    gated = await gatedCluster(cluster(), listen)
    // The base and the namespaces with their roles stay.
    for (const team of ['team-a', 'team-b']) await install('cache', team)
    for (const team of ['team-a', 'team-b'])
      expect(await uninstall(`${team}/cache`)).toMatchObject({status: 0})
    before = await objectsIn(cluster())
  }, 120_000)

  beforeEach(() => install('cache', 'team-a'), 60_000)

  afterEach(async () => {
    expect(await objectsIn(cluster())).toEqual(before)
  })

  it("deletes only the instances of its namespace, of a CRD that another tenant's install uses", async () => {
    await install('cache', 'team-b')
    await create('team-a', 'mine')
    await create('team-b', 'theirs')
    expect(await uninstall('team-a/cache', ...DELETE, '2')).toMatchObject({status: 5})
    expect(await uninstall('team-a/cache', ...DELETE, '1')).toMatchObject({status: 0})
    expect(await exists(CACHE('team-a', 'mine'))).toBe(false)
    expect(await exists(CACHE('team-b', 'theirs'))).toBe(true)
    expect(await uninstall('team-b/cache', ...DELETE, '1')).toMatchObject({status: 0})
  }, 60_000)

  it('does not delete the data of another tenant with the last install of a CRD', async () => {
    await create('team-b', 'theirs')
    const {status, stderr} = await uninstall('team-a/cache')
    expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining('team-b/theirs')})
    expect(await exists(CACHE('team-b', 'theirs'))).toBe(true)
    accepted(await cluster().kube.delete(CACHE('team-b', 'theirs')))
    expect(await uninstall('team-a/cache')).toMatchObject({status: 0})
  }, 60_000)

  it('removes a dependency that nothing requires any more only with its flag', async () => {
    expect(await uninstall('team-a/cache')).toMatchObject({status: 0})
    // Without an install of its own, the dependency is an automatic one.
    await install('app', 'team-a')
    expect(await uninstall('team-a/app', '--dry-run', 'client')).toMatchObject({
      status: 0,
      stdout: expect.not.stringContaining('team-a/demo-cache'),
    })
    expect(await uninstall('team-a/app', '--dry-run', 'server')).toMatchObject({status: 0})
    await create('team-a', 'mine')
    const all = ['team-a/app', '--with-unused-dependencies'] as const
    expect(await uninstall(...all)).toMatchObject({status: 5})
    const backup = join(backups, 'dependencies')
    expect(await uninstall(...all, ...DELETE, '1', '--backup', backup)).toMatchObject({status: 0})
    expect(await exists(CACHE('team-a', 'mine'))).toBe(false)
    expect(readdirSync(backup, {recursive: true})).toContain('caches.demo.example.org/team-a/mine.yaml')
  }, 60_000)

  it.each([['abort'], ['keep'], ['delete']])(
    'does not remove a dependency under its dependent (%s)',
    async mode => {
      await install('app', 'team-a')
      const {status, stderr} = await uninstall('team-a/cache', '--custom-resources', mode)
      expect({status, stderr}).toEqual({
        status: 5,
        stderr: expect.stringContaining('the install team-a/app requires caches.demo.example.org/v1'),
      })
      expect(await uninstall('team-a/app')).toMatchObject({status: 0})
      expect(await uninstall('team-a/cache')).toMatchObject({status: 0})
    },
    60_000,
  )

  it('keeps an instance that is created while the controller is deleted', async () => {
    await create('team-a', 'mine')
    gated.observe({
      before: async ({line}) => {
        if (/^DELETE .*[/]deployments[/]/.test(line)) await create('team-a', 'late')
        return true
      },
      after: () => undefined,
    })
    const {status, stderr} = await runIn(
      gated,
      ...['package', 'uninstall', 'team-a/cache', '--yes', ...DELETE, '1'],
    )
    expect({status, stderr}).toEqual({
      status: 5,
      stderr: expect.stringContaining('the custom resource late was created in the meantime'),
    })
    expect(await exists(CACHE('team-a', 'late'))).toBe(true)
    // It was not among those that were confirmed.
    expect(await uninstall('team-a/cache', ...DELETE, '0')).toMatchObject({status: 5})
    expect(await uninstall('team-a/cache', ...DELETE, '1')).toMatchObject({status: 5})
    accepted(await cluster().kube.delete(CACHE('team-a', 'late')))
    expect(await uninstall('team-a/cache', ...DELETE, '1')).toMatchObject({status: 0})
  }, 60_000)

  it('keeps a CRD that is claimed after the claim of the install was removed', async () => {
    const claimed = (labels: Readonly<Record<string, string>>) => ({
      ...CRD,
      metadata: {...CRD.metadata, labels},
    })
    gated.observe({
      before: async ({line}) => {
        if (/^DELETE .*[/]customresourcedefinitions[/]/.test(line)) {
          accepted(
            await cluster().kube.apply(claimed({'parent.packages.crossplane.io/team-b-other': 'true'}), {
              manager: 'other',
            }),
          )
        }
        return true
      },
      after: () => undefined,
    })
    const {status} = await runIn(gated, 'package', 'uninstall', 'team-a/cache', '--yes')
    expect({status, crd: await exists(CRD)}).toEqual({status: 5, crd: true})
    accepted(await cluster().kube.apply(claimed({}), {manager: 'other'}))
    expect(await uninstall('team-a/cache')).toMatchObject({status: 0})
  }, 60_000)
})
