import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {asObject} from '../../../src/yaml/json-value.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, until} from '../../cluster/kube.js'
import {openApi} from '../../cluster/open-api.js'
import {listener} from '../../listening.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {objectsIn, runIn} from './installing.js'
import {type GatedCluster, gatedCluster, gatedProgram, interrupted} from './interrupted-run.js'
import {grantManager} from './manager-rights.js'
import {DemoPackages} from './some-world.js'
import type {WriteObserver} from './write-gate.js'

const ERAS = [
  {
    api: 'packages',
    manager: 'crossplane-package-manager',
    request: 'ClusterPackageInstall',
    record: 'Package',
    managedBy: 'package-manager',
  },
  {
    api: 'stacks',
    manager: 'crossplane-stack-manager',
    request: 'ClusterStackInstall',
    record: 'Stack',
    managedBy: 'stack-manager',
  },
]
const SQL = {apiVersion: 'demo.example.org/v1', kind: 'SQLS'}
const CRD = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'}
const MERGE = 'application/merge-patch+json'

/** What a removal of three custom resources by a package manager sends. */
const REMOVAL_WRITES = [
  /^PATCH .*installs[/]demo-sql[?]/,
  ...Array.from({length: 3}, () => /^DELETE .*[/]sqls[/]/),
  /^DELETE .*installs[/]demo-sql$/,
]

describe.each(ERAS)(
  'a cluster in which $manager is running',
  ({api, manager, request, record, managedBy}) => {
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
      const crdOf = (plural: string) => ({...CRD, metadata: {name: `${plural}.demo.example.org`}})
      const [listen, backups] = [listener(), temporaryFolder()]
      let gated: GatedCluster
      let before: readonly string[] = []

      beforeAll(async () => {
        expect(await install('db', '--with-package-api', '--create-namespace', '--no-wait')).toMatchObject({
          status: 0,
        })
        accepted(await cluster().kube.create(deploymentOf(manager)))
        await grantManager(cluster(), 'default')
        before = await objectsIn(cluster())
        gated = await gatedCluster(cluster(), listen)
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

      describe('and has carried out an install', () => {
        const claim = `parent.${group}/crossplane-system-demo-sql`
        const metadata = {namespace: 'crossplane-system', name: 'demo-sql'}
        const owned = {apiVersion: `${group}/v1alpha1`, kind: record, metadata}
        const labels = (values: Readonly<Record<string, string | null>>) =>
          openApi(cluster()).mergePatch(
            {...CRD, name: 'sqls.demo.example.org'},
            {metadata: {labels: {...values}}},
            {manager: 'crossplane'},
          )
        const gone = (object: ReturnType<typeof crdOf>) =>
          until(
            () => cluster().kube.get(object),
            ({code}) => code === 404,
          )
        const create = async (name: string) => {
          accepted(await cluster().kube.create({...SQL, metadata: {name}}))
        }
        const restore = async () => {
          expect(await install('sql', '--no-wait')).toMatchObject({status: 0})
          await create('one')
        }
        /** Creates a CRD that the manager deletes when it removes any install. */
        const leaveOther = async () => {
          const {metadata} = crdOf('others')
          const names = {plural: 'others', kind: 'Other', listKind: 'OtherList'}
          const marked = {...metadata, labels: {'app.kubernetes.io/managed-by': managedBy}}
          accepted(await cluster().kube.create({...CRD, metadata: marked, spec: {...SPEC, names}}))
        }
        const removeOther = async () => {
          accepted(await cluster().kube.delete(crdOf('others')))
          await gone(crdOf('others'))
        }
        const uninstall = (...flags: string[]) =>
          runIn(gated, 'package', 'uninstall', 'crossplane-system/demo-sql', '--yes', ...flags)

        beforeAll(async () => {
          const {kube} = cluster()
          accepted(await kube.create({...crdOf('sqls'), spec: SPEC}))
          const namespace = 'namespace.crossplane.io/crossplane-system'
          await labels({'app.kubernetes.io/managed-by': managedBy, [claim]: 'true', [namespace]: 'true'})
          accepted(await kube.create({...owned, spec: {customresourcedefinitions: [SQL]}}))
          await until(
            () => kube.create({...SQL, metadata: {name: 'one'}}),
            ({code}) => code === 201,
          )
        })
        afterAll(async () => {
          for (const each of [owned, crdOf('sqls')]) accepted(await cluster().kube.delete(each))
          await gone(crdOf('sqls'))
        })

        it('cannot keep its CRDs, which the manager deletes', async () => {
          const {status, stderr} = await uninstall('--custom-resources', 'keep')
          expect({status, stderr}).toEqual({
            status: 5,
            stderr: expect.stringContaining(
              'deletes the CRDs of crossplane-system/demo-sql, which cannot be kept',
            ),
          })
          expect(stderr).toContain(
            `Try: kubectl scale deployment ${manager} --namespace default --replicas 0`,
          )
        })

        it('is not told to remove an install while it would delete CRDs of others', async () => {
          await leaveOther()
          const {status, stderr} = await uninstall('--custom-resources', 'delete', '--confirm-delete', '1')
          expect({status, stderr}).toEqual({
            status: 5,
            stderr: expect.stringContaining(
              'Try: kubectl label customresourcedefinition others.demo.example.org app.kubernetes.io/managed-by-',
            ),
          })
          await removeOther()
          expect((await cluster().kube.send('GET', '/apis/demo.example.org/v1/sqls/one')).code).toBe(200)
        })

        it('continues an interrupted removal, but not of custom resources that were created since', async () => {
          const held = (finalizers: readonly string[]) =>
            cluster().kube.send(
              'PATCH',
              '/apis/demo.example.org/v1/sqls/one',
              {metadata: {finalizers}},
              MERGE,
            )
          const remove = ['--custom-resources', 'delete', '--timeout', '1s', '--confirm-delete']
          const file = join(folder, 'removal.json')
          const again = async () => [
            await uninstall(...remove, '2'),
            await runIn(gated, 'package', 'uninstall', '--plan', file, '--timeout', '1s'),
          ]
          await create('two')
          accepted(await held(['example.org/held']))
          expect(await uninstall(...remove, '2', '--plan-out', file)).toMatchObject({status: 0})
          expect(await uninstall(...remove, '3')).toMatchObject({status: 5})
          expect(await uninstall(...remove, '2')).toMatchObject({status: 6})
          for (const each of await again()) expect(each).toMatchObject({status: 6})
          await create('two')
          for (const each of await again()) {
            expect(each).toMatchObject({
              status: 5,
              stderr: expect.stringContaining('created after the deletion was confirmed: SQLS two'),
            })
          }
          accepted(await cluster().kube.delete({...SQL, metadata: {name: 'two'}}))
          expect(await uninstall(...remove, '3')).toMatchObject({status: 5})
          expect(await uninstall(...remove, '1')).toMatchObject({status: 6})
          expect((await cluster().kube.send('GET', requestPath)).code).toBe(200)
          accepted(await held([]))
          await create('one')
        })

        it('is removed by the same command after SIGKILL at any write', async () => {
          const flags = ['--custom-resources', 'delete', '--confirm-delete', '3', '--yes', '--backup']
          const program = gatedProgram(gated)
          for (let number = 1; number <= REMOVAL_WRITES.length; number++) {
            for (const name of ['two', 'three']) await create(name)
            const args = ['package', 'uninstall', 'crossplane-system/demo-sql', ...flags]
            args.push(join(backups, String(number)))
            const killed = await interrupted(program, args, {
              signal: 'SIGKILL',
              at: write => write.number === number,
              isAnswered: false,
            })
            const at = killed.writes.at(-1)
            expect({number, at, signal: killed.signal}).toEqual({
              number,
              at: expect.stringMatching(REMOVAL_WRITES[number - 1] ?? ''),
              signal: 'SIGKILL',
            })
            const {status, stderr} = await runIn(cluster(), ...args)
            expect({at, status, stderr}).toEqual({at, status: 0, stderr})
            const {items} = accepted(await cluster().kube.send('GET', '/apis/demo.example.org/v1/sqls'))
            expect({at, items}).toEqual({at, items: []})
            expect((await cluster().kube.send('GET', requestPath)).code).toBe(404)
            await restore()
          }
        }, 120_000)

        it.each<[string, () => Promise<unknown>, () => Promise<unknown>, string]>([
          [
            'an instance',
            () => create('late'),
            async () => accepted(await cluster().kube.delete({...SQL, metadata: {name: 'late'}})),
            'custom resources of sqls.demo.example.org were created in the meantime (1): late',
          ],
          [
            'a claim',
            () => labels({[`parent.${group}/team-b-other`]: 'true'}),
            () => labels({[`parent.${group}/team-b-other`]: null}),
            `sqls.demo.example.org is used by parent.${group}/team-b-other since the plan was made`,
          ],
          [
            'a CRD without a claim',
            () => leaveOther(),
            removeOther,
            'the package manager would also delete CustomResourceDefinition others.demo.example.org, which no other install claims, with its custom resources',
          ],
        ])('is not told to remove an install with %s more than planned', async (_, add, remove, message) => {
          const adding: WriteObserver = {
            before: async ({line}) => {
              if (/^DELETE .*[/]sqls[/]one/.test(line)) await add()
              return true
            },
            after: () => undefined,
          }
          const {status, stderr} = await gated.observed(adding, () =>
            uninstall('--custom-resources', 'delete', '--confirm-delete', '1'),
          )
          expect({status, stderr}).toEqual({
            status: 5,
            stderr: expect.stringContaining(
              `cannot delete ${request} crossplane-system/demo-sql: ${message}`,
            ),
          })
          expect((await cluster().kube.send('GET', requestPath)).code).toBe(200)
          await remove()
          // What was confirmed is recorded on the request.
          accepted(await cluster().kube.send('DELETE', requestPath))
          await restore()
        })
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
        accepted(await cluster().kube.create({...SQL, kind: 'DBS', metadata: {name: 'mine'}}))
        const keep = ['--custom-resources', 'keep']
        expect(await run('uninstall', 'demo-db', '-n', 'crossplane-system', '--yes', ...keep)).toMatchObject({
          status: 0,
        })
      })

      it('has nothing to delete when it is started again after CRDs were kept', async () => {
        // It deletes every CRD with its label and without a claim when it removes any install.
        const {metadata} = accepted(await cluster().kube.get(crdOf('dbs')))
        expect(metadata).toMatchObject({name: 'dbs.demo.example.org'})
        expect(Object.keys(asObject(asObject(metadata).labels)).sort()).toEqual(['crossplane.io/scope'])
        expect((await cluster().kube.get({...SQL, kind: 'DBS', metadata: {name: 'mine'}})).code).toBe(200)
      })
    })
  },
)

const SPEC = {
  group: 'demo.example.org',
  scope: 'Cluster',
  names: {plural: 'sqls', kind: 'SQLS', listKind: 'SQLSList'},
  versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}],
}

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
