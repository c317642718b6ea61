import {describe, expect, it} from '@jest/globals'
import {deleteCrd} from '../../../src/apply/delete-crd.js'
import {asObject, asText} from '../../../src/yaml/json-value.js'
import {inventoryConfigMaps} from '../../../src/cluster/inventory/inventory-config-maps.js'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {openApi} from '../../cluster/open-api.js'
import {witness} from '../../cluster/witnessed.js'
import {schemaOf, schemaViolations} from '../../json-schema.js'
import {
  bindingPath,
  deploymentPath,
  inventoryPath,
  NAMESPACE,
  recordPath,
  remove,
  rolePath,
  within,
} from './install-paths.js'
import {runIn} from './installing.js'
import {DemoPackages, ownedBy} from './some-world.js'
import {watchedIn} from './watched.js'

const GOOD: Inventory = {
  install: {
    namespace: 'default',
    name: 'good',
    era: 'packages',
    scope: 'Namespaced',
    mode: 'requested',
    for: {},
    package: {identity: 'x/good', tag: 'v1.0.0', version: '1.0.0', summaryHash: ''},
  },
  phase: 'complete',
  toolVersion: '1',
  objects: [],
}

/** A world with a newer version of the package. */
function worldOfTwo(): DemoPackages {
  return new DemoPackages().publish('db', 'v1.0.0').publish('db', 'v1.1.0').publish('db', 'v2.0.0-rc.1')
}

describe('package list', () => {
  describeCluster('current', 'on a current server', cluster => {
    const list = (...args: string[]) => runIn(cluster(), 'package', 'list', ...args)

    it('reports that a namespace, or a cluster, has no installs', async () => {
      expect(await list()).toMatchObject({
        status: 0,
        stdout: '',
        stderr: 'No installs found in namespace default\n',
      })
      expect(await list('-A')).toMatchObject({status: 0, stdout: '', stderr: 'No installs found\n'})
      expect((await list('-o', 'jsonpath={.installs}')).stdout).toBe('[]')
    })

    it('shows a broken inventory among the others, in every format', async () => {
      for (const each of inventoryConfigMaps(GOOD)) accepted(await cluster().kube.create(each))
      await witness(GOOD, openApi(cluster()))
      const [good] = inventoryConfigMaps(GOOD)
      const metadata = {...good?.metadata, name: 'crossplane-package.broken'}
      await witness({...GOOD, install: {...GOOD.install, name: 'broken'}}, openApi(cluster()))
      accepted(await cluster().kube.create({...good, metadata, data: {'inventory.json': '{'}}))
      const {status, stdout, stderr} = await list()
      expect({status, stderr}).toEqual({
        status: 0,
        stderr: [
          'Warning: cannot read the inventory default/crossplane-package.broken: not a JSON object [inventory-invalid]',
          'Try: kubectl get configmap crossplane-package.broken --namespace default --output yaml',
          '',
        ].join('\n'),
      })
      expect(stdout.split('\n').slice(1)).toEqual([
        expect.stringMatching(/^default +broken +Unreadable +inventory$/),
        expect.stringMatching(/^default +good +x\/good:v1.0.0 +Complete +inventory$/),
        '',
      ])
      expect((await list('-o', 'name')).stdout).toBe('default/broken\ndefault/good\n')
      expect((await list('-o', 'wide')).stdout).toMatch(
        /good:v1.0.0 +Complete +inventory +1.0.0 +requested +0 +witnessed$/m,
      )
      const document = JSON.parse((await list('-o', 'json')).stdout) as unknown
      expect(schemaViolations(schemaOf('install-list'), document)).toEqual([])
      expect(document).toMatchObject({
        installs: [
          {name: 'broken', state: 'Unreadable'},
          {name: 'good', state: 'Complete'},
        ],
      })
    })

    it('finds an install of which only a claimed CRD is left', async () => {
      const world = worldOfTwo()
      const flags = [
        '--packages',
        world.folder,
        '--with-package-api',
        '--create-namespace',
        '--no-wait',
        '--yes',
      ]
      const ref = 'demo/db:v1.0.0'
      expect(await runIn(cluster(), 'package', 'install', ref, ...ownedBy('db'), ...flags)).toMatchObject({
        status: 0,
      })
      const shown = (stdout: string) => stdout.split('\n').find(line => line.includes('demo-db'))
      const short = await list('-A')
      // Nothing is looked up in a registry, and the controller of this cluster does not run.
      expect(short).toMatchObject({status: 0, stderr: expect.not.stringContaining('demo/db')})
      expect(shown(short.stdout)).toMatch(/ demo\/db:v1\.0\.0 +0\/1 +\d+s +Complete +inventory$/)
      const updated = await list('-A', '--packages', world.folder, '-o', 'wide')
      expect(shown(updated.stdout)).toMatch(
        / demo\/db:v1\.0\.0 +v1\.1\.0 +0\/1 +\d+s +Complete +inventory +v?1\.0\.0 +requested +\d+ +witnessed$/,
      )
      const document = JSON.parse((await list('-A', '--packages', world.folder, '-o', 'json')).stdout) as {
        readonly installs: readonly {readonly name: string}[]
      }
      expect(schemaViolations(schemaOf('install-list'), document)).toEqual([])
      expect(document.installs.find(({name}) => name === 'demo-db')).toMatchObject({
        replicas: {ready: 0, desired: 1},
        created: expect.stringMatching(/^\d{4}-.*Z$/),
        available: 'v1.1.0',
      })
      // An inventory that does not count names a host that is never contacted; a registry that fails is a warning.
      const asked = await list('-A', '--check-updates', '--default-source', '127.0.0.1:1', '-o', 'name')
      expect(asked).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('crossplane-system/demo-db\n'),
        stderr: expect.stringContaining('[newest-unknown]'),
      })
      // All but CRDs: nothing else is left of the install.
      for (const path of [
        ...[inventoryPath('db'), recordPath('db'), deploymentPath('db'), bindingPath('db')],
        ...['admin', 'edit', 'view', 'system'].map(persona => rolePath('db', persona)),
        within('/api/v1/NS/serviceaccounts/demo-db'),
      ])
        await remove(cluster(), path)
      for (const args of [['-A'], ['-n', NAMESPACE]]) {
        expect((await list(...args)).stdout).toMatch(/^crossplane-system +demo-db +NoInventory +labels$/m)
      }
      const {status, stdout} = await runIn(cluster(), 'package', 'status', `${NAMESPACE}/demo-db`)
      expect({status, stdout}).toEqual({
        status: 1,
        stdout: expect.stringMatching(
          /record-missing: .*\nTry: kubectl crossplane package uninstall demo-db --namespace crossplane-system --adopt\n/,
        ),
      })
      const adopt = ['uninstall', `${NAMESPACE}/demo-db`, '--adopt', '--yes']
      expect(await runIn(cluster(), 'package', ...adopt)).toMatchObject({status: 0})
      expect((await list('-A')).stdout).not.toContain('demo-db')
    }, 60_000)

    it('has a status that is watched until it is interrupted, a line for each change', async () => {
      expect(await watchedIn(cluster(), 'package', 'status', 'default/good', '--watch')).toMatchObject({
        status: 130,
        lines: [expect.stringMatching(/^default\/good: Broken: record-/)],
      })
    })

    it('does not change an install whose inventory is broken', async () => {
      const {status, stderr} = await runIn(cluster(), 'package', 'uninstall', 'broken', '--yes')
      expect({status, stderr}).toEqual({
        status: 1,
        stderr: expect.stringContaining('cannot read the inventory default/crossplane-package.broken'),
      })
    })

    it('changes other installs, with a warning', async () => {
      const {status, stderr} = await runIn(cluster(), 'package', 'uninstall', 'good', '--yes')
      expect({status, stderr}).toEqual({
        status: 0,
        stderr: expect.stringContaining(
          'Warning: cannot read the inventory default/crossplane-package.broken: not a JSON object',
        ),
      })
    })
  })

  describeCluster('current', 'of which a CRD is deleted', cluster => {
    it('keeps a CRD whose instances cannot be listed, since it serves no version', async () => {
      const name = {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        name: 'dbs.sql.example.org',
      }
      const {apiVersion, kind} = name
      const schema = {openAPIV3Schema: {type: 'object'}}
      const created = await cluster().kube.create({
        apiVersion,
        kind,
        metadata: {name: name.name},
        spec: {
          group: 'sql.example.org',
          names: {kind: 'Db', plural: 'dbs'},
          scope: 'Namespaced',
          versions: [{name: 'v1', served: false, storage: true, schema}],
        },
      })
      const uid = asText(asObject(accepted(created).metadata).uid)
      const operation = {
        action: 'delete',
        target: 'cluster',
        object: name,
        reason: 'none uses it',
        precondition: {uid, sha256: 'x' as never},
      } as const
      await expect(deleteCrd(operation, openApi(cluster()))).rejects.toMatchObject({
        code: 'cluster-refused',
        message:
          'cannot delete CustomResourceDefinition dbs.sql.example.org: no version is served, so its custom resources cannot be listed',
      })
    })
  })
})
