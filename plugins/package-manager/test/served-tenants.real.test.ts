import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject} from 'kubectl-crossplane/plugin'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, connect, type Kube, until} from '../../../test/cluster/kube.js'
import {createTenant, TENANT} from '../../../test/commands/cluster/tenant.js'
import {runCli} from '../../../test/run-cli.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'
import {managerSuite, named, request, SYSTEM} from './run/manager-suite.js'
import {managedCluster, type RealManager, startManager} from './run/real-manager.js'
import {writeSamples, writeTemptations} from './run/sample-packages.js'

jest.setTimeout(180_000)

const packages = mkdtempSync(join(temporaryFolder(), 'packages-'))
/** With the request `a-app`, CRDs have the same claim as for `app` of the tenant. */
const LIKE = 'team'
const POLICY = `owners: {app.example.org: example/app, queue.example.org: example/queue}
manager: {namespaces: [${TENANT}, team-b, ${LIKE}]}
`
const APP = {package: 'example/app:v1.0.0'}
const KEPT = 'kubectl-crossplane.dev/custom-resources'
/** Has the list of what requires an install. */
const WITNESS = 'kubectl-crossplane/witness'
const CRD = named('CustomResourceDefinition', 'apps.app.example.org', undefined, 'apiextensions.k8s.io/v1')
const OBJECT = {
  ...{apiVersion: 'app.example.org/v1', kind: 'App', spec: {text: 'of team-b alone'}},
  metadata: {name: 'project-x', namespace: 'team-b'},
}

// Roles are aggregated by a controller: without the right to list custom resources, nothing is uninstalled.
describeCluster(
  {version: 'current', pods: true},
  'manager run, for a tenant whose requests are fulfilled',
  cluster => {
    let manager: RealManager | undefined
    let tenant: Kube
    const {kube, apply, read, remove, settled, gone, policy} = managerSuite(cluster)
    const own = request(TENANT, 'app', APP)
    const theirs = [request('team-b', 'app', APP), request(LIKE, 'a-app', APP)]

    /** What belongs to others: the CRD, the custom resource, and the objects of their installs. */
    const others = async () => {
      const crd = await read(CRD)
      const lists = await Promise.all(
        [
          ...['team-b', LIKE, SYSTEM].flatMap(namespace => [
            `/api/v1/namespaces/${namespace}/serviceaccounts`,
            `/apis/apps/v1/namespaces/${namespace}/deployments`,
            `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`,
          ]),
          '/apis/rbac.authorization.k8s.io/v1/clusterroles',
          '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
        ].map(async path => asObjects(accepted(await kube().send('GET', path)).items)),
      )
      const contents = lists.flat().map(({metadata, status: _status, ...content}) => {
        const {name, uid, labels, annotations} = asObject(metadata)
        const {
          'deployment.kubernetes.io/revision': _revision,
          [WITNESS]: _witness,
          ...rest
        } = asObject(annotations)
        return {name, uid, labels, annotations: rest, content: 'aggregationRule' in content ? {} : content}
      })
      return {
        crd: {labels: asObject(crd.metadata).labels, uid: asObject(crd.metadata).uid, spec: crd.spec},
        object: (await read(OBJECT)).spec,
        contents: contents.filter(({name}) => !asText(name).includes(`:${TENANT}:`)),
      }
    }
    const patch = async (name: string, change: JsonObject) => {
      const path = `/apis/packages.crossplane.io/v1alpha1/namespaces/${TENANT}/packageinstalls/${name}`
      accepted(await tenant.send('PATCH', path, change, 'application/merge-patch+json'))
    }
    const fulfilled = async (object: JsonObject) => {
      accepted(await tenant.create(object))
      expect(await settled(object, 'Synced', /./)).toMatch(/^True/)
    }
    const deleted = async (object: JsonObject) => {
      accepted(await tenant.delete(object))
      await gone(object)
    }

    beforeAll(async () => {
      writeSamples(packages)
      writeTemptations(packages)
      const token = await managedCluster(cluster(), packages, [SYSTEM, 'team-b', LIKE])
      await policy(POLICY)
      manager = await startManager(cluster(), token, packages)
      const queue = request(SYSTEM, 'queue', {package: 'example/queue:v1.0.0'})
      for (const each of [queue, ...theirs]) {
        await apply(each)
        expect(await settled(each, 'Synced', /^True/)).toMatch(/^True/)
      }
      tenant = connect({...cluster(), token: await createTenant(kube())})
      await apply(OBJECT)
    }, 240_000)

    afterAll(async () => {
      tenant.close()
      await manager?.stop()
    })

    it('loses and gains nothing by a name that is spelled like that of another install in the claims of CRDs', async () => {
      const before = await others()
      await fulfilled(own)
      await patch('app', {metadata: {annotations: {[KEPT]: 'keep'}}})
      await deleted(own)
      expect(await others()).toEqual(before)
    })

    it.each([
      {
        name: 'a package of another group',
        spec: {package: 'evil/queue:v9.0.0'},
        want: /^False UpgradeRefused /,
      },
      {name: 'a Cluster package', spec: {package: 'example/queue:v1.0.0'}, want: /^False Upgrade/},
      {
        name: 'another version of a CRD',
        spec: {package: 'example/app:v1.1.0'},
        want: /^False UpgradeRefused /,
      },
      {name: 'a source', spec: {...APP, source: 'evil.example.org'}, want: /^False UpgradeRefused /},
      {
        name: 'annotations of its service account',
        spec: {...APP, serviceAccount: {annotations: {'iam.gke.io/gcp-service-account': 'a@b'}}},
        want: /^False UpgradeRefused /,
      },
      {
        name: 'a runtime',
        spec: APP,
        annotations: {'kubectl-crossplane.dev/runtime': '{"replicas":9}'},
        want: /^False UpgradeRefused .*runtime/,
      },
    ])(
      'gets nothing by changing a request that was fulfilled to $name',
      async ({spec, annotations = {}, want}) => {
        const before = await others()
        await fulfilled(own)
        const deployment = named('Deployment', 'app-controller', TENANT, 'apps/v1')
        const running = (await read(deployment)).spec
        await patch('app', {spec, metadata: {annotations}})
        expect(await settled(own, 'Synced', /^False/)).toMatch(want)
        expect((await read(deployment)).spec).toEqual(running)
        const account = asObject((await read(named('ServiceAccount', 'app', TENANT))).metadata)
        expect(account.annotations).toBeUndefined()
        await patch('app', {metadata: {annotations: {[KEPT]: 'keep'}}})
        await deleted(own)
        expect(await others()).toEqual(before)
      },
    )

    it('cannot delete the custom resources of others with its request', async () => {
      const before = await others()
      await fulfilled(own)
      await patch('app', {metadata: {annotations: {[KEPT]: 'delete=1'}}})
      accepted(await tenant.delete(own))
      expect(await settled(own, 'Synced', /^False/)).toMatch(/can only be keep/)
      await patch('app', {metadata: {annotations: {[KEPT]: 'keep'}}})
      await gone(own)
      expect(await others()).toEqual(before)
    })

    it('is not told the names of the custom resources of others', async () => {
      const before = await others()
      await fulfilled(own)
      accepted(await tenant.delete(own))
      const last = await until(
        () => kube().get(own),
        ({code, body}) => code === 404 || /Exist/.test(JSON.stringify(body)),
        60,
      )
      expect(JSON.stringify(last.body)).not.toContain('project-x')
      await patch('app', {metadata: {annotations: {[KEPT]: 'keep'}}}).catch(() => undefined)
      await gone(own)
      expect(await others()).toEqual(before)
    })

    it('gets no rights by the labels and annotations of its request', async () => {
      const before = await others()
      const labeled = request(TENANT, 'labeled', APP, {
        labels: {
          'rbac.crossplane.io/aggregate-to-crossplane-admin': 'true',
          'crossplane.io/scope': 'system',
          'core.crossplane.io/parent-namespace': 'team-b',
          'core.crossplane.io/parent-name': 'app',
        },
        annotations: {'kubectl-crossplane.dev/required-by': 'team-b/app', [KEPT]: 'keep'},
      })
      const plain = request(TENANT, 'plainer', APP, {annotations: {[KEPT]: 'keep'}})
      const roles = async (name: string) => {
        const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
        const all = asObjects(accepted(await kube().send('GET', path)).items)
        const texts = all.map(({metadata, rules}) => {
          const {name: text, labels} = asObject(metadata)
          return JSON.stringify({text, labels, rules})
        })
        return texts
          .filter(text => text.includes(`:${TENANT}:${name}:`))
          .map(text => text.replaceAll(name, 'NAME'))
      }
      const found: (readonly string[])[] = []
      for (const [object, name] of [
        [plain, 'plainer'],
        [labeled, 'labeled'],
      ] as const) {
        await fulfilled(object)
        found.push(await roles(name))
        await deleted(object)
      }
      expect(found[0]?.length).toBeGreaterThan(0)
      expect(found[1]).toEqual(found[0])
      expect(await others()).toEqual(before)
    })

    it('gets and removes nothing by a request of a CRD that another namespace has', async () => {
      const before = await others()
      const crd = request(TENANT, 'by-crd', {crd: 'apps.app.example.org/v1'}, {annotations: {[KEPT]: 'keep'}})
      accepted(await tenant.create(crd))
      await settled(crd, 'Ready', /./)
      await deleted(crd)
      expect(await others()).toEqual(before)
    })

    it.each([
      {name: 'its service account has', flags: ['--service-account-annotation', 'a.example.org/role=admin']},
      {name: 'its controller runs with', flags: ['--replicas', '2']},
    ])('does not take over an install of an administrator with what $name', async ({flags}) => {
      const installed = await runCli(
        ...['package', 'install', 'example/app:v1.0.0', 'tool', '-n', TENANT, '--packages', packages],
        ...[
          '--kubeconfig',
          cluster().kubeconfig,
          '--yes',
          '--no-wait',
          '--owner',
          'app.example.org=example/app',
        ],
        ...flags,
      )
      expect(installed).toMatchObject({status: 0})
      const account = async () => {
        const {annotations, uid} = asObject((await read(named('ServiceAccount', 'tool', TENANT))).metadata)
        const {spec} = await read(named('Deployment', 'tool-controller', TENANT, 'apps/v1'))
        return {annotations, uid, spec}
      }
      const before = await account()
      const tool = request(TENANT, 'tool', APP, {annotations: {[KEPT]: 'keep'}})
      accepted(await tenant.create(tool))
      expect(await settled(tool, 'Ready', /./)).toMatch(/^False PolicyRefused .*an administrator gave it/)
      expect(await account()).toEqual(before)
      await deleted(tool)
      expect(await account()).toEqual(before)
      const {status} = await runCli(
        ...['package', 'uninstall', 'tool', '-n', TENANT, '--kubeconfig', cluster().kubeconfig, '--yes'],
        ...['--custom-resources=keep'],
      )
      expect(status).toBe(0)
    })

    it('removes annotations that an administrator adds to the install of a request that was fulfilled', async () => {
      await fulfilled(own)
      const installed = await runCli(
        ...['package', 'install', 'example/app:v1.0.0', 'app', '-n', TENANT, '--packages', packages],
        ...['--kubeconfig', cluster().kubeconfig, '--yes', '--no-wait'],
        ...['--service-account-annotation', 'a.example.org/role=admin'],
      )
      expect(installed).toMatchObject({status: 0})
      const annotations = async () =>
        asObject((await read(named('ServiceAccount', 'app', TENANT))).metadata).annotations
      await patch('app', {metadata: {annotations: {[KEPT]: 'keep'}}})
      expect(await until(annotations, value => value === undefined, 60)).toBeUndefined()
      await deleted(own)
    })

    it('does not take over a CRD that was kept for the custom resources of others', async () => {
      for (const each of theirs) {
        await apply({...each, metadata: {...asObject(each.metadata), annotations: {[KEPT]: 'keep'}}})
        await remove(each)
        await gone(each)
      }
      accepted(await tenant.create(own))
      expect(await settled(own, 'Synced', /./)).toMatch(/^False Conflict apps\.app\.example\.org exists/)
      await deleted(own)
      expect((await read(OBJECT)).spec).toEqual(OBJECT.spec)
    })
  },
)
