import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals'
import {asObject, asObjects} from '../../../src/yaml/json-value.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {listener} from '../../listening.js'
import {objectsIn, runIn} from './installing.js'
import {type GatedCluster, gatedCluster} from './interrupted-run.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {DemoPackages, ownedBy} from './some-world.js'
import type {Write} from './write-gate.js'

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
const REQUEST = {
  apiVersion: 'packages.crossplane.io/v1alpha1',
  kind: 'PackageInstall',
  metadata: {namespace: 'team-a', name: 'app'},
  spec: {package: 'demo/app:v1.0.0'},
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
    const flags = ['--packages', folder, '--no-wait', '--yes', '--with-package-api', '--create-namespace']
    const args = [`demo/${name}`, name, '--namespace', team, ...ownedBy('cache'), ...flags]
    const {status, stderr} = await runIn(cluster(), 'package', 'install', ...args)
    expect({status, stderr}).toEqual({status: 0, stderr})
  }
  const uninstall = (id: string, ...flags: string[]) =>
    runIn(cluster(), 'package', 'uninstall', id, '--yes', ...flags)
  /** Uninstalls; `before` learns of each write before the API server does. */
  const uninstallBehind = (before: (line: string) => Promise<void>, ...flags: string[]) => {
    const observer = {
      before: ({line}: Write) => before(line).then(() => true),
      after: () => undefined,
    }
    return gated.observed(observer, () =>
      runIn(gated, 'package', 'uninstall', 'team-a/cache', '--yes', ...flags),
    )
  }
  const create = async (namespace: string, name: string) =>
    accepted(await cluster().kube.create(CACHE(namespace, name)))
  const remove = async (name: string) => accepted(await cluster().kube.delete(CACHE('team-a', name)))
  const claim = async (labels: Readonly<Record<string, string>>) =>
    accepted(await cluster().kube.apply({...CRD, metadata: {...CRD.metadata, labels}}, {manager: 'other'}))
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
    const {status, stderr} = await uninstallBehind(
      async line => {
        if (/^DELETE .*[/]deployments[/]/.test(line)) await create('team-a', 'late')
      },
      ...[...DELETE, '1'],
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
    const {status} = await uninstallBehind(async line => {
      if (/^DELETE .*[/]customresourcedefinitions[/]/.test(line)) {
        await claim({'parent.packages.crossplane.io/team-b-other': 'true'})
      }
    })
    expect({status, crd: await exists(CRD)}).toEqual({status: 5, crd: true})
    await claim({})
    expect(await uninstall('team-a/cache')).toMatchObject({status: 0})
  }, 60_000)

  it('fails with what observes its writes, and holds none of them', async () => {
    const failing = uninstallBehind(() => Promise.reject(new Error('not observed')))
    await expect(failing).rejects.toThrow('not observed')
  }, 60_000)

  it('names the manager that applies the claim, too, and what to do', async () => {
    const label = 'parent.packages.crossplane.io/team-a-cache'
    accepted(
      await cluster().kube.apply(
        {...CRD, metadata: {...CRD.metadata, labels: {[label]: 'true'}}},
        {manager: 'flux'},
      ),
    )
    for (let attempt = 1; attempt <= 2; attempt++) {
      const {status, stderr} = await uninstall('team-a/cache')
      expect({status, stderr}).toEqual({
        status: 5,
        stderr: expect.stringContaining(
          `CustomResourceDefinition caches.demo.example.org is still claimed: "flux" also applied ${label}`,
        ),
      })
      expect(stderr).toContain(
        `Try: kubectl label customresourcedefinition caches.demo.example.org ${label}-\n`,
      )
    }
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/caches.demo.example.org'
    const removed = {metadata: {labels: {[label]: null}}}
    accepted(await cluster().kube.send('PATCH', path, removed, 'application/merge-patch+json'))
    expect(await uninstall('team-a/cache')).toMatchObject({status: 0})
  }, 60_000)

  it.each([['a record'], ['a request']])(
    'does not remove a dependency under a dependent of which only %s is left',
    async left => {
      await install('app', 'team-a')
      const {kube} = cluster()
      const packages = '/apis/packages.crossplane.io/v1alpha1/namespaces/team-a'
      if (left === 'a request') {
        accepted(await kube.create(REQUEST))
        accepted(await kube.send('DELETE', `${packages}/packages/app`))
      }
      accepted(await kube.send('DELETE', '/api/v1/namespaces/team-a/configmaps/crossplane-package.app'))
      const {status, stderr} = await uninstall('team-a/cache')
      expect({status, stderr}).toEqual({
        status: 5,
        stderr: expect.stringContaining('the install team-a/app requires caches.demo.example.org/v1'),
      })
      if (left === 'a request') accepted(await kube.delete(REQUEST))
      expect(await uninstall('team-a/app', '--adopt')).toMatchObject({status: 0})
      expect(await uninstall('team-a/cache')).toMatchObject({status: 0})
    },
    60_000,
  )

  describe('with a saved plan that deletes custom resources', () => {
    const PLANNED = [...DELETE, '2', '--plan-out']
    const names = async () =>
      asObjects(accepted(await cluster().kube.send('GET', '/apis/demo.example.org/v1/caches')).items)
        .map(({metadata}) => asObject(metadata).name)
        .sort()

    it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
      ['one was created', () => create('team-a', 'late'), () => remove('late')],
      ['one was deleted', () => remove('two'), () => Promise.resolve()],
      [
        'one was deleted and created again',
        async () => {
          await remove('two')
          await create('team-a', 'two')
        },
        () => remove('two'),
      ],
      [
        'the CRD was claimed',
        () => claim({'parent.packages.crossplane.io/team-b-other': 'true'}),
        () => claim({}),
      ],
    ])(
      'changes nothing after %s',
      async (_, change, undo) => {
        for (const name of ['one', 'two']) await create('team-a', name)
        const file = join(backups, 'plan.json')
        expect(await uninstall('team-a/cache', ...PLANNED, file)).toMatchObject({status: 0})
        await change()
        const before = await objectsIn(cluster())
        expect(await runIn(cluster(), 'package', 'uninstall', '--plan', file)).toMatchObject({status: 5})
        expect(await objectsIn(cluster())).toEqual(before)
        await undo()
        const left = (await names()).length
        expect(await uninstall('team-a/cache', ...DELETE, String(left))).toMatchObject({status: 0})
      },
      60_000,
    )

    it('deletes exactly these', async () => {
      await install('cache', 'team-b')
      for (const name of ['one', 'two']) await create('team-a', name)
      await create('team-b', 'theirs')
      const file = join(backups, 'plan.json')
      expect(await uninstall('team-a/cache', ...PLANNED, file)).toMatchObject({status: 0})
      expect(await runIn(cluster(), 'package', 'uninstall', '--plan', file)).toMatchObject({status: 0})
      expect(await names()).toEqual(['theirs'])
      expect(await uninstall('team-b/cache', ...DELETE, '1')).toMatchObject({status: 0})
    }, 60_000)
  })
})
