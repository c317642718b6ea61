import {beforeAll, expect, it} from '@jest/globals'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, until} from '../../cluster/kube.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import type {CliResult} from '../../run-cli.js'
import {runProgram} from '../../run-program.js'
import {allow} from './allow.js'
import {ownEntries, runIn} from './installing.js'
import {DemoPackages} from './some-world.js'

describeReal('a user without all permissions', missingTool('kubectl'), () => {
  describeCluster('current', 'on a current server', cluster => {
    const world = new DemoPackages()
    beforeAll(() => {
      world.publish('sql', 'v1.0.0').publish('sql', 'v1.1.0').publish('kv', 'v1.0.0')
    })

    const as = (user: string, ...args: string[]) => runIn(cluster(), ...args, '--as', user)
    const change = (user: string, verb: 'install' | 'upgrade', ...args: string[]) =>
      as(
        user,
        ...['package', verb, ...args, '--packages', world.folder, '--no-wait', '--yes'],
        ...(verb === 'install' ? ['--with-package-api', '--create-namespace'] : []),
      )
    const kubectlApply = async (objects: string) => {
      const {status, stderr} = await runProgram('kubectl', ['apply', '-f', '-'], {
        env: {KUBECONFIG: cluster().kubeconfig},
        input: objects,
      })
      expect({status, stderr}).toEqual({status: 0, stderr: ''})
    }
    /** Roles take effect a moment after they were created. */
    const untilAllowed = async (run: () => Promise<CliResult>) =>
      await until(
        async () => ({...(await run()), stdout: ''}),
        ({stderr}) => !/lacks \d+ permission/.test(stderr),
        20,
      )

    const isOther = (before: CliResult) => (result: CliResult) => result.stderr !== before.stderr

    /** Runs a command that lacks permissions, applies what it prints, and runs it again. */
    const withWhatIsMissing = async (run: () => Promise<CliResult>) => {
      const audit = auditOf(cluster())
      const mark = await audit.mark()
      const denied = await run()
      expect(denied).toMatchObject({status: 1, stdout: expect.stringContaining('kind: ClusterRole')})
      expect(denied.stderr).toMatch(/^Error: cannot plan the change: user "jane" lacks \d+ permissions?$/m)
      expect(ownEntries(await audit.since(mark)).filter(isWrite)).toEqual([])
      await kubectlApply(denied.stdout)
      return {denied, allowed: await untilAllowed(run)}
    }

    it('installs with the printed permissions, and again without a write', async () => {
      const install = () => change('jane', 'install', 'demo/sql:v1.0.0')
      const {denied, allowed} = await withWhatIsMissing(install)
      expect(allowed).toMatchObject({status: 0})
      expect(denied.stderr).toContain('missing permission to use all verbs on configmaps')
      expect(denied.stdout).not.toContain('escalate')
      expect(await install()).toMatchObject({status: 0, stdout: ''})
    }, 120_000)

    it('upgrades, and prints only the additional permissions', async () => {
      const upgrade = () => change('jane', 'upgrade', 'demo/sql:v1.1.0')
      const {denied, allowed} = await withWhatIsMissing(upgrade)
      expect(allowed).toMatchObject({status: 0})
      expect(denied.stdout).toContain('package:crossplane-system:demo-sql:v1.1.0:system')
      expect(denied.stdout).not.toContain('configmaps')
    }, 120_000)

    it('uninstalls with the printed permissions', async () => {
      const uninstall = () => as('jane', 'package', 'uninstall', 'crossplane-system/demo-sql', '--yes')
      expect((await withWhatIsMissing(uninstall)).allowed).toMatchObject({status: 0})
    }, 120_000)

    it('deletes custom resources with the permissions that are printed before the first change', async () => {
      const {kube} = cluster()
      const install = [
        'package',
        'install',
        'demo/kv:v1.0.0',
        '--packages',
        world.folder,
        '--no-wait',
        '--yes',
      ]
      expect(await runIn(cluster(), ...install)).toMatchObject({status: 0})
      const path = '/apis/demo.example.org/v1/kvs'
      await until(
        () => kube.send('GET', path),
        ({code}) => code === 200,
      )
      // More than are read one by one.
      const names = Array.from({length: 9}, (_, index) => `kv-${index}`)
      for (const name of names)
        accepted(await kube.create({apiVersion: 'demo.example.org/v1', kind: 'KVS', metadata: {name}}))
      const flags = ['--custom-resources', 'delete', '--confirm-delete', '9', '--yes']
      const uninstall = () => as('pat', 'package', 'uninstall', 'crossplane-system/demo-kv', ...flags)
      const audit = auditOf(cluster())
      const mark = await audit.mark()
      const denials: string[] = []
      let last = await uninstall()
      // What has to be deleted is known once the inventory can be read.
      for (; last.status === 1 && denials.length < 2; last = await until(uninstall, isOther(last), 20)) {
        expect(ownEntries(await audit.since(mark)).filter(isWrite)).toEqual([])
        denials.push(last.stderr)
        await kubectlApply(last.stdout)
      }
      expect({denials: denials.length, last}).toMatchObject({denials: 2, last: {status: 0}})
      expect(denials[1]).toMatch(/missing permission to .*delete.* kvs in demo[.]example[.]org/)
      expect((await kube.send('GET', path)).code).toBe(404)
    }, 120_000)

    it('names the permission to delete custom resources if only that is missing', async () => {
      accepted(await cluster().kube.create(clusterRole('reads-all', READS)))
      accepted(await cluster().kube.create(binding('reads-all', 'viv')))
      const install = [
        'package',
        'install',
        'demo/kv:v1.0.0',
        '--packages',
        world.folder,
        '--no-wait',
        '--yes',
      ]
      expect(await runIn(cluster(), ...install)).toMatchObject({status: 0})
      const kv = {apiVersion: 'demo.example.org/v1', kind: 'KVS', metadata: {name: 'mine'}}
      await until(
        () => cluster().kube.create(kv),
        ({code}) => code === 201,
      )
      const flags = ['--custom-resources', 'delete', '--confirm-delete', '1', '--dry-run=client']
      const uninstall = () => as('viv', 'package', 'uninstall', 'crossplane-system/demo-kv', ...flags)
      const denied = await until(uninstall, ({stderr}) => stderr.includes('lacks 1 permission'), 20)
      expect(denied).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('missing permission to delete kvs in demo.example.org'),
      })
      expect(denied.stdout).toMatch(/resources:\n +- kvs\n +verbs:\n +- delete\n/)
      const all = ['package', 'uninstall', 'crossplane-system/demo-kv', ...flags.slice(0, 4), '--yes']
      expect(await runIn(cluster(), ...all)).toMatchObject({status: 0})
    }, 120_000)

    it('learns that an install does not exist from its inventory, record and request', async () => {
      await allow(cluster(), 'amy', [
        {apiGroups: [''], resources: ['configmaps']},
        {apiGroups: ['packages.crossplane.io'], resources: ['*']},
      ])
      const uninstall = (...args: string[]) =>
        as('amy', 'package', 'uninstall', 'team-x/none', '--yes', ...args)
      const unknown = await until(uninstall, ({stderr}) => !stderr.includes('lacks'), 20)
      expect(unknown).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringContaining('Error: install "team-x/none" not found'),
      })
      // Its other objects could be found only by lists.
      expect((await uninstall('--adopt')).stderr).toMatch(/user "amy" lacks \d+ permissions/)
    }, 60_000)

    it('does not require the permissions to list namespaces and to read secrets', async () => {
      accepted(await cluster().kube.create(clusterRole('most', MOST)))
      accepted(await cluster().kube.create(binding('most', 'joe')))
      const all = await untilAllowed(() => change('joe', 'install', 'demo/sql:v1.0.0'))
      expect(all).toMatchObject({status: 0})
    })

    it.each<[string, number, readonly string[]]>([
      ['install', 1, ['demo/sql:v1.1.0', '--packages', world.folder, '--yes']],
      ['upgrade', 1, ['--packages', world.folder, '--yes']],
      ['diff', 7, ['demo/sql:v1.1.0', '--packages', world.folder]],
      ['uninstall', 1, ['crossplane-system/demo-sql', '--yes']],
    ])('must know for "package %s" whether a package manager runs', async (verb, status, args) => {
      const others = MOST.map(rule =>
        rule.apiGroups.includes('apps') ? {...rule, verbs: ['get', 'create', 'patch', 'delete']} : rule,
      )
      await cluster().kube.create(clusterRole('others', others))
      await cluster().kube.create(binding('others', 'ann'))
      const denied = await until(
        () => as('ann', 'package', verb, ...args),
        ({stderr}) => stderr.includes(' lacks 1 permission'),
        20,
      )
      expect(denied).toMatchObject({
        status,
        stderr: expect.stringContaining('missing permission to list deployments in apps'),
      })
      if (verb !== 'diff') expect(denied.stdout).toMatch(/resources:\n +- deployments\n +verbs:\n +- list\n/)
    })

    it('prints the plan of a dry run, and the missing permissions on standard output', async () => {
      const read = [{apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list']}]
      accepted(await cluster().kube.create(clusterRole('reader', read)))
      accepted(await cluster().kube.create(binding('reader', 'kim')))
      const dryRun = () => change('kim', 'install', 'demo/kv:v1.0.0', '--dry-run=client', '-o', 'json')
      const {status, stdout, stderr} = await until(dryRun, each => each.stderr.includes('create '), 20)
      expect(status).toBe(1)
      expect(stderr).toMatch(/^create +\d+ +ClusterRole +\S/m)
      expect(JSON.parse(stdout)).toMatchObject({kind: 'List', items: [{kind: 'ClusterRole'}, {}, {}, {}]})
    })

    it('names the permission that a list requires, and the namespaces', async () => {
      expect((await as('jack', 'package', 'list', '-A')).stderr).toContain(
        'kubectl auth can-i list configmaps --all-namespaces',
      )
      expect((await as('jack', 'package', 'list', '-n', 'default')).stderr).toContain(
        'kubectl auth can-i list configmaps -n default',
      )
    })

    it('gets the same objects with a token, and for a service account', async () => {
      const kubeconfig = join(cluster().folder, 'nobody.kubeconfig')
      const {url, ca, tokens} = cluster()
      writeFileSync(
        kubeconfig,
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Config',
          'current-context': 'test',
          clusters: [
            {
              name: 'test',
              cluster: {server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64')},
            },
          ],
          users: [{name: 'nobody', user: {token: tokens.nobody}}],
          contexts: [{name: 'test', context: {cluster: 'test', user: 'nobody'}}],
        }),
      )
      const nobody = await runIn(
        {...cluster(), kubeconfig},
        ...['package', 'uninstall', 'crossplane-system/demo-sql', '--yes'],
      )
      expect(nobody.stdout).toMatch(/kind: User\n +name: nobody$/m)
      const robot = await as('system:serviceaccount:ci:robot', 'package', 'uninstall', 'a/b', '--yes')
      expect(robot.stdout).toMatch(/kind: ServiceAccount\n +name: robot\n +namespace: ci$/m)
    })
  })
})

/** All but secrets, and lists of namespaces. */
const MOST = [
  ...[
    ['', 'configmaps,serviceaccounts,events'],
    ['apps', 'deployments'],
    ['apiextensions.k8s.io', 'customresourcedefinitions'],
    ['coordination.k8s.io', 'leases'],
    ['packages.crossplane.io', '*'],
    ['rbac.authorization.k8s.io', '*'],
    ['demo.example.org', '*'],
  ].map(([group = '', resources = '']) => ({
    apiGroups: [group],
    resources: resources.split(','),
    verbs: ['*'],
  })),
  {apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'create']},
]

/** All that an uninstall does, except for the deletion of custom resources. */
const READS = [
  {apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'patch', 'create', 'update']},
  ...[
    ['', 'configmaps,serviceaccounts'],
    ['apps', 'deployments'],
    ['apiextensions.k8s.io', 'customresourcedefinitions'],
    ['coordination.k8s.io', 'leases'],
    ['packages.crossplane.io', '*'],
    ['rbac.authorization.k8s.io', '*'],
  ].map(([group = '', resources = '']) => ({
    apiGroups: [group],
    resources: resources.split(','),
    verbs: ['delete'],
  })),
]

const RBAC = 'rbac.authorization.k8s.io'

function clusterRole(name: string, rules: typeof MOST) {
  return {apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: {name}, rules}
}

function binding(name: string, user: string) {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: {name},
    roleRef: {apiGroup: RBAC, kind: 'ClusterRole', name},
    subjects: [{apiGroup: RBAC, kind: 'User', name: user}],
  }
}
