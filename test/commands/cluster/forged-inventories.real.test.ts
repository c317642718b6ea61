import {beforeAll, describe, expect, it} from '@jest/globals'
import {inventoryConfigMaps, inventoryName} from '../../../src/cluster/inventory/inventory-config-maps.js'
import {readInventory} from '../../../src/cluster/inventory/inventory-document.js'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {WITNESS_MANAGER} from '../../../src/cluster/inventory/witness.js'
import {asObject, asText} from '../../../src/yaml/json-value.js'
import {auditOf} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, connect, type Kube} from '../../cluster/kube.js'
import {runIn} from './installing.js'
import {inventoryPath, RBAC, rolePath} from './install-paths.js'
import {grantManager} from './manager-rights.js'
import {DemoPackages, ownedBy} from './some-world.js'
import {comparableState, differenceBetween} from './unchanged-state.js'

const TENANT = 'team-a'
const MAX_LINES = 50

/** An inventory of an install that nobody made. */
const forgery = (name: string, identity: string, more: Partial<Inventory> = {}): Inventory => ({
  install: {
    namespace: TENANT,
    name,
    era: 'packages',
    scope: 'Cluster',
    mode: 'requested',
    for: {},
    package: {identity, tag: 'v1.0.0', version: 'v1.0.0', summaryHash: '0'.repeat(64)},
  },
  phase: 'complete',
  toolVersion: '1',
  objects: [
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: 'caches.demo.example.org',
    },
  ],
  ...more,
})

const linesOf = (text: string) => text.split('\n').filter(each => each !== '').length

describe('inventories and requests that a tenant wrote', () => {
  describeCluster('current', 'on a current server', cluster => {
    const world = new DemoPackages()
      .publish('db', 'v1.0.0')
      .publish('cache', 'v1.0.0')
      .publish('evil', 'v1.0.0')
      .publish('app', 'v1.0.0', 'caches')
    const run = (...args: string[]) => runIn(cluster(), ...args)
    const change = (...args: string[]) =>
      run('package', ...args, '--packages', world.folder, '--no-wait', '--yes')
    const uninstall = (id: string) => run('package', 'uninstall', id, '--no-wait', '--yes')
    let tenant: Kube
    const write = async (inventory: Inventory) => {
      for (const each of inventoryConfigMaps(inventory)) accepted(await tenant.create(each))
    }

    beforeAll(async () => {
      const {kube, url, ca} = cluster()
      const installed = await change('install', 'demo/db', ...ownedBy('db'), '--base', '--create-namespace')
      expect(installed).toMatchObject({status: 0})
      const metadata = {namespace: TENANT, name: 'tenant'}
      const create = async (object: Parameters<Kube['create']>[0]) => accepted(await kube.create(object))
      await create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: TENANT}})
      await create({apiVersion: 'v1', kind: 'ServiceAccount', metadata})
      const rules = [
        {apiGroups: [''], resources: ['configmaps'], verbs: ['*']},
        {
          apiGroups: ['packages.crossplane.io'],
          resources: ['packageinstalls', 'clusterpackageinstalls'],
          verbs: ['*'],
        },
      ]
      await create({apiVersion: RBAC, kind: 'Role', metadata, rules})
      const roleRef = {apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'tenant'}
      await create({
        apiVersion: RBAC,
        kind: 'RoleBinding',
        metadata,
        roleRef,
        subjects: [{kind: 'ServiceAccount', ...metadata}],
      })
      const path = `/api/v1/namespaces/${TENANT}/serviceaccounts/tenant/token`
      const answer = accepted(
        await kube.send('POST', path, {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          spec: {},
        }),
      )
      tenant = connect({url, ca, token: asText(asObject(answer.status).token)})
    }, 120_000)

    it('change nothing that an administrator did not name, and are reported by name', async () => {
      await write(forgery('evil', 'docker.io/demo/evil'))
      await write(forgery('db', 'docker.io/demo/db'))
      await write(forgery('cache', 'docker.io/demo/cache'))
      await write(forgery('silent', '10.255.255.1/x/silent'))
      const request = {apiVersion: 'packages.crossplane.io/v1alpha1', kind: 'PackageInstall'}
      const metadata = {namespace: TENANT, name: 'pinned'}
      accepted(await tenant.create({...request, metadata, spec: {package: 'demo/db:v1.0.0'}}))
      const before = await comparableState(cluster())

      const upgraded = await change('upgrade')
      expect(upgraded).toMatchObject({status: 0})
      expect(upgraded.stderr).toMatch(
        /^Warning: 4 inventories without a witness are ignored: team-a\/cache, team-a\/db, team-a\/evil, team-a\/silent/m,
      )
      expect(upgraded.stderr).toContain(
        'Note: 1 request of other namespaces is ignored: team-a/pinned (demo/db:v1.0.0)',
      )
      // The forged owner confirms nothing.
      expect(await change('install', 'demo/app')).toMatchObject({
        status: 5,
        stderr: expect.stringContaining('owners of API groups are used for the first time'),
      })
      expect(await uninstall('crossplane-system/absent')).toMatchObject({status: 1})
      expect(differenceBetween(before, await comparableState(cluster()))).toEqual({
        added: [],
        removed: [],
        changed: [],
      })

      world.publish('db', 'v1.1.0')
      expect(await change('upgrade')).toMatchObject({status: 0})
      const {added, removed, changed} = differenceBetween(before, await comparableState(cluster()))
      const names = [
        ...added,
        ...removed,
        ...changed.map(({from}) => JSON.stringify(asObject(from).metadata)),
      ]
      expect(names.length).toBeGreaterThan(0)
      expect(
        names.filter(each => !each.includes('demo-db') && !each.includes('dbs.demo.example.org')),
      ).toEqual([])
      expect(names.filter(each => each.includes(TENANT))).toEqual([])
    }, 120_000)

    it.each([
      {args: ['package', 'list', '-A'], want: /^team-a +evil +Unwitnessed +inventory$/m},
      {args: ['package', 'status', '-A'], want: /^team-a\/evil: inventory-unwitnessed: /m},
      {args: ['doctor'], want: /the inventory of team-a\/evil has no witness and is ignored/},
      {
        args: ['package', 'tree', '--installed'],
        want: /4 inventories without a witness are ignored: .*team-a\/evil/,
      },
    ])('are named by $args', async ({args, want}) => {
      const {stdout, stderr} = await run(...args)
      expect(`${stdout}${stderr}`).toMatch(want)
    })

    it('are ignored where a Deployment poses as the package manager', async () => {
      const labels = {app: 'manager'}
      const containers = [{name: 'manager', image: 'registry.example.org/manager:v1'}]
      const spec = {selector: {matchLabels: labels}, template: {metadata: {labels}, spec: {containers}}}
      const metadata = {namespace: TENANT, name: 'crossplane-package-manager'}
      accepted(await cluster().kube.create({apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec}))
      const {status, stderr} = await change('install', 'demo/cache', ...ownedBy('cache'))
      expect({status, stderr}).toEqual({
        status: 0,
        stderr: expect.stringContaining(
          'Note: Deployment team-a/crossplane-package-manager has the name of a package manager, but may not create ClusterRoleBindings; ignored',
        ),
      })
      expect(stderr).toMatch(/^Deployment crossplane-system\/demo-cache-controller created$/m)
      await grantManager(cluster(), TENANT)
      expect((await run('doctor')).stdout).toMatch(
        /package manager team-a\/crossplane-package-manager is running/,
      )
      accepted(await cluster().kube.delete({apiVersion: 'apps/v1', kind: 'Deployment', metadata}))
    }, 60_000)

    it.each([
      {
        name: 'a source',
        edit: (install: Inventory['install']) => ({
          ...install,
          request: {imagePullSecrets: [], serviceAccountAnnotations: {}, source: '10.255.255.1'},
        }),
      },
      {
        name: 'annotations',
        edit: (install: Inventory['install']) => ({
          ...install,
          request: {imagePullSecrets: [], serviceAccountAnnotations: {'example.org/role': 'root'}},
        }),
      },
      {
        name: 'accepted mismatches',
        edit: (install: Inventory['install']) => ({
          ...install,
          acceptedMismatches: [{crd: 'dbs.demo.example.org/v9', owner: 'docker.io/demo/db'}],
        }),
      },
    ])(
      'that changed $name of a genuine inventory are detected',
      async ({edit}) => {
        const {kube} = cluster()
        const configMap = accepted(await kube.send('GET', inventoryPath('db')))
        const inventory = readInventory(asText(asObject(configMap.data)['inventory.json']), 'a/b')
        const [forged] = inventoryConfigMaps({...inventory, install: edit(inventory.install)})
        accepted(await kube.apply(forged!, {force: true}))
        const before = await comparableState(cluster())
        const {stderr} = await change('upgrade')
        expect(stderr).toContain(
          'the inventory of crossplane-system/demo-db differs from its witness and is ignored',
        )
        expect(differenceBetween(before, await comparableState(cluster()))).toEqual({
          added: [],
          removed: [],
          changed: [],
        })
        expect((await run('package', 'list', '-A')).stdout).toMatch(/demo-db .*Forged/)
        // What doctor prints restores the witness.
        const {stdout} = await run('doctor')
        const [, ref = ''] =
          /kubectl crossplane package install (\S+) demo-db --namespace crossplane-system/.exec(stdout) ?? []
        expect(ref).toMatch(/demo\/db:v1\.1\.0$/)
        expect(
          await change('install', ref, 'demo-db', '--namespace', 'crossplane-system', ...ownedBy('db')),
        ).toMatchObject({status: 0})
        expect((await run('package', 'list', '-A')).stdout).toMatch(/demo-db .*Complete/)
      },
      60_000,
    )

    it('of versions before witnesses get one from the command that names install and package', async () => {
      const {kube} = cluster()
      const path = rolePath('cache', 'system')
      const role = {
        apiVersion: RBAC,
        kind: 'ClusterRole',
        metadata: {name: decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))},
      }
      accepted(await kube.apply(role, {manager: WITNESS_MANAGER, force: true}))
      const before = await comparableState(cluster())
      const {stderr} = await change('upgrade')
      expect(stderr).toContain(
        '1 inventory without a witness, of an older version of this program, is ignored: crossplane-system/demo-cache',
      )
      expect(differenceBetween(before, await comparableState(cluster()))).toEqual({
        added: [],
        removed: [],
        changed: [],
      })
      const {stdout} = await run('doctor')
      expect(stdout).toMatch(
        /package install \S*demo\/cache:v1\.0\.0 demo-cache --namespace crossplane-system/,
      )
      const named = ['demo/cache:v1.0.0', 'demo-cache', '--namespace', 'crossplane-system']
      expect(await change('install', ...named, ...ownedBy('cache'))).toMatchObject({status: 0})
      expect((await run('package', 'list', '-A')).stdout).toMatch(/demo-cache .*Complete/)
    }, 60_000)

    it('in thousands cost a bounded number of requests, and at most 50 lines', async () => {
      const large = {apiVersion: 'v1', kind: 'ConfigMap', name: 'x'.repeat(200), namespace: TENANT}
      const objects = Array.from({length: 800}, () => large)
      const write30 = async (at: number) => await write(forgery(`large-${at}`, 'demo/large', {objects}))
      for (let at = 0; at < 30; at++) await write30(at)
      for (let at = 0; at < 1500; at += 25) {
        await Promise.all(
          Array.from({length: 25}, (_, next) => write(forgery(`small-${at + next}`, 'demo/small'))),
        )
      }
      const audit = auditOf(cluster())
      for (const args of [['package', 'list', '-A'], ['package', 'status', '-A'], ['doctor']]) {
        const mark = await audit.mark()
        const {stdout, stderr} = await run(...args)
        expect(linesOf(`${stdout}${stderr}`)).toBeLessThanOrEqual(MAX_LINES)
        expect(stdout).toMatch(/demo-db|team-a/)
        const reads = (await audit.since(mark)).filter(({resource}) => resource === 'configmaps')
        expect({args, isBounded: reads.length <= 50, reads: reads.length}).toMatchObject({isBounded: true})
      }
      const mark = await audit.mark()
      const {status, stderr} = await change('upgrade')
      expect(status).toBe(0)
      expect(linesOf(stderr)).toBeLessThanOrEqual(MAX_LINES)
      expect(
        (await audit.since(mark)).filter(({resource}) => resource === 'configmaps').length,
      ).toBeLessThanOrEqual(100)
    }, 300_000)

    it('do not keep an administrator from removing what they name', async () => {
      expect(inventoryName({namespace: TENANT, name: 'evil'})).toBe('crossplane-package.evil')
      const before = await comparableState(cluster())
      expect(await uninstall(`${TENANT}/evil`)).toMatchObject({status: 0})
      const {added, removed, changed} = differenceBetween(before, await comparableState(cluster()))
      expect({added, removed, changed}).toEqual({
        added: [],
        removed: ['ConfigMap. team-a/crossplane-package.evil'],
        changed: [],
      })
    }, 120_000)
  })
})
