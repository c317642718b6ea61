import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText, type JsonValue} from '../../../src/yaml/json-value.js'
import {accepted, until} from '../../cluster/kube.js'
import {crossplane} from '../../cluster/servers.js'
import {schemaOf, schemaViolations} from '../../json-schema.js'
import {Repository} from '../../commands/git/git-world.js'
import {DemoPackages} from '../../commands/cluster/some-world.js'
import {watchedIn} from '../../commands/cluster/watched.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {closedWorld} from './closed-world.js'
import {deploymentOf} from './core-state.js'
import {describeCore, TIMEOUT} from './describe-core.js'
import {fail, listed, run, succeed} from './package-commands.js'
import {publish} from './published-packages.js'
import {render} from './rendered-set.js'
import {expectRolledBack} from './rolled-back.js'
import {setVariable} from '../../set-variable.js'

const CORE = ['--core-version', `v${crossplane.version}`]
const YES = ['--yes', '--timeout', '120s']
const BASE = {apiVersion: 'core.example.org/v1', kind: 'Base', metadata: {name: 'mine'}}

const temporary = temporaryFolder()

const POLICY = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\n'
const ONLY_GATE = `{name: gate, expression: 'pkg.repository.endsWith("/gate")', message: only gate}`

describeCore('packages in a cluster with Crossplane', core => {
  const at = (name: string, tag = '') => `${core().host}/world/${name}${tag && `:${tag}`}`
  const before = process.env.KUBECONFIG

  beforeAll(async () => {
    const path = `${core().host}/world`
    const gate = {repository: `${path}/gate`, kind: 'Provider', requires: []}
    const strict = {required: ['spec'], properties: {spec: {type: 'object'}}}
    await publish(temporary, [
      ...closedWorld(path),
      {...gate, tag: 'v1.0.0', defines: 'Gate'},
      {...gate, tag: 'v1.5.0', defines: 'Gate', crdSchema: strict},
      {...gate, tag: 'v2.0.0', defines: 'Gate', crdVersion: 'v2'},
      {...gate, tag: 'v3.0.0'},
      {...gate, repository: `${path}/rival`, tag: 'v1.0.0', defines: 'Gate'},
    ])
    process.env.KUBECONFIG = core().cluster.kubeconfig
  }, TIMEOUT)
  afterAll(() => setVariable('KUBECONFIG', before))

  const packages = async () =>
    (await listed()).map(one => `${asText(one.kind)} ${asText(one.package)} ${asText(one.state)}`)
  const create = async (object: Parameters<ReturnType<typeof core>['cluster']['kube']['create']>[0]) =>
    accepted(await core().cluster.kube.create(object))
  const names = async (resource: string) => {
    const {items} = accepted(await core().cluster.kube.send('GET', `/apis/${resource}`))
    return asObjects(items).map(({metadata}) => asText(asObject(metadata).name))
  }

  it(
    'lists packages that Crossplane cannot install, and what waits for which',
    async () => {
      const {requests} = await render(at('app', 'v0.1.0'), 'tag')
      await core().apply(requests.at(-1)!)
      const isIncompatible = (line: string) => line.includes('incompatible dependencies')
      await core().settled(state => state.others.length === 1 && state.others.every(isIncompatible))
      expect((await listed()).map(({name, state, waitsFor}) => ({name, state, waitsFor}))).toEqual([
        {name: 'world-base', state: 'Healthy', waitsFor: []},
        {name: 'world-net', state: 'Healthy', waitsFor: []},
        {name: 'world-template', state: 'Healthy', waitsFor: []},
        {name: 'world-app', state: 'Healthy', waitsFor: [`${at('inner')} v0.1.0`]},
        {name: 'world-inner', state: 'Broken', waitsFor: []},
      ])
      const status = await run('status')
      expect(status.status).toBe(1)
      const reason = `${at('base')}@v2.0.0 is incompatible with constraint <v1.1.0`
      expect(status.stdout).toContain(reason)
      for (const name of ['world-net', 'provider.pkg.crossplane.io/world-net', at('net')])
        expect((await succeed('status', name)).stdout).toMatch(/^KIND.*\nProvider +world-net .*\n$/)
      expect(await run('status', at('absent'))).toMatchObject({status: 1})
      const watched = await watchedIn(core().cluster, 'package', 'status', '--watch')
      expect(watched.status).toBe(130)
      expect(watched.lines).toEqual(
        expect.arrayContaining(['Provider world-base: Healthy', expect.stringContaining(reason)]),
      )
    },
    TIMEOUT,
  )

  it(
    'installs a package with what it requires as a saved plan says, and upgrades it',
    async () => {
      const plan = join(temporary, 'plan.json')
      const preview = await succeed('install', at('app', 'v0.1.0'), ...CORE, '--plan-out', plan)
      expect(preview.stdout).toContain('10 to create, 0 unchanged')
      expect(await packages()).toEqual([])
      const compared = async () => await run('diff', at('app', 'v0.1.0'), ...CORE)
      const different = await compared()
      expect({...different, stdout: ''}).toMatchObject({
        status: 1,
        stderr: expect.not.stringContaining('Error'),
      })
      expect(different.stdout).toContain(`+  package: ${at('app', 'v0.1.0')}`)
      await succeed('install', '--plan', plan)
      const installed = [
        `Provider ${at('base', 'v1.0.0')} Healthy`,
        `Provider ${at('net', 'v1.0.0')} Healthy`,
        `Function ${at('template', 'v0.2.0')} Healthy`,
        `Configuration ${at('app', 'v0.1.0')} Healthy`,
        `Configuration ${at('inner', 'v0.1.0')} Healthy`,
      ]
      expect(await packages()).toEqual(installed)
      const again = await succeed('install', at('app', 'v0.1.0'), ...CORE, ...YES)
      expect(again.stderr).toContain('10 unchanged')
      expect(await compared()).toMatchObject({status: 0, stdout: ''})
      // Neither the pin of the package nor what it requires moves.
      const pinned = await succeed('upgrade', ...CORE, ...YES)
      expect(pinned.stderr).toContain(`pinned packages stay at their versions: ${at('app')} (v0.1.0)`)
      expect(await packages()).toEqual(installed)
      await succeed('upgrade', at('app', 'v0.2.0'), ...CORE, ...YES)
      expect(await packages()).toEqual([
        `Provider ${at('base', 'v1.1.0')} Healthy`,
        `Provider ${at('net', 'v1.1.0')} Healthy`,
        `Function ${at('template', 'v0.2.0')} Healthy`,
        `Configuration ${at('app', 'v0.2.0')} Healthy`,
        `Configuration ${at('inner', 'v0.2.0')} Healthy`,
      ])
      await succeed('status')
      await expectRolledBack({at, packages, before: installed, folder: temporary}, CORE)
      expect(await fail('install', at('base', 'v2.0.0'), ...CORE, ...YES)).toMatchObject({status: 3})
      const mixed = await fail('install', at('app', 'v0.2.0'), ...CORE, ...YES, '--pin=digest')
      expect(mixed).toMatchObject({
        status: 5,
        errors: expect.arrayContaining(['Try: Pass --pin=config or --pin=tag.']),
      })
    },
    TIMEOUT,
  )

  it(
    'removes a package, and what only it requires, once nothing needs them',
    async () => {
      await succeed('install', at('net'), ...CORE, ...YES)
      await create(BASE)
      const required = await fail('uninstall', 'world-base', ...YES)
      expect(required.status).toBe(5)
      expect(required.errors).toContain(
        'Try: kubectl crossplane package uninstall provider.pkg.crossplane.io/world-net',
      )
      await succeed('uninstall', 'provider.pkg.crossplane.io/world-net', ...YES)
      expect(await listed()).toMatchObject([{name: 'world-base', unused: true, requiredBy: []}])
      const used = await fail('uninstall', at('base'), ...YES)
      expect(used.status).toBe(5)
      expect(used.errors[0]).toContain(
        '1 custom resource of bases.core.example.org would lose its controller: mine',
      )
      expect(await fail('uninstall', at('base'), ...YES, '--custom-resources=keep')).toMatchObject({
        status: 5,
      })
      const backup = join(mkdtempSync(join(temporary, 'backup-')), 'base')
      const confirmed = ['--custom-resources=delete', '--confirm-delete=1', '--backup', backup]
      const removed = await succeed('uninstall', at('base'), ...YES, ...confirmed)
      expect(removed.stderr).toContain(`Backed up 1 custom resource to ${backup}`)
      expect(readFileSync(join(backup, 'bases.core.example.org/mine.yaml'), 'utf8')).toContain('name: mine')
      expect(readFileSync(join(backup, 'README.md'), 'utf8')).toContain(
        `kubectl crossplane package install ${at('base')}`,
      )
      expect(await listed()).toEqual([])
      expect(await names('pkg.crossplane.io/v1beta1/imageconfigs')).toEqual([])
      expect(await names('pkg.crossplane.io/v1/providerrevisions')).toEqual([])
      expect(await names('apiextensions.k8s.io/v1/customresourcedefinitions')).not.toContain(
        'bases.core.example.org',
      )
      expect(await fail('uninstall', at('base'), ...YES)).toMatchObject({status: 1})
      const absent = await succeed('uninstall', at('base'), ...YES, '--ignore-not-found')
      expect(absent.stderr).toContain(`not installed: ${at('base')}`)
      await succeed('install', at('net'), ...CORE, ...YES)
      const ofNamespace = ['world-net', '--namespace=default']
      expect(await fail('uninstall', ...ofNamespace, ...YES)).toMatchObject({status: 1})
      const unused = ['--with-unused-dependencies', '--ignore-not-found']
      await succeed('uninstall', 'world-net', ...YES, ...unused)
      expect(await listed()).toEqual([])
    },
    TIMEOUT,
  )

  it(
    'rejects the removal of what a ClusterUsage protects',
    async () => {
      const {kube} = core().cluster
      const of = {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', resourceRef: {name: 'world-gate'}}
      const usage = {
        apiVersion: 'protection.crossplane.io/v1beta1',
        kind: 'ClusterUsage',
        metadata: {name: 'keep-gate'},
        spec: {of, reason: 'it is needed'},
      }
      await succeed('install', at('gate', 'v1.0.0'), ...CORE, ...YES)
      await create(usage)
      const protectedBy = await fail('uninstall', 'world-gate', ...YES)
      expect(protectedBy.status).toBe(5)
      expect(protectedBy.errors[0]).toContain('ClusterUsage keep-gate')
      const path = '/apis/protection.crossplane.io/v1beta1/clusterusages/keep-gate'
      await until(
        () => kube.send('DELETE', path),
        ({code}) => code === 404,
        60,
      )
      await succeed('uninstall', 'world-gate', ...YES)
    },
    TIMEOUT,
  )

  it(
    'rejects versions that lose custom resources, and names the conditions of those that do not work',
    async () => {
      const repository = new Repository(mkdtempSync(join(temporary, 'git-')), temporary)
      repository.git('init', '--quiet', '--initial-branch=main')
      repository.git('config', 'user.name', 'A U Thor')
      repository.git('config', 'user.email', 'author@example.org')
      await succeed('install', at('gate', 'v3.0.0'), ...CORE, ...YES)
      await succeed('install', at('gate', 'v1.0.0'), ...CORE, ...YES)
      await create({...BASE, kind: 'Gate'})
      const lost = expect.arrayContaining([expect.stringContaining('would lose its controller')]) as unknown
      expect(await fail('rollback', 'world-gate', ...CORE, ...YES)).toMatchObject({status: 5, errors: lost})
      const stored = await fail('upgrade', at('gate', 'v2.0.0'), ...CORE, ...YES)
      expect(stored.status).toBe(5)
      expect(stored.errors[0]).toContain(
        'gates.core.example.org: the package removes the stored version v1, which the API server rejects',
      )
      const {errors: invalid} = await fail('upgrade', at('gate', 'v1.5.0'), ...CORE, ...YES)
      expect(invalid[0]).toContain('the new schema rejects 1 of 1 custom resource: mine: spec')
      const dropped = await fail('upgrade', at('gate', 'v3.0.0'), ...CORE, ...YES)
      expect(dropped).toMatchObject({status: 5, errors: lost})
      const policy = join(temporary, 'policy.yaml')
      writeFileSync(policy, `${POLICY}reject: {crdChanges: [dropped]}\n`)
      const judged = await fail('upgrade', at('gate', 'v3.0.0'), ...CORE, ...YES, '--policy', policy)
      expect(judged.status).toBe(4)
      expect(judged.errors.join('\n')).toContain('gates.core.example.org: dropped [policy-crd-change]')
      // What is installed and not named is not judged.
      await succeed('install', at('template', 'v0.1.0'), ...CORE, ...YES)
      writeFileSync(policy, `${POLICY}rules: [${ONLY_GATE}]\n`)
      await succeed('upgrade', at('gate', 'v1.0.0'), ...CORE, ...YES, '--policy', policy)
      const whole = await fail('upgrade', ...CORE, ...YES, '--policy', policy)
      expect(whole.status).toBe(4)
      expect(whole.errors.join('\n')).toContain(`${at('template', 'v0.1.0')}: only gate [policy/gate]`)
      const {root} = repository
      await succeed('install', at('gate', 'v1.0.0'), '--git', root, '--yes', '--quiet')
      const inGit = await fail('upgrade', at('gate', 'v3.0.0'), '--git', root, '--context', 'test', '--yes')
      expect(inGit.status).toBe(5)
      expect(inGit.errors).toEqual(lost)
      const rival = await fail('install', at('rival', 'v1.0.0'), ...CORE, '--yes', '--timeout', '15s')
      expect(rival.status).toBe(3)
      expect(rival.errors.join('\n')).toContain(`${at('rival')} is requested and ${at('gate')} is installed`)
      await succeed('upgrade', at('gate', 'v3.0.0'), ...CORE, ...YES, '--custom-resources=keep')
    },
    TIMEOUT,
  )

  it(
    'installs and upgrades packages of both formats of one declaration, with and without a lock',
    async () => {
      const world = new DemoPackages().publish('app', 'v1.0.0')
      const folder = mkdtempSync(join(temporary, 'declared-'))
      const file = join(folder, 'platform.yaml')
      const text = (app: string) =>
        [
          'apiVersion: packages.kubectl-crossplane.dev/v1alpha1',
          'kind: PackageDeclaration',
          `coreVersion: ${CORE[1]!}`,
          'systemNamespace: packages-system',
          'packages:',
          '- package: demo/app',
          `- package: ${at('app', app)}`,
          '',
        ].join('\n')
      writeFileSync(file, text('v0.1.0'))
      const from = ['--declaration', file, '--packages', world.folder]
      const now = [...from, ...YES, '--no-wait']
      const all = async () => {
        const {stdout} = await succeed('list', '--all-namespaces', '-o', 'wide')
        return [...stdout.matchAll(/(?:demo|world)\/[a-z]+:v\S+/g)].map(([name]) => name).sort()
      }
      const refused = await fail('install', ...now, '--with-package-api', '--create-namespace')
      expect(refused.status).toBe(5)
      expect(refused.errors.join('\n')).toContain('the base is for Crossplane v0.12, and the cluster runs')
      const preview = await run('diff', ...from, '--v0.12-base', '--create-namespace')
      expect({...preview, stdout: ''}).toMatchObject({status: 1})
      expect(preview.stdout).toContain(`+  package: ${at('app', 'v0.1.0')}`)
      expect(preview.stdout).toContain('apps.demo.example.org')
      await succeed('install', ...now, '--v0.12-base', '--create-namespace')
      const first = ['app:v0.1.0', 'base:v1.0.0', 'inner:v0.1.0', 'net:v1.0.0', 'template:v0.2.0']
      const installed = (stack: string, xpkgs: readonly string[]) =>
        [`demo/app:${stack}`, ...xpkgs.map(name => `world/${name}`)].sort()
      expect(await all()).toEqual(installed('v1.0.0', first))
      world.publish('app', 'v2.0.0')
      // Neither a package of one format moves those of the other, nor what is pinned.
      await succeed('upgrade', at('app'), ...now)
      expect(await all()).toEqual(installed('v1.0.0', first))
      await succeed('upgrade', ...now)
      expect(await all()).toEqual(installed('v2.0.0', first))
      expect(await fail('upgrade', 'demo/other', ...now)).toMatchObject({status: 1})
      expect(readFileSync(file, 'utf8')).toBe(text('v0.1.0'))
      await succeed('lock', ...from)
      await succeed('upgrade', at('app', 'v0.2.0'), ...now)
      const second = ['app:v0.2.0', 'base:v1.1.0', 'inner:v0.2.0', 'net:v1.1.0', 'template:v0.2.0']
      expect(await all()).toEqual(installed('v2.0.0', second))
      expect(readFileSync(file, 'utf8')).toBe(text('v0.2.0'))
      expect(readFileSync(join(folder, 'platform.lock'), 'utf8')).toContain('tag: v0.2.0')
      const again = await succeed('upgrade', ...now)
      expect(again.stderr).toContain('19 unchanged')
      const limit = join(folder, 'policy.yaml')
      writeFileSync(limit, `${POLICY}limits: {packages: 5}\n`)
      const many = await fail('upgrade', '--packages', world.folder, ...CORE, '--yes', '--policy', limit)
      expect(many.errors[0]).toContain('cannot use 6 packages: line 3')
    },
    TIMEOUT,
  )

  it(
    'differ from a lock where Crossplane has other versions in its own Lock',
    async () => {
      const file = join(mkdtempSync(join(temporary, 'drift-')), 'platform.yaml')
      const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
      writeFileSync(file, `${head}coreVersion: ${CORE[1]!}\npackages:\n- package: ${at('app', 'v0.1.0')}\n`)
      await succeed('lock', '--declaration', file)
      await succeed('install', '--declaration', file, ...YES)
      expect((await succeed('install', '--declaration', file, '--locked', ...YES)).stderr).toMatch(
        / unchanged$/m,
      )
      const sides = ['--declaration', file, '--context', 'test']
      const named = async () => {
        const {stdout} = await run('drift', ...sides, '-o', 'json')
        const report = JSON.parse(stdout) as JsonValue
        expect(schemaViolations(schemaOf('drift-report'), report)).toEqual([])
        return asObjects(asObject(report).corePackages).filter(({lock}) => lock !== undefined)
      }
      expect(await named()).toEqual([])
      await succeed('upgrade', at('app', 'v0.2.0'), ...CORE, ...YES)
      const app = (await named()).find(({repository}) => repository === at('app'))
      expect(app).toEqual({
        repository: at('app'),
        lock: expect.stringMatching(/^v0\.1\.0@sha256:/),
        core: 'v0.2.0',
      })
      const shown = await run('drift', ...sides)
      expect(shown.status).toBe(1)
      expect(shown.stdout).toMatch(/world\/app: lock v0\.1\.0@sha256:\w+, Crossplane's Lock v0\.2\.0$/m)
    },
    TIMEOUT,
  )

  it(
    'takes the version of Crossplane from its Deployment',
    async () => {
      const {kube} = core().cluster
      await succeed('install', at('gate', 'v1.0.0'), ...CORE, ...YES)
      await create(deploymentOf('v1.19.0'))
      const wanted = '--pin=config requires Crossplane v1.20 or later, not v1.19.0'
      for (const command of ['install', 'upgrade']) {
        const old = await fail(command, at('gate', 'v2.0.0'), ...YES)
        expect({...old, errors: old.errors.slice(0, 1)}).toEqual({status: 3, errors: [`Error: ${wanted}`]})
      }
      // A flag decides before what runs.
      const again = await succeed('install', at('gate', 'v1.0.0'), ...CORE, ...YES)
      expect(again.stderr).toContain('2 unchanged')
      await until(
        () => kube.send('DELETE', '/apis/apps/v1/namespaces/default/deployments/crossplane'),
        ({code}) => code === 404,
        60,
      )
    },
    TIMEOUT,
  )

  it(
    'works with a package that another program requested under another name',
    async () => {
      const request = (version: string) => ({
        apiVersion: 'pkg.crossplane.io/v1',
        kind: 'Provider',
        metadata: {name: 'theirs'},
        spec: {package: at('base', version)},
      })
      await core().apply(request('v1.0.0'))
      await core().settled(({healthy}) => healthy.length === 1)
      expect(await fail('install', at('net', 'v1.1.0'), ...CORE, ...YES)).toMatchObject({status: 3})
      await succeed('install', at('net', 'v1.0.0'), ...CORE, ...YES)
      expect(await packages()).toEqual([
        `Provider ${at('base', 'v1.0.0')} Healthy`,
        `Provider ${at('net', 'v1.0.0')} Healthy`,
      ])
      const renamed = await fail('install', at('base', 'v1.1.0'), ...CORE, ...YES)
      expect(renamed.status).toBe(5)
      expect(renamed.errors[0]).toContain('is installed as Provider theirs')
      expect(await fail('uninstall', 'theirs', ...YES)).toMatchObject({status: 5})
    },
    TIMEOUT,
  )
})
