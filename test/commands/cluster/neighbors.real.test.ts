import {beforeAll, describe, expect, it} from '@jest/globals'
import {createServer} from 'node:https'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, until} from '../../cluster/kube.js'
import {openApi} from '../../cluster/open-api.js'
import {listener} from '../../listening.js'
import {LOOPBACK, privateAuthority} from '../../private-authority.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {CHART_DEPLOYMENT, CHART_LABELS} from './chart-objects.js'
import {runIn} from './installing.js'
import {DemoPackages} from './some-world.js'

const MERGE = 'application/merge-patch+json'

/** What Crossplane 1.x and 2.x has in a cluster, in the names that it uses. */
const CROSSPLANE_ROLES = ['crossplane', 'crossplane:system:aggregate-to-crossplane', 'crossplane-admin'].map(
  name => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: {name, labels: {app: 'crossplane'}},
    rules: [{apiGroups: ['pkg.crossplane.io'], resources: ['*'], verbs: ['*']}],
  }),
)

/** As the Helm chart of a current Crossplane makes them. */
const CHART_OBJECTS = [
  ...CROSSPLANE_ROLES.map(role => ({...role, metadata: {...role.metadata, labels: CHART_LABELS}})),
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: {name: 'crossplane-admin', labels: CHART_LABELS},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'crossplane-admin'},
    subjects: [{apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'crossplane:masters'}],
  },
]

const PROVIDERS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'providers.pkg.crossplane.io'},
  spec: {
    group: 'pkg.crossplane.io',
    scope: 'Cluster',
    names: {plural: 'providers', kind: 'Provider'},
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}},
      },
    ],
  },
}

describe('package install', () => {
  describeCluster('current', 'in a cluster with a current Crossplane', cluster => {
    const {folder} = new DemoPackages().publish('db', 'v1.0.0')
    const install = (...flags: string[]) =>
      runIn(
        ...[cluster(), 'package', 'install', 'demo/db:v1.0.0', '--packages', folder, '--no-wait', '--yes'],
        ...['--create-namespace', '--owner', 'demo.example.org=demo/db', ...flags],
      )
    const roles = async () =>
      await Promise.all(CHART_OBJECTS.map(async object => (await cluster().kube.get(object)).body))
    const doctor = async () => {
      const {stdout} = await runIn(cluster(), 'doctor', '--offline', '-o', 'json')
      return (JSON.parse(stdout) as {checks: {check: string}[]}).checks.find(
        ({check}) => check === 'package-api',
      )
    }

    const refused = async (core: string) => {
      const {status, stderr} = await install('--with-package-api', '--adopt', '--force-conflicts')
      expect({status, stderr}).toEqual({
        status: 5,
        stderr: expect.stringContaining(`the base is for Crossplane v0.12, and the cluster runs ${core}`),
      })
      expect(await doctor()).toEqual({
        check: 'package-api',
        state: 'OK',
        message: `${core} runs: packages are those of pkg.crossplane.io`,
      })
    }

    it('refuses the base by its Deployment, and by its CRDs', async () => {
      for (const object of CHART_OBJECTS) accepted(await cluster().kube.create(object))
      const before = await roles()
      accepted(await cluster().kube.create(CHART_DEPLOYMENT))
      await refused('Crossplane v2.3.4')
      accepted(await cluster().kube.delete(CHART_DEPLOYMENT))
      accepted(await cluster().kube.create(PROVIDERS))
      await until(
        () => cluster().kube.send('GET', '/apis/pkg.crossplane.io/v1/providers'),
        ({code}) => code === 200,
      )
      await refused('a current Crossplane')
      const plain = await install()
      expect(plain).toMatchObject({status: 5})
      expect(plain.stderr).toContain(
        'Install a package for a current Crossplane: this one is for Crossplane v0.12',
      )
      expect(plain.stderr).not.toContain('--with-package-api ')
      expect(await roles()).toEqual(before)
    })

    it('adds it with --v0.12-base, and leaves the objects of the chart as they are', async () => {
      const before = await roles()
      expect(await install('--v0.12-base')).toMatchObject({status: 0})
      expect(await roles()).toEqual(before)
    })
  })

  describeCluster('current', 'in a cluster with objects of others', cluster => {
    const listen = listener()
    const {folder} = new DemoPackages()
      .publish('db', 'v1.0.0')
      .publish('kv', 'v1.0.0')
      .publish('ldap', 'v1.0.0')
      .publish('mq', 'v1.0.0')
      .publish('nats', 'v1.0.0')
      .publish('nats', 'v1.1.0')
      .publish('sql', 'v1.0.0')
    const run = (...args: string[]) => runIn(cluster(), 'package', ...args)
    const install = (name: string, ...flags: string[]) =>
      run('install', `demo/${name}:v1.0.0`, '--packages', folder, '--no-wait', '--yes', ...flags)

    beforeAll(async () => {
      for (const role of CROSSPLANE_ROLES) accepted(await cluster().kube.create(role))
      expect(await install('db', '--with-package-api', '--create-namespace')).toMatchObject({status: 0})
    }, 60_000)

    /** Installs while each request for a Deployment is sent to a webhook; returns how often it was called, too. */
    async function installBehind(name: string, answer: (count: number) => number | undefined) {
      let calls = 0
      const {cert, key} = privateAuthority(temporary).issue(name, LOOPBACK)
      const server = createServer({cert, key}, (_, response) => {
        const status = answer(++calls)
        if (status !== undefined) response.writeHead(status).end()
      })
      const url = `https://127.0.0.1:${await listen(server)}/`
      const configuration = webhookOf(name, url, cert)
      accepted(await cluster().kube.create(configuration))
      // The API server learns of it a moment later.
      await until(
        () => cluster().kube.send('POST', `${DEPLOYMENTS}?dryRun=All`, deploymentOf('probe')),
        ({code}) => code === 500,
      )
      calls = 0
      const result = await install(name)
      const called = calls
      accepted(await cluster().kube.delete(configuration))
      await until(
        () => cluster().kube.send('POST', `${DEPLOYMENTS}?dryRun=All`, deploymentOf('probe')),
        ({code}) => code === 201,
      )
      return {...result, called}
    }

    it.each([
      {name: 'kv', what: 'fails', answer: () => 500},
      {name: 'mq', what: 'does not answer in time', answer: () => undefined},
    ])('names an admission webhook that $what, and calls it once', async ({name, answer}) => {
      const {status, stderr, called} = await installBehind(name, answer)
      expect({status, called, stderr}).toEqual({
        status: 1,
        called: 1,
        stderr: expect.stringContaining(
          `cannot apply Deployment crossplane-system/demo-${name}-controller: admission webhook "${name}.example.org" failed: `,
        ),
      })
      expect(stderr).toContain(
        'Try: kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations',
      )
      expect(await install(name)).toMatchObject({status: 0})
    })

    it('rejects a CRD that is being deleted, and continues when it is gone', async () => {
      const metadata = {name: 'sqls.demo.example.org', finalizers: ['example.org/busy']}
      accepted(await cluster().kube.create({...SQLS, metadata}))
      accepted(await cluster().kube.delete(SQLS))
      const {status, stderr} = await install('sql')
      expect({status, stderr}).toEqual({
        status: 5,
        stderr: expect.stringContaining('CustomResourceDefinition sqls.demo.example.org is being deleted'),
      })
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${metadata.name}`
      accepted(await cluster().kube.send('PATCH', path, {metadata: {finalizers: null}}, MERGE))
      await until(
        () => cluster().kube.get(SQLS),
        ({code}) => code === 404,
      )
      expect(await install('sql')).toMatchObject({status: 0})
    })

    it('rejects an install in another namespace whose binding would have the name of an existing one', async () => {
      accepted(await cluster().kube.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'other'}}))
      const {status, stderr} = await run(
        ...['install', 'demo/ldap:v1.0.0', 'demo-db', '--namespace', 'other', '--packages', folder, '--yes'],
      )
      expect({status, stderr}).toEqual({
        status: 5,
        stderr: expect.stringContaining('ClusterRoleBinding demo-db'),
      })
    })

    it('takes over an object with --adopt only, and keeps it when the install is removed', async () => {
      const account = {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: {name: 'demo-ldap', namespace: 'crossplane-system'},
      }
      accepted(await cluster().kube.create(account))
      expect(await install('ldap')).toMatchObject({status: 5})
      expect(await install('ldap', '--adopt')).toMatchObject({status: 0})
      const {status, stderr} = await run('uninstall', 'crossplane-system/demo-ldap', '--yes')
      expect(status).toBe(0)
      expect(stderr).toMatch(/^keep +1 +ServiceAccount +crossplane-system\/demo-ldap\s+\S/m)
      expect(await cluster().kube.get(account)).toMatchObject({code: 200})
    })

    it('keeps an object that an interrupted run took over after others created it again', async () => {
      const account = {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: {name: 'demo-nats', namespace: 'crossplane-system'},
      }
      expect(await install('nats')).toMatchObject({status: 0})
      accepted(await cluster().kube.delete(account))
      accepted(await cluster().kube.create(account))
      const waiting = ['--packages', folder, '--timeout', '1s', '--yes', '--adopt']
      expect(await run('install', 'demo/nats:v1.1.0', ...waiting)).toMatchObject({status: 6})
      expect(await run('uninstall', 'crossplane-system/demo-nats', '--yes')).toMatchObject({status: 0})
      expect(await cluster().kube.get(account)).toMatchObject({code: 200})
    })

    it('changes no object of the current Crossplane', async () => {
      const api = openApi(cluster())
      for (const {apiVersion, kind, metadata, rules} of CROSSPLANE_ROLES) {
        const found = await api.get({apiVersion, kind, name: metadata.name})
        expect(found).toMatchObject({metadata: {labels: metadata.labels}, rules})
        expect(found?.metadata.managedFields).toHaveLength(1)
      }
    })
  })
})

const temporary = temporaryFolder()
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'

const SQLS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'sqls.demo.example.org'},
  spec: {
    group: 'demo.example.org',
    scope: 'Cluster',
    names: {plural: 'sqls', kind: 'SQL', listKind: 'SQLList'},
    versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}],
  },
}

function webhookOf(name: string, url: string, certificate: string) {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: {name},
    webhooks: [
      {
        name: `${name}.example.org`,
        clientConfig: {url, caBundle: Buffer.from(certificate).toString('base64')},
        rules: [{apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['deployments']}],
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 1,
      },
    ],
  }
}

function deploymentOf(name: string) {
  const labels = {app: name}
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name, namespace: 'default'},
    spec: {
      selector: {matchLabels: labels},
      template: {metadata: {labels}, spec: {containers: [{name, image: 'registry.example.org/probe:v1'}]}},
    },
  }
}
