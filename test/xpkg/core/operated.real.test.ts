import {beforeAll, describe, expect, it} from '@jest/globals'
import {loadAll} from 'js-yaml'
import {existsSync, mkdtempSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {accepted, until} from '../../cluster/kube.js'
import {crossplane} from '../../cluster/servers.js'
import {runCli} from '../../run-cli.js'
import {render as renderedSet} from './rendered-set.js'
import {runIn} from '../../commands/cluster/installing.js'
import {temporaryFolder} from '../../temporary-folder.js'
import type {CoreState} from './core-state.js'
import {describeCore, TIMEOUT} from './describe-core.js'
import {publish} from './published-packages.js'

const temporary = temporaryFolder()
const REVISIONS = '/apis/pkg.crossplane.io/v1/providerrevisions'
const PROVIDERS = '/apis/pkg.crossplane.io/v1/providers'
const DEFINITION =
  '/apis/apiextensions.crossplane.io/v1alpha1/managedresourcedefinitions/bases.core.example.org'
const LOCK = '/apis/pkg.crossplane.io/v1beta1/locks/lock'

const isPoisoned = ({others}: CoreState) => others.some(line => line.includes('already exists'))
const isHealthyLine = (line: string) => (state: CoreState) => state.healthy.includes(line)
const isHealthy =
  (...names: readonly string[]) =>
  ({healthy, others}: CoreState) =>
    others.length === 0 && names.every(name => healthy.some(line => line.split(' ')[1] === name))

describeCore('a cluster with Crossplane', core => {
  const kube = () => core().cluster.kube
  const repository = (name: string) => `${core().host}/operated/${name}`
  const request = (kind: string, name: string, at: string, spec: JsonObject = {}) => ({
    apiVersion: 'pkg.crossplane.io/v1',
    kind,
    metadata: {name},
    spec: {package: repository(at), ...spec},
  })
  const provider = (name: string, tag: string, spec: JsonObject = {}) =>
    request('Provider', name, `dep:${tag}`, spec)
  const lockChecks = async () => {
    const {status, stdout} = await runIn(core().cluster, 'doctor', '--offline', '-o', 'json')
    const {checks} = JSON.parse(stdout) as {readonly checks: readonly JsonObject[]}
    const own = checks.filter(({check}) => check === 'core-lock')
    return {
      status,
      states: own.map(({state}) => state),
      text: own.map(({message}) => asText(message)).join('\n'),
    }
  }
  const repair = (...args: readonly string[]) => runIn(core().cluster, 'doctor', '--repair', ...args)
  /** Creates a custom resource of the package, and returns a reader of its UID. */
  const instance = async () => {
    const mine = {apiVersion: 'core.example.org/v1', kind: 'Base', metadata: {name: 'mine'}}
    await until(
      () => kube().apply(mine, {force: true}),
      ({code}) => code < 300,
    )
    const read = async () => asText(asObject((await kube().get(mine)).body.metadata).uid)
    const uid = await read()
    return async () => {
      expect(uid).not.toBe('')
      expect(await read()).toBe(uid)
    }
  }
  const deletedIn = (text: string) => [...text.matchAll(/Provider (\S+) deleted/g)].map(([, name]) => name)

  beforeAll(async () => {
    const dep = (tag: string) => ({
      repository: repository('dep'),
      tag,
      kind: 'Provider',
      requires: [],
      defines: 'Base',
    })
    const parent = (name: string, of: string) => ({
      repository: repository(name),
      tag: 'v1.0.0',
      kind: 'Configuration',
      requires: [
        {
          kind: of === 'dep' ? 'Provider' : 'Configuration',
          repository: repository(of),
          version: '>=v1.0.0',
        },
      ],
    })
    await publish(temporary, [
      ...['v1.0.0', 'v1.5.0', 'v2.0.0'].map(dep),
      parent('app', 'dep'),
      parent('self', 'self'),
    ])
  }, TIMEOUT)

  describe('whose Lock is poisoned', () => {
    it(
      'keeps the request that owns the CRDs, of two for one package',
      async () => {
        await core().apply(provider('one', 'v1.0.0'))
        await core().settled(isHealthy('one'))
        const expectSameInstance = await instance()
        await core().apply(provider('two', 'v1.5.0'))
        await core().settled(isPoisoned)

        const found = await lockChecks()
        expect(found).toMatchObject({status: 1, states: ['Broken']})
        expect(found.text).toContain('and delete provider/two: both request')
        expect(found.text).toContain('keep provider/one (it owns 2 objects of the package)')

        const preview = await repair('--dry-run=server')
        expect(preview).toMatchObject({status: 0})
        expect(preview.stdout).toContain('Provider two')
        expect(isPoisoned(await core().state())).toBe(true)

        const done = await repair('--yes')
        expect({status: done.status, stderr: done.stderr}).toEqual({status: 0, stderr: expect.anything()})
        expect(deletedIn(done.stderr)).toEqual(['two'])
        const state = await core().settled(isHealthy('one'))
        expect(state).toMatchObject({healthy: [`Provider one ${repository('dep')}:v1.0.0`], others: []})
        await expectSameInstance()
        expect(await lockChecks()).toMatchObject({states: ['OK']})
      },
      TIMEOUT,
    )

    it(
      'keeps what Crossplane requested for a parent, if that owns the CRDs',
      async () => {
        await core().apply(request('Configuration', 'operated-app', 'app:v1.0.0'))
        await core().settled(isHealthy('operated-app', 'operated-dep'))
        const expectSameInstance = await instance()
        await core().apply(provider('mine', 'v1.0.0'))
        await core().settled(isPoisoned)
        expect((await lockChecks()).text).toContain(
          'keep provider/operated-dep (it owns 2 objects of the package)',
        )
        const done = await repair('--yes')
        expect(done.stderr).toContain('remove it from where it is applied')
        expect(deletedIn(done.stderr)).toEqual(['mine'])
        await core().settled(isHealthy('operated-app', 'operated-dep'))
        expect((await core().state()).others).toEqual([])
        await expectSameInstance()
      },
      TIMEOUT,
    )

    it(
      'removes what Crossplane requested while a dependency under another name was upgraded',
      async () => {
        await core().apply(provider('mydep', 'v1.0.0'))
        await core().settled(isHealthy('mydep'))
        await core().apply(request('Configuration', 'operated-app', 'app:v1.0.0'))
        await core().settled(isHealthy('mydep', 'operated-app'))
        const warned = await lockChecks()
        expect(warned.states).toEqual(['Warning'])
        expect(warned.text).toContain('provider/mydep should be named operated-dep')
        const expectSameInstance = await instance()
        await core().apply(provider('mydep', 'v1.5.0'))
        await core().settled(isPoisoned)
        expect((await lockChecks()).text).toContain('delete provider/operated-dep (created by Crossplane)')
        const done = await repair('--yes')
        expect(done.stderr).not.toContain('where it is applied')
        expect(deletedIn(done.stderr)).toEqual(['operated-dep'])
        const state = await core().settled(isHealthy('mydep', 'operated-app'))
        expect(state.healthy).toContain(`Provider mydep ${repository('dep')}:v1.5.0`)
        await expectSameInstance()
      },
      TIMEOUT,
    )

    it(
      'deactivates older revisions that were not activated by hand',
      async () => {
        const manual = {revisionActivationPolicy: 'Manual'}
        await core().apply(provider('operated-dep', 'v1.0.0'))
        await core().settled(isHealthy('operated-dep'))
        const expectSameInstance = await instance()
        for (const tag of ['v1.5.0', 'v2.0.0']) {
          await core().apply(provider('operated-dep', tag, manual))
          await core().settled(({lock}) => lock.some(line => line.includes(tag)))
        }
        await core().settled(isPoisoned)
        expect((await lockChecks()).text).toContain(
          'several revisions of provider/operated-dep are in the Lock',
        )
        expect(await repair('--yes')).toMatchObject({status: 0})
        const {lock} = await core().settled(state => state.lock.length === 1 && !isPoisoned(state))
        expect(lock).toEqual([expect.stringContaining(' v2.0.0 ')])
        // A person activates it as before.
        const [, , name] = lock[0]!.split(' ')
        const active = {spec: {desiredState: 'Active'}}
        accepted(await kube().send('PATCH', `${REVISIONS}/${name}`, active, 'application/merge-patch+json'))
        const {others} = await core().settled(isHealthy('operated-dep'))
        expect(others).toEqual([])
        await expectSameInstance()
      },
      TIMEOUT,
    )

    it(
      'names a revision that does not exist, and what a person can do',
      async () => {
        await core().apply(provider('operated-dep', 'v1.0.0'))
        await core().settled(isHealthy('operated-dep'))
        const {packages, ...lock} = accepted(await kube().send('GET', LOCK))
        const [entry = {}] = asObjects(packages)
        const poisoned = {...lock, packages: [entry, {...entry, name: 'restored-123456789abc'}]}
        accepted(await kube().send('PUT', LOCK, poisoned))
        try {
          expect((await lockChecks()).text).toContain('the Lock has restored-123456789abc')
          const refused = await repair('--yes')
          expect(refused.status).toBe(5)
          expect(refused.stderr).toContain('kubectl edit locks.pkg.crossplane.io lock')
        } finally {
          const now = accepted(await kube().send('GET', LOCK))
          accepted(await kube().send('PUT', LOCK, {...now, packages: asObjects(now.packages).slice(0, 1)}))
        }
        expect(await lockChecks()).toMatchObject({states: ['OK']})
      },
      TIMEOUT,
    )

    it(
      'names a cycle, which no change of the cluster repairs',
      async () => {
        await core().apply(request('Configuration', 'operated-self', 'self:v1.0.0'))
        await core().settled(isHealthy('operated-self'))
        const found = await lockChecks()
        expect(found.states).toEqual(['Broken'])
        expect(found.text).toContain(`${repository('self')} → ${repository('self')}`)
        expect((await repair('--yes')).status).toBe(5)
      },
      TIMEOUT,
    )
  })

  describe('whose packages are imported', () => {
    const imported = async (name: string, ...args: readonly string[]) => {
      const file = join(mkdtempSync(join(temporary, `${name}-`)), 'crossplane-packages.yaml')
      const result = await runIn(core().cluster, 'package', 'import', '--declaration', file, ...args)
      return {...result, file}
    }
    const render = async (file: string) => {
      const {status, stdout, stderr} = await runCli('package', 'render', '--declaration', file)
      expect({status, stderr}).toEqual({status: 0, stderr: ''})
      const objects = loadAll(stdout) as JsonObject[]
      return objects.map(({kind, metadata, spec}) => {
        return `${asText(kind)} ${asText(asObject(metadata).name)} ${asText(asObject(spec).package)}`.trim()
      })
    }

    it(
      'renders the same requests from what was written, although a newer version exists',
      async () => {
        await core().apply(provider('operated-dep', 'v1.5.0', {packagePullPolicy: 'Always'}))
        await core().apply(request('Configuration', 'operated-app', 'app:v1.0.0'))
        const {healthy} = await core().settled(isHealthy('operated-dep', 'operated-app'))

        const preview = await imported('preview', '--dry-run')
        expect({status: preview.status, exists: existsSync(preview.file)}).toEqual({status: 0, exists: false})

        const {status, stderr, file} = await imported('written', '--core-version', 'v2.3.4')
        expect({status, stderr}).toEqual({status: 0, stderr: expect.not.stringContaining('Warning')})
        expect(await render(file)).toEqual([...healthy].reverse())
        const declaration = readFileSync(file, 'utf8')
        expect(declaration).toContain('coreVersion: v2.3.4')
        expect(declaration).toContain('pin: tag')
        expect(declaration).toContain('imagePullPolicy: Always')
        const [, active = ''] = (await core().state()).active.find(line => line.includes('-dep-'))!.split(' ')
        const lock = readFileSync(file.replace(/yaml$/, 'lock'), 'utf8')
        expect(lock).toContain(`sha256:${active.split('-').at(-1)}`)

        const again = await runIn(core().cluster, 'package', 'import', '--declaration', file)
        expect(again).toMatchObject({status: 5, stdout: ''})
      },
      TIMEOUT,
    )

    it(
      'holds names and settings, and warns of a poisoned Lock',
      async () => {
        await core().apply(provider('mydep', 'v1.0.0', {revisionHistoryLimit: 3}))
        await core().settled(isHealthy('mydep'))
        const {status, stderr, file} = await imported('other')
        expect(status).toBe(0)
        expect(stderr).not.toContain('Warning')
        expect(readFileSync(file, 'utf8')).toContain('revisionHistoryLimit: 3')
        expect(await render(file)).toEqual([`Provider mydep ${repository('dep')}:v1.0.0`])

        await core().apply(provider('operated-dep', 'v1.0.0'))
        await core().settled(isPoisoned)
        const poisoned = await imported('poisoned')
        expect(poisoned.status).toBe(0)
        expect(poisoned.stderr).toContain('keep provider/mydep')
        expect(poisoned.stderr).toContain('Try: kubectl crossplane doctor --repair')
        expect(readFileSync(poisoned.file, 'utf8').match(/package:/g)).toHaveLength(1)
      },
      TIMEOUT,
    )

    it(
      'hand over their CRDs to a second request, which package move relies on',
      async () => {
        await core().apply(provider('mydep', 'v1.0.0'))
        await core().apply(request('Configuration', 'operated-app', 'app:v1.0.0'))
        const {active} = await core().settled(isHealthy('mydep', 'operated-app'))
        const [, former = ''] = active.find(line => line.includes(' mydep-'))!.split(' ')
        const expectSameInstance = await instance()
        const patch = async (path: string, spec: JsonObject) =>
          accepted(await kube().send('PATCH', path, {spec}, 'application/merge-patch+json'))

        await core().apply(provider('operated-dep', 'v1.0.0'))
        await patch(`${PROVIDERS}/mydep`, {revisionActivationPolicy: 'Manual'})
        await patch(`${REVISIONS}/${former}`, {desiredState: 'Inactive'})
        const renamed = `Provider operated-dep ${repository('dep')}:v1.0.0`
        expect((await core().settled(isHealthyLine(renamed))).healthy).toContain(renamed)

        accepted(await kube().send('DELETE', `${PROVIDERS}/mydep`))
        // The garbage collector has decided about the definition once it has removed the former owners.
        const owners = async () =>
          asObjects(asObject(accepted(await kube().send('GET', DEFINITION)).metadata).ownerReferences)
        await until(owners, all => all.every(({name}) => !asText(name).startsWith('mydep')), 150)
        const {healthy, others, lock} = await core().settled(isHealthy('operated-dep', 'operated-app'))
        expect({healthy, others}).toEqual({
          healthy: [`Configuration operated-app ${repository('app')}:v1.0.0`, renamed],
          others: [],
        })
        expect(lock).toHaveLength(2)
        await expectSameInstance()
      },
      TIMEOUT,
    )

    it(
      'installs what was imported without a change, and requests it as before',
      async () => {
        const files = ['--core-version', `v${crossplane.version}`, '--yes', '--timeout', '120s']
        const install = async (...args: readonly string[]) => {
          const {status, stderr} = await runIn(core().cluster, 'package', 'install', ...args, ...files)
          expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
          return stderr
        }
        await install(repository('app'))
        await install(`${repository('dep')}:v2.0.0`)
        const {status, stderr, file} = await imported('installed')
        expect({status, stderr}).toEqual({status: 0, stderr: expect.not.stringContaining('Warning')})
        expect(readFileSync(file, 'utf8')).toContain('pin: config')
        expect(readFileSync(file, 'utf8').match(/^- package: .*/gm)).toEqual([
          `- package: ${repository('app')}`,
          `- package: ${repository('dep')}:v2.0.0`,
        ])
        const again = await install('--declaration', file)
        expect(again).toContain('4 unchanged')
        expect(again).not.toContain('configured')

        await install(`${repository('dep')}:v1.5.0`)
        const names = async () => {
          const {stdout} = await runIn(core().cluster, 'package', 'history', repository('dep'), '-o', 'name')
          return stdout
        }
        expect(await names()).toBe('1\n2\n')
      },
      TIMEOUT,
    )

    it(
      'imports what Crossplane does not resolve, and other programs applied, by what it requires',
      async () => {
        const {prepared, requests} = await renderedSet(`${repository('app')}:v1.0.0`, 'digest')
        for (const object of [...prepared, ...requests]) await core().apply(object)
        const {healthy} = await core().settled(isHealthy('operated-dep', 'operated-app'))
        const {status, stderr, file} = await imported('unresolved')
        expect({status, stderr}).toEqual({status: 0, stderr: expect.not.stringContaining('Warning')})
        expect(readFileSync(file, 'utf8')).toContain('pin: digest')
        const entries = readFileSync(file, 'utf8').match(/^- package: .*/gm)
        expect(entries).toEqual([expect.stringContaining(`${repository('app')}@sha256:`)])
        expect((await render(file)).toSorted()).toEqual([...healthy].toSorted())
      },
      TIMEOUT,
    )

    it(
      'imports pins and digests',
      async () => {
        const set = await renderedSet(`${repository('app')}:v1.0.0`, 'config')
        for (const object of [...set.prepared, ...set.requests]) await core().apply(object)
        await core().settled(isHealthy('operated-dep', 'operated-app'))
        const {status, stderr, file} = await imported('pinned', '--core-version', `v${crossplane.version}`)
        expect({status, stderr}).toEqual({status: 0, stderr: expect.not.stringContaining('Warning')})
        const {stdout} = await runCli('package', 'render', '--declaration', file)
        const text = ({apiVersion, kind, metadata, spec}: JsonObject) =>
          JSON.stringify({apiVersion, kind, metadata, spec})
        expect((loadAll(stdout) as JsonObject[]).map(text)).toEqual(
          [...set.prepared, ...set.requests].map(text),
        )
      },
      TIMEOUT,
    )
  })
})
