import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {asObject, asObjects, asText, type JsonObject} from 'kubectl-crossplane/plugin'
import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {accepted, connect, type Kube, until} from '../../../../test/cluster/kube.js'
import {RBAC} from '../../../../test/commands/cluster/install-paths.js'
import {runCli} from '../../../../test/run-cli.js'
import {createTenant, forge, TENANT} from '../../../../test/commands/cluster/tenant.js'
import {
  comparableState,
  differenceBetween,
  NO_DIFFERENCE,
} from '../../../../test/commands/cluster/unchanged-state.js'
import {variantCases} from './attack-variants.js'
import {API, managerSuite, named, request, SYSTEM} from './manager-suite.js'

interface Attack {
  readonly name: string
  /** The finding of docs and issue that it is an instance of. */
  readonly finding: 'T1' | 'T2' | 'T3'
  readonly in: JsonObject
  /** The inventories that are forged before, by name and package. */
  readonly forged?: Readonly<Record<string, string>>
  readonly want: RegExp
  /** Further fields of the policy. */
  readonly policy?: string
}

const KEPT = 'kubectl-crossplane.dev/custom-resources'
const KEEP = {[KEPT]: 'keep'}
const AUTO = {'kubectl-crossplane.dev/auto': 'true'}

const tenantRequest = (name: string, spec: JsonObject, metadata: JsonObject = {}) =>
  request(TENANT, name, spec, metadata)
const clusterRequest = (name: string, spec: JsonObject) => ({
  ...tenantRequest(name, spec),
  kind: 'ClusterPackageInstall',
})

const POLICY =
  'owners: {app.example.org: example/app, queue.example.org: example/queue}\nmanager: {namespaces: [team-a, team-b]}\n'

const ATTACKS: readonly Attack[] = [
  {
    name: 'a host that nothing allows',
    finding: 'T3',
    in: tenantRequest('host', {package: '127.0.0.1:1/x/y:v1.0.0'}),
    want: /^False PolicyRefused /,
  },
  {
    name: 'a source that nothing allows',
    finding: 'T3',
    in: tenantRequest('source', {package: 'x/y:v1.0.0', source: '127.0.0.1:1'}),
    want: /^False PolicyRefused /,
  },
  {
    name: 'a source for the images of an allowed package, where the policy lists none',
    finding: 'T3',
    in: tenantRequest('elsewhere', {package: 'docker.io/example/app:v1.0.0', source: 'evil.example.org'}),
    want: /^False PolicyRefused spec\.source is not allowed/,
  },
  {
    name: 'a source that the policy does not list, for the images of an allowed package',
    finding: 'T3',
    in: tenantRequest('rewritten', {package: 'docker.io/evil/plain:v1.0.0', source: 'evil.example.org'}),
    policy: 'sources: [docker.io]\n',
    want: /^False PolicyRefused cannot use the image evil\.example\.org\/evil\/image:v1/,
  },
  {
    name: 'a Cluster package',
    finding: 'T1',
    in: clusterRequest('cluster', {package: 'example/queue:v1.0.0'}),
    want: /^False PolicyRefused .*may not request Cluster packages/,
  },
  {
    name: 'a Cluster package, with an inventory that says it runs',
    finding: 'T1',
    in: clusterRequest('running', {package: 'example/node:v1.0.0'}),
    forged: {running: 'docker.io/example/node'},
    want: /^False PolicyRefused .*may not request Cluster packages/,
  },
  {
    name: 'a Cluster package as a Namespaced one',
    finding: 'T1',
    in: tenantRequest('scope', {package: 'example/queue:v1.0.0'}),
    want: /^False (?:InvalidRequest|ScopeMismatch|PolicyRefused|WaitingForDependency|Conflict) /,
  },
  {
    name: 'the group of another package, with an inventory that says it is owned',
    finding: 'T1',
    in: tenantRequest('fork', {package: 'evil/queue:v9.0.0'}),
    forged: {fork: 'docker.io/evil/queue'},
    want: /^False (?:PolicyRefused|WaitingForDependency .*only one owner)/,
  },
  {
    name: 'a CRD whose owner is another package',
    finding: 'T1',
    in: tenantRequest('crd', {crd: 'queues.queue.example.org/v9'}),
    want: /^False (?:WaitingForDependency|PolicyRefused|AmbiguousOwner|Conflict) /,
  },
  {
    name: 'another version of a CRD that a namespace uses',
    finding: 'T2',
    in: tenantRequest('newer', {package: 'example/app:v1.1.0'}),
    want: /^False (?:Conflict|WaitingForDependency) .*(?:apps\.app\.example\.org|pinned as team-b\/app)/,
  },
  {
    name: 'nodes and environment of its Pods',
    finding: 'T1',
    in: tenantRequest(
      'runtime',
      {package: 'example/app:v1.0.0'},
      {annotations: {'kubectl-crossplane.dev/runtime': '{"replicas":9}'}},
    ),
    want: /^False PolicyRefused .*kubectl-crossplane\.dev\/runtime/,
  },
  {
    name: 'to be a dependency of another install',
    finding: 'T2',
    in: tenantRequest(
      'auto',
      {package: 'evil/queue:v9.0.0'},
      {
        labels: {'kubectl-crossplane.dev/auto': 'true'},
        annotations: {'kubectl-crossplane.dev/required-by': `${SYSTEM}/queue`},
      },
    ),
    want: /^False Creating nothing is installed yet: the label/,
  },
]

/** The attacks of a service account that may only write requests and ConfigMaps in one namespace. */
export function attackCases(cluster: () => TestCluster, packages: string): void {
  const {apply, read, remove, settled, gone, policy} = managerSuite(cluster)
  let tenant: Kube
  const queue = (version: string) => request(SYSTEM, 'queue', {package: `example/queue:${version}`})
  const app = request('team-b', 'app', {package: 'example/app:v1.0.0'})

  describe('a tenant gains nothing by', () => {
    let before: Readonly<Record<string, JsonObject>> = {}
    /** The content of all objects but those of the tenant. */
    const others = async () =>
      Object.fromEntries(
        Object.entries(await comparableState(cluster()))
          .filter(([name]) => !name.includes(TENANT))
          .map(([name, {metadata: _metadata, status: _status, ...content}]) => [name, content]),
      )

    /** The server registers the groups of new CRDs a little later, by objects that are compared. */
    const groupsServed = async () => {
      const read = async (path: string, list: string) =>
        asObjects(accepted(await cluster().kube.send('GET', path))[list])
      const crds = await read('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 'items')
      const wanted = crds.flatMap(({spec}) => {
        const {group, versions} = asObject(spec)
        return asObjects(versions).flatMap(({name, served}) =>
          served === true ? [`${asText(group)}/${asText(name)}`] : [],
        )
      })
      await until(
        async () => (await read('/apis', 'groups')).flatMap(({versions}) => asObjects(versions)),
        versions => wanted.every(want => versions.some(({groupVersion}) => groupVersion === want)),
        60,
      )
    }

    /** An administrator installs a Cluster package where the tenant may write requests, too. */
    const installInInfra = async () => {
      const {kube, kubeconfig} = cluster()
      accepted(await kube.create(named('Namespace', 'infra')))
      const metadata = {namespace: 'infra', name: 'tenant'}
      const roleRef = {apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'tenant'}
      const subjects = [{kind: 'ServiceAccount', namespace: TENANT, name: 'tenant'}]
      const resources = ['packageinstalls', 'clusterpackageinstalls']
      const rules = [{apiGroups: ['packages.crossplane.io'], resources, verbs: ['*']}]
      accepted(await kube.create({apiVersion: RBAC, kind: 'Role', metadata, rules}))
      accepted(await kube.create({apiVersion: RBAC, kind: 'RoleBinding', metadata, roleRef, subjects}))
      const installed = await runCli(
        ...['package', 'install', 'example/plain:v1.0.0', 'prov', '-n', 'infra', '--packages', packages],
        ...['--kubeconfig', kubeconfig, '--yes', '--no-wait'],
      )
      expect(installed).toMatchObject({status: 0})
    }

    beforeAll(async () => {
      await policy(POLICY)
      await apply(queue('v1.0.0'))
      await settled(queue('v1.0.0'), 'Synced', /^True/)
      await apply(app)
      await settled(app, 'Synced', /^True/)
      const {kube, url, ca} = cluster()
      tenant = connect({url, ca, token: await createTenant(kube)})
      const map = named('ConfigMap', 'kubectl-crossplane-policy', TENANT)
      const text = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\nmanager: {clusterNamespaces: [${TENANT}]}\n`
      accepted(await tenant.create({...map, data: {'policy.yaml': text}}))
      await installInInfra()
      await groupsServed()
      before = await others()
    }, 120_000)

    afterAll(() => tenant.close())

    it.each(ATTACKS)('$finding: $name', async ({in: object, forged = {}, want, policy: more = ''}) => {
      if (more !== '') await policy(more + POLICY)
      for (const [name, identity] of Object.entries(forged)) await forge(tenant, name, identity)
      accepted(await tenant.create(object))
      expect(await settled(object, 'Ready', want)).toMatch(/^False/)
      accepted(await tenant.delete(object))
      await gone(object)
      if (more !== '') await policy(POLICY)
      expect(differenceBetween(before, await others())).toEqual(NO_DIFFERENCE)
    })

    it.each<{readonly name: string; readonly in: JsonObject; readonly isServed?: boolean}>([
      {name: 'in a namespace that is not served', in: request('infra', 'prov', {package: 'x/y:v1'})},
      {
        name: 'in one that is not served, which names the same package and keeps its custom resources',
        in: request('infra', 'prov', {package: 'example/plain:v1.0.0'}, {annotations: KEEP}),
      },
      {
        name: 'in one that is not served, which deletes its custom resources',
        in: request('infra', 'prov', {package: 'x/y:v1'}, {annotations: {...KEEP, [KEPT]: 'delete=1'}}),
      },
      {
        name: 'in one that is not served, as a dependency',
        in: request('infra', 'prov', {package: 'x/y:v1'}, {annotations: KEEP, labels: AUTO}),
      },
      {
        name: 'of a kind that is not served',
        in: {...request('infra', 'prov', {package: 'example/plain:v1.0.0'}), kind: 'ClusterPackageInstall'},
        isServed: true,
      },
      {name: 'of an unknown package', in: request('infra', 'prov', {package: 'x/y:v1'}), isServed: true},
      {
        name: 'of the same package in the other scope',
        in: request('infra', 'prov', {package: 'example/plain:v1.0.0'}, {annotations: KEEP}),
        isServed: true,
      },
      {
        name: 'of a package that the policy refuses',
        in: request('infra', 'prov', {package: 'evil/queue:v9.0.0'}, {annotations: KEEP}),
        isServed: true,
      },
      {
        name: 'as a dependency',
        in: request('infra', 'prov', {package: 'example/plain:v1.0.0'}, {annotations: KEEP, labels: AUTO}),
        isServed: true,
      },
    ])('S3: the deletion of a request $name', async ({in: object, isServed = false}) => {
      if (isServed) await policy(POLICY.replace('team-a,', 'team-a, infra,'))
      const finalizers = ['finalizer.packageinstall.crossplane.io']
      accepted(await tenant.create({...object, metadata: {...asObject(object.metadata), finalizers}}))
      if (asObject(object.metadata).labels === undefined) await settled(object, 'Ready', /^False/)
      const {resolved} = asObject(accepted(await tenant.get(object)).status)
      accepted(await tenant.delete(object))
      await gone(object)
      if (isServed) await policy(POLICY)
      expect({resolved, difference: differenceBetween(before, await others())}).toEqual({
        resolved: undefined,
        difference: NO_DIFFERENCE,
      })
    })

    variantCases({cluster, tenant: () => tenant, others, text: POLICY})

    it('T3: inventories of the packages of others, which go on as before', async () => {
      for (const [name, identity] of [
        ['queue', 'docker.io/example/queue'],
        ['app', 'docker.io/evil/queue'],
        ['silent', '10.255.255.1/x/silent'],
      ] as const)
        await forge(tenant, name, identity)
      await apply(request(SYSTEM, 'queue', {package: 'example/queue:v1.0.0', imagePullPolicy: 'Always'}))
      const deployment = await until(
        () => read(named('Deployment', 'queue-controller', SYSTEM, 'apps/v1')),
        live => JSON.stringify(live.spec).includes('"imagePullPolicy":"Always"'),
        60,
      )
      expect(asText(deployment.kind)).toBe('Deployment')
      expect(await settled(queue('v1.0.0'), 'Synced', /^True/)).toBe('True ReconcileSuccess')
    })

    it('many requests, which wait for their turn', async () => {
      const many = Array.from({length: 60}, (_, index) =>
        tenantRequest(`many-${index}`, {package: '127.0.0.1:1/x/y:v1.0.0'}),
      )
      await Promise.all(many.map(async each => accepted(await tenant.create(each))))
      const other = request('team-b', 'other', {package: 'example/queue:v1.1.0'})
      await apply(other)
      await settled(other, 'Ready', /./)
      const path = `/apis/${API}/namespaces/${TENANT}/packageinstalls`
      accepted(await tenant.send('DELETE', path))
      for (const each of many.slice(-1)) await gone(each)
      await remove(other)
      await gone(other)
    })

    it('T1: a right of its own, which it never got', async () => {
      const account = `system:serviceaccount:${TENANT}:tenant`
      const review = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: {user: account, resourceAttributes: {verb: 'get', resource: 'secrets', namespace: TENANT}},
      }
      const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
      const {status} = accepted(await cluster().kube.send('POST', path, review))
      expect(asObject(status).allowed).toBe(false)
      const roles = Object.keys(await comparableState(cluster())).filter(
        name => name.startsWith('ClusterRole') && name.includes(TENANT),
      )
      expect(roles).toEqual([])
    })
  })
}
