import {beforeAll, describe, expect, it} from '@jest/globals'
import {inventoryConfigMaps} from '../../../src/cluster/inventory/inventory-config-maps.js'
import {readInventory} from '../../../src/cluster/inventory/inventory-document.js'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {WITNESS_ANNOTATION, WITNESS_MANAGER} from '../../../src/cluster/inventory/witness.js'
import {ERAS} from '../../../src/render/era.js'
import {recordLabels} from '../../../src/render/labels.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {asObject, asText} from '../../../src/yaml/json-value.js'
import {auditOf} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, connect, type Kube} from '../../cluster/kube.js'
import {openApi} from '../../cluster/open-api.js'
import {witness as witnessed} from '../../cluster/witnessed.js'
import {runIn} from './installing.js'
import {inventoryPath, RBAC, rolePath} from './install-paths.js'
import {grantManager, revokeManager} from './manager-rights.js'
import {DemoPackages, ownedBy} from './some-world.js'
import {createTenant, forgery, inParallel, installWith, TENANT, tenantKubeconfig} from './tenant.js'
import {comparableState, differenceBetween} from './unchanged-state.js'

type State = Awaited<ReturnType<typeof comparableState>>

const MAX_LINES = 50
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
    let token: string
    const write = async (inventory: Inventory) => {
      for (const each of inventoryConfigMaps(inventory)) accepted(await tenant.create(each))
    }

    const expectUnchanged = async (before: State, removed: readonly string[] = []) => {
      const difference = differenceBetween(before, await comparableState(cluster()))
      expect(difference).toEqual({added: [], removed, changed: []})
    }

    beforeAll(async () => {
      const {kube, url, ca} = cluster()
      const words = [...ownedBy('db'), '--with-package-api', '--create-namespace']
      expect(await change('install', 'demo/db', ...words)).toMatchObject({status: 0})
      token = await createTenant(kube)
      tenant = connect({url, ca, token})
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
        stderr: expect.stringContaining('new owners of API groups have to be confirmed'),
      })
      expect(await uninstall('crossplane-system/absent')).toMatchObject({status: 1})
      await expectUnchanged(before)

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
      await revokeManager(cluster(), TENANT)
    }, 60_000)

    it.each([
      {
        name: 'a source',
        edit: installWith(() => ({
          request: {imagePullSecrets: [], serviceAccountAnnotations: {}, source: '10.255.255.1'},
        })),
      },
      {
        name: 'annotations',
        edit: installWith(() => ({
          request: {imagePullSecrets: [], serviceAccountAnnotations: {'example.org/role': 'root'}},
        })),
      },
      {
        name: 'accepted mismatches',
        edit: installWith(() => ({
          acceptedMismatches: [{crd: 'dbs.demo.example.org/v9', owner: 'docker.io/demo/db'}],
        })),
      },
      {
        name: 'the package of the revisions',
        edit: ({revisions, ...inventory}: Inventory): Inventory => ({
          ...inventory,
          revisions: (revisions ?? []).map(each => ({
            ...each,
            package: {...each.package!, identity: '10.255.255.1/x/silent'},
          })),
        }),
      },
    ])(
      'that changed $name of a genuine inventory are detected',
      async ({edit}) => {
        const {kube} = cluster()
        const configMap = accepted(await kube.send('GET', inventoryPath('db')))
        const inventory = readInventory(asText(asObject(configMap.data)['inventory.json']), 'a/b')
        const [forged] = inventoryConfigMaps(edit(inventory))
        accepted(await kube.apply(forged!, {force: true}))
        const before = await comparableState(cluster())
        const {stderr} = await change('upgrade')
        expect(stderr).toContain(
          'the inventory of crossplane-system/demo-db differs from its witness and is ignored',
        )
        await expectUnchanged(before)
        expect((await run('package', 'list', '-A')).stdout).toMatch(/demo-db .*Forged/)
        const status = await run('package', 'status', 'crossplane-system/demo-db')
        expect(status.stdout).toMatch(/^crossplane-system\/demo-db: inventory-forged: /m)
        const named = ['demo-db', '--namespace', 'crossplane-system']
        expect(await run('package', 'history', ...named)).toMatchObject({status: 1})
        expect(await change('rollback', ...named)).toMatchObject({status: 1})
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
      await expectUnchanged(before)
      const {stdout} = await run('doctor')
      expect(stdout).toMatch(
        /package install \S*demo\/cache:v1\.0\.0 demo-cache --namespace crossplane-system/,
      )
      const named = ['demo/cache:v1.0.0', 'demo-cache', '--namespace', 'crossplane-system']
      expect(await change('install', ...named, ...ownedBy('cache'))).toMatchObject({status: 0})
      expect((await run('package', 'list', '-A')).stdout).toMatch(/demo-cache .*Complete/)
    }, 60_000)

    it('with a copied witness, or of the install of another inventory, do not count', async () => {
      const {kube} = cluster()
      const genuine = accepted(await kube.send('GET', inventoryPath('db')))
      const role = accepted(await kube.send('GET', rolePath('db', 'system', 'v1.1.0')))
      const witness = asText(asObject(asObject(role.metadata).annotations)[WITNESS_ANNOTATION])
      expect(witness).toContain('"inventories"')
      const copy = (namespace: string, name: string, annotations = {}) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {namespace, name, labels: asObject(asObject(genuine.metadata).labels), annotations},
        data: asObject(genuine.data),
      })
      // The witness on the ConfigMap itself, and on a role that another program wrote.
      accepted(
        await tenant.create(copy(TENANT, 'crossplane-package.copied', {[WITNESS_ANNOTATION]: witness})),
      )
      await write(forgery('restored', 'docker.io/demo/evil'))
      const install = {namespace: TENANT, name: 'restored'}
      const metadata = {
        name: `package:${TENANT}:restored:v1.0.0:system`,
        labels: recordLabels(ERAS.packages, install),
        annotations: {[WITNESS_ANNOTATION]: witness},
      }
      accepted(await kube.apply({apiVersion: RBAC, kind: 'ClusterRole', metadata}, {manager: 'velero'}))
      // Two inventories of one install: only the one that is named after it counts.
      accepted(await kube.create(copy('crossplane-system', 'crossplane-package.demo-db-again')))
      const before = await comparableState(cluster())

      expect(await change('upgrade')).toMatchObject({status: 0})
      await expectUnchanged(before)
      const {stdout} = await run('package', 'list', '-A')
      expect(stdout).toMatch(/demo-db .*Complete/)
      for (const name of ['team-a +copied', 'team-a +restored', 'crossplane-system +demo-db-again'])
        expect(stdout).toMatch(new RegExp(`^${name} .*Unwitnessed`, 'm'))
      accepted(await kube.send('DELETE', `/apis/${RBAC}/clusterroles/${encodeURIComponent(metadata.name)}`))
      accepted(await kube.delete(copy('crossplane-system', 'crossplane-package.demo-db-again')))
    }, 120_000)

    it('whose parts are missing or truncated are reported, and stop only their own install', async () => {
      const {kube} = cluster()
      const objects = Array.from({length: 3000}, (_, index) => ({
        apiVersion: 'v1',
        kind: 'Secret',
        name: `${'x'.repeat(200)}-${index}`,
        namespace: TENANT,
      }))
      const large = forgery('parts', 'docker.io/demo/parts', {objects})
      const [more, ...others] = inventoryConfigMaps(large)
      expect(others.length).toBeGreaterThan(1)
      await write(large)
      await witnessed(large, openApi(cluster()))
      expect((await run('package', 'list', '-A')).stdout).toMatch(/^team-a +parts .*Complete/m)
      const text = asText(asObject(more!.data)['inventory.json'])
      const parts: readonly (KubernetesObject | undefined)[] = [
        {...more!, data: {'inventory.json': text.slice(0, -1)}},
        {...more!, data: {'inventory.json': 'x'.repeat(300 * 1024)}},
        {...more!, data: {}},
        undefined,
      ]
      for (const part of parts) {
        accepted(await (part === undefined ? tenant.delete(more!) : tenant.replace(part)))
        const {status, stderr} = await change('upgrade')
        expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('team-a/parts')})
        const list = await run('package', 'list', '-A')
        expect(list.stdout).toMatch(/^team-a +parts .*Unreadable/m)
        expect(list.stdout).toMatch(/demo-db .*Complete/)
        expect(await uninstall(`${TENANT}/parts`)).toMatchObject({
          status: 1,
          stderr: expect.stringContaining('crossplane-package.parts'),
        })
      }
      const [role] = [`package:${TENANT}:parts:v1.0.0:system`].map(encodeURIComponent)
      accepted(await kube.send('DELETE', `/apis/${RBAC}/clusterroles/${role}`))
    }, 120_000)

    it('are unverified for a user who may not read ClusterRoles', async () => {
      const kubeconfig = tenantKubeconfig(cluster(), token)
      const asTenant = (...args: string[]) => runIn({...cluster(), kubeconfig}, ...args)
      const list = await asTenant('package', 'list', '--namespace', TENANT, '-o', 'json')
      expect(list.status).toBe(0)
      const {installs} = JSON.parse(list.stdout) as {installs: {name: string; witness?: string}[]}
      const witnesses = new Map(installs.map(each => [each.name, each.witness]))
      expect(witnesses.get('evil')).toBe('unverified')
      expect([...witnesses.values()]).not.toContain('witnessed')
      expect(await asTenant('package', 'history', 'evil', '--namespace', TENANT)).toMatchObject({status: 0})
      // What a change of the tenant is based on has to be verified.
      const before = await comparableState(cluster())
      const removed = await asTenant('package', 'uninstall', `${TENANT}/evil`, '--no-wait', '--yes')
      expect(removed.stderr).toMatch(/missing permission to list .*\bclusterroles\b/)
      expect(removed.status).not.toBe(0)
      await expectUnchanged(before)
    }, 120_000)

    it('as requests do not hide those of other namespaces, and are bounded', async () => {
      const {kube} = cluster()
      const request = {apiVersion: 'packages.crossplane.io/v1alpha1', kind: 'PackageInstall'}
      const create = async (namespace: string, name: string, reference: string) =>
        accepted(await kube.create({...request, metadata: {namespace, name}, spec: {package: reference}}))
      accepted(await kube.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'team-z'}}))
      await create('team-z', 'waiting', 'demo/db:v1.0.0')
      await inParallel(1100, async at => await create(TENANT, `waiting-${at}`, 'demo/db:v1.0.0'))
      const audit = auditOf(cluster())
      for (const args of [['package', 'list', '-A'], ['package', 'status', '-A'], ['doctor']]) {
        const mark = await audit.mark()
        const {stdout, stderr} = await run(...args)
        expect(linesOf(`${stdout}${stderr}`)).toBeLessThanOrEqual(MAX_LINES)
        const all = `${stdout}${stderr}`
        expect(all).toContain('namespace team-a has too many or too large requests')
        expect(all).toMatch(/namespace team-a without a system role are not shown/)
        if (args[0] === 'package') expect(stdout).toMatch(/team-z.*waiting/)
        const reads = (await audit.since(mark)).filter(({resource}) => resource === 'packageinstalls')
        expect({args, isBounded: reads.length <= 40, reads: reads.length}).toMatchObject({isBounded: true})
      }
      const upgraded = await change('upgrade')
      expect(upgraded).toMatchObject({
        status: 0,
        stderr: expect.stringContaining('namespace team-a has too many or too large requests'),
      })
      expect(linesOf(upgraded.stderr)).toBeLessThanOrEqual(MAX_LINES)
      const path = '/apis/packages.crossplane.io/v1alpha1/namespaces/team-a/packageinstalls'
      accepted(await tenant.send('DELETE', path))
    }, 300_000)

    it('that were deleted leave package and version installed, and are reported by name', async () => {
      const {kube} = cluster()
      world.publish('db', 'v1.2.0')
      accepted(await kube.send('DELETE', inventoryPath('db')))
      const before = await comparableState(cluster())
      const isMissing =
        /the inventory of crossplane-system\/demo-db is missing: another program deleted it; \S*demo\/db:v1\.1\.0 still counts as installed/
      const upgraded = await change('upgrade')
      expect({status: upgraded.status, stderr: upgraded.stderr}).toEqual({
        status: 0,
        stderr: expect.stringMatching(isMissing),
      })
      expect(await change('upgrade', 'demo/db')).toMatchObject({
        stderr: expect.stringContaining(
          'the inventory of crossplane-system/demo-db is missing or was changed',
        ),
      })
      await expectUnchanged(before)
      expect((await run('package', 'list', '-A')).stdout).toMatch(/demo-db .*NoInventory/)

      const {stdout} = await run('doctor')
      expect(stdout).toMatch(
        /package install \S*demo\/db:v1\.1\.0 demo-db --namespace crossplane-system --adopt/,
      )
      // Its package is still installed, in its version, although there is a newer one.
      expect(await change('install', 'demo/db', ...ownedBy('db'), '--adopt')).toMatchObject({status: 0})
      expect((await run('package', 'list', '-A')).stdout).toMatch(/demo\/db:v1\.1\.0 .*Complete/)
    }, 90_000)

    it('in thousands cost a bounded number of requests, and at most 50 lines', async () => {
      const large = {apiVersion: 'v1', kind: 'ConfigMap', name: 'x'.repeat(200), namespace: TENANT}
      const objects = Array.from({length: 800}, () => large)
      const write30 = async (at: number) => await write(forgery(`large-${at}`, 'demo/large', {objects}))
      for (let at = 0; at < 30; at++) await write30(at)
      await inParallel(1500, async at => await write(forgery(`small-${at}`, 'demo/small')))
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
      const reads = (await audit.since(mark)).filter(({resource}) => resource === 'configmaps')
      expect(reads.length).toBeLessThanOrEqual(100)
    }, 300_000)

    it('do not keep an administrator from removing what they name', async () => {
      const before = await comparableState(cluster())
      expect(await uninstall(`${TENANT}/evil`)).toMatchObject({status: 0})
      await expectUnchanged(before, ['ConfigMap. team-a/crossplane-package.evil'])
    }, 120_000)
  })
})
