import {beforeAll, expect, it} from '@jest/globals'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {readYaml} from '../../../src/yaml/read-yaml.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, until} from '../../cluster/kube.js'
import {runCli} from '../../run-cli.js'
import {writeTree} from '../../temporary-folder.js'
import {CHART_DEPLOYMENT} from '../cluster/chart-objects.js'
import {owner, rulesIn} from '../locked-world.js'
import {GitWorlds, type Repository, withVariables} from './git-world.js'

const CONTEXT = ['--context', 'test']
const NAME = 'mine'

/** `x/es` has two CRDs in its first version, and one in its second. */
const DROPPING = {
  ...owner('v1.0.0', 'es', 'v1'),
  'x/es@v1.0.0/.registry/resources/b.crd.yaml':
    owner('v1.0.0', 'fs', 'v1')['x/fs@v1.0.0/.registry/resources/a.crd.yaml'] ?? '',
  ...owner('v2.0.0', 'es', 'v1'),
}

describeCluster('current', 'a commit that is judged by a cluster', cluster => {
  const worlds = new GitWorlds()
  beforeAll(() => {
    writeTree(worlds.packages, {
      ...owner('v1.0.0', 'cs', 'v1'),
      ...owner('v2.0.0', 'cs', 'v2'),
      ...owner('v1.0.0', 'ds', 'v1'),
      ...owner('v1.0.0', 'ms', 'v1'),
      ...owner('v2.0.0', 'ms', 'v2'),
      ...DROPPING,
      'x/app-ds@v1.0.0/.registry/app.yaml':
        'title: Test\nversion: v1.0.0\npermissionScope: Cluster\ndependsOn: [{crd: ds.x.example.org/v1}]\n',
    })
  })

  const run = (repository: Repository, command: string, ...args: readonly string[]) =>
    withVariables({KUBECONFIG: cluster().kubeconfig}, () => repository.run(command, ...args))

  /** What a controller does first: it applies the objects that installs share. */
  async function deploy(repository: Repository): Promise<void> {
    for (const folder of ['namespaces', 'base', 'crds']) {
      const paths = repository.git('ls-files', `packages/${folder}`).trim().split('\n')
      for (const path of paths.filter(each => each !== '' && !each.endsWith('/kustomization.yaml'))) {
        const [document] = readYaml(Buffer.from(repository.text(path)), path)
        accepted(await cluster().kube.apply(document?.value as JsonObject, {manager: 'controller'}))
      }
    }
  }

  /** A kubeconfig of a user without permissions. */
  function asUser(user: string): string {
    const path = join(worlds.folder(), 'kubeconfig')
    const [document] = readYaml(readFileSync(cluster().kubeconfig), 'kubeconfig')
    const config = document?.value as {readonly users: readonly {readonly user: object}[]}
    const users = config.users.map(each => ({...each, user: {...each.user, as: user}}))
    writeFileSync(path, JSON.stringify({...config, users}))
    return path
  }

  const instance = (kind: string, version = 'v1') => ({
    apiVersion: `x.example.org/${version}`,
    kind,
    metadata: {name: NAME},
  })
  const create = (object: JsonObject) =>
    until(
      () => cluster().kube.create(object),
      ({code}) => code < 400,
    )
  const remove = async (object: JsonObject) => accepted(await cluster().kube.delete(object))
  const assumptions = (repository: Repository) =>
    repository.git('log', '-1', '--format=%(trailers:key=Crossplane-Assumption,valueonly)').trim()

  async function rejected(repository: Repository, ...args: readonly [string, ...string[]]) {
    const {status, stderr} = await run(repository, ...args, ...CONTEXT)
    expect({status, left: repository.status()}).toEqual({status: 5, left: ''})
    return {rules: rulesIn(stderr), stderr}
  }

  it('changes a CRD only if it has no instance, and the commit says what to do', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/cs:v1.0.0'))
    const early = await rejected(repository, 'upgrade', 'x/cs:v2.0.0')
    expect(early.rules).toEqual(['crd-not-found'])
    await deploy(repository)
    await create(instance('CS'))
    const blocked = await rejected(repository, 'upgrade', 'x/cs:v2.0.0')
    expect(blocked.rules).toEqual(['crd-version-removed'])
    expect(blocked.stderr).toContain(`but 1 custom resource exists (${NAME})`)
    expect(blocked.stderr).toContain('kubectl get cs.x.example.org --all-namespaces --context test')
    await remove(instance('CS'))
    const {status, stderr} = await run(repository, 'upgrade', 'x/cs:v2.0.0', ...CONTEXT)
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining(': committed ')})
    expect(stderr).toContain('the CRD must be deleted once the commit is deployed')
    expect(repository.git('log', '-1', '--format=%B')).toContain(
      '\n1. kubectl delete customresourcedefinition cs.x.example.org\n',
    )
    expect(assumptions(repository)).toBe('')
  })

  it('serves both versions of a CRD until its custom resources are migrated', async () => {
    const repository = worlds.repository()
    const versions = () =>
      Array.from(
        repository.text('packages/crds/ms.x.example.org.yaml').matchAll(/^ {2}- name: (\w+)$/gm),
        ([, name]) => name,
      )
    const checked = async () =>
      await runCli('package', 'check', '--git', repository.root, '--packages', worlds.packages)
    const message = () => repository.git('log', '-1', '--format=%B')
    await repository.committed(repository.install('x/ms:v1.0.0'))
    await deploy(repository)
    await create(instance('MS'))
    const unflagged = await repository.upgrade('x/ms:v2.0.0')
    expect({status: unflagged.status, rules: rulesIn(unflagged.stderr)}).toEqual({
      status: 5,
      rules: ['crd-version-removed'],
    })
    expect(unflagged.stderr).toContain('Pass --migrate-versions')

    await repository.committed(repository.upgrade('x/ms:v2.0.0', '--migrate-versions'))
    expect(versions()).toEqual(['v2', 'v1'])
    expect(message()).toContain('1. This commit serves v1 beside the new versions of 1 CRD.\n')
    expect(message()).toContain('\n   kubectl crossplane package migrate --context NAME\n')
    expect(await checked()).toMatchObject({status: 0})
    await repository.committed(repository.install('x/bs:v1.0.0'))
    expect(versions()).toEqual(['v2', 'v1'])
    await deploy(repository)
    const upgrade = ['package', 'upgrade', '--git', repository.root, '--packages', worlds.packages, '--yes']
    const waiting = (
      await withVariables({KUBECONFIG: cluster().kubeconfig}, () => runCli(...upgrade, ...CONTEXT))
    ).stderr
    expect(waiting).toMatch(/ms\.x\.example\.org still serves .* package migrate --context \S+ was run/)
    expect(waiting).not.toContain(': committed ')

    const {status, stderr} = await withVariables({KUBECONFIG: cluster().kubeconfig}, () =>
      runCli('package', 'migrate', 'ms.x.example.org', '--yes', ...CONTEXT),
    )
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: expect.stringContaining('migrates 1 custom resource of ms.x.example.org from v1 to v2'),
    })
    await repository.committed(run(repository, 'upgrade', ...CONTEXT))
    expect(versions()).toEqual(['v2'])
    expect(message()).toContain('Nothing is stored in v1 of 1 CRD: this commit drops it.\n')
    expect(await checked()).toMatchObject({status: 0})
    await deploy(repository)
    expect(accepted(await cluster().kube.get(instance('MS', 'v2'))).metadata).toMatchObject({name: NAME})
  }, 120_000)

  it('removes a controller and its CRDs only if they have no instance and no dependent', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/ds:v1.0.0', '--with-package-api', '--create-namespace'))
    await repository.committed(repository.install('x/bs:v1.0.0', '--namespace', 'other'))
    await deploy(repository)
    await create(instance('DS'))
    await repository.committed(run(repository, 'uninstall', 'x-ds', ...CONTEXT))
    expect((await rejected(repository, 'uninstall', 'x-ds')).rules).toEqual(['instances-exist'])
    await remove(instance('DS'))
    const record = {
      apiVersion: 'packages.crossplane.io/v1alpha1',
      kind: 'Package',
      metadata: {name: 'x-app-ds', namespace: 'other'},
      spec: {dependsOn: [{crd: 'ds.x.example.org/v1'}]},
    }
    await create(record)
    const required = await rejected(repository, 'uninstall', 'x-ds')
    expect(required.rules).toEqual(['install-required'])
    expect(required.stderr).toContain('other/x-app-ds in the cluster requires ds.x.example.org/v1')
    await remove(record)
    await repository.committed(run(repository, 'uninstall', 'x-ds', ...CONTEXT))
    expect(repository.git('ls-files')).toContain('packages/crds/ds.x.example.org.yaml')

    await create(instance('DS'))
    const blocked = await rejected(repository, 'uninstall', 'x-ds')
    expect(blocked.rules).toEqual(['instances-exist'])
    expect(blocked.stderr).toContain('would be deleted with it')
    await remove(instance('DS'))
    await repository.committed(run(repository, 'uninstall', 'x-ds', ...CONTEXT))
    expect(repository.git('ls-files')).not.toContain('packages/crds/ds.x.example.org.yaml')
    expect(assumptions(repository)).toBe('')
  })

  it('drops a CRD only if it has no instance', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/es:v1.0.0', '--with-package-api'))
    const without = await repository.upgrade('x/es:v2.0.0')
    expect({status: without.status, rules: rulesIn(without.stderr)}).toEqual({
      status: 5,
      rules: ['crd-dropped'],
    })
    await deploy(repository)
    await create(instance('FS'))
    const blocked = await rejected(repository, 'upgrade', 'x/es:v2.0.0')
    expect(blocked.rules).toEqual(['instances-exist'])
    expect(blocked.stderr).toContain('1 custom resource of fs.x.example.org would lose its controller: mine')

    const denied = await withVariables({KUBECONFIG: asUser('jane')}, () =>
      repository.run('upgrade', 'x/es:v2.0.0', ...CONTEXT),
    )
    expect({status: denied.status, rules: [...new Set(rulesIn(denied.stderr))]}).toEqual({
      status: 1,
      rules: ['permission-missing'],
    })
    expect(denied.stderr).toContain('list fs in x.example.org')
    expect(denied.stderr).toContain('list configmaps')
    expect(denied.stderr).toContain('get customresourcedefinitions in apiextensions.k8s.io')

    const preview = await run(
      repository,
      'upgrade',
      'x/es:v2.0.0',
      '--custom-resources',
      'keep',
      '--dry-run=client',
    )
    expect(preview).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Crossplane-Custom-Resources: keep'),
    })
    await remove(instance('FS'))
    await repository.committed(run(repository, 'upgrade', 'x/es:v2.0.0', ...CONTEXT))
    expect(repository.git('ls-files')).not.toContain('packages/crds/fs.x.example.org.yaml')
  })

  it('is rejected for a declaration of another Kubernetes', async () => {
    const repository = worlds.repository({
      'crossplane-packages.yaml':
        'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\nrender: {kubeVersion: "1.20"}\npackages:\n- package: x/bs:v1.0.0\n',
    })
    const {status, stderr} = await run(repository, 'upgrade', 'x/bs:v2.0.0', ...CONTEXT)
    expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining('kubeVersion in ')})
    expect(stderr).toContain('is 1.20, but the cluster has Kubernetes v1.')
  })

  it('is not judged by a cluster and an assumption at once', async () => {
    const repository = worlds.repository()
    const both = ['--assume-no-instances', ...CONTEXT]
    expect(await run(repository, 'install', 'x/bs:v1.0.0', ...both)).toMatchObject({status: 2})
  })

  it('does not bring the base to a current Crossplane, unless a flag names v0.12', async () => {
    const repository = worlds.repository()
    accepted(await cluster().kube.create(CHART_DEPLOYMENT))
    try {
      const install = ['install', 'x/bs:v1.0.0'] as const
      const {rules, stderr} = await rejected(repository, ...install)
      expect(rules).toEqual(['base-beside-core'])
      expect(stderr).toContain('the cluster runs Crossplane v2.3.4')
      expect(await run(repository, ...install, '--v0.12-base')).toMatchObject({status: 2})
      expect(await run(repository, ...install, '--v0.12-base', ...CONTEXT)).toMatchObject({status: 0})
      expect(repository.git('ls-files', 'packages/base')).not.toBe('')
      // The tree has the base now: later commits do not bring it.
      expect(await run(repository, 'upgrade', 'x/bs:v2.0.0', ...CONTEXT)).toMatchObject({status: 0})
    } finally {
      accepted(await cluster().kube.delete(CHART_DEPLOYMENT))
    }
  })
})
