import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {accepted} from '../../cluster/kube.js'
import {crossplane} from '../../cluster/servers.js'
import {runCli} from '../../run-cli.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {closedWorld} from './closed-world.js'
import {describeCore, TIMEOUT} from './describe-core.js'
import {testMoves} from './moved.js'
import {testRefusedMoves} from './refused-moves.js'
import {fail, listed, run, succeed} from './package-commands.js'
import {publish} from './published-packages.js'
import {setVariable} from '../../set-variable.js'

const CORE = ['--core-version', `v${crossplane.version}`]
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const PACKAGES = '/apis/pkg.crossplane.io/v1'
const YES = ['--yes', '--timeout', '120s']

const temporary = temporaryFolder()

describeCore('packages that Crossplane does not resolve', core => {
  const at = (name: string, tag = '') => `${core().host}/world/${name}${tag && `:${tag}`}`
  const before = process.env.KUBECONFIG

  beforeAll(async () => {
    await publish(temporary, closedWorld(`${core().host}/world`))
    process.env.KUBECONFIG = core().cluster.kubeconfig
  }, TIMEOUT)
  afterAll(() => {
    setVariable('KUBECONFIG', before)
  })

  testMoves(core, temporary)
  testRefusedMoves(core, temporary, 10)

  it(
    'knows what requires which where Crossplane does not resolve it',
    async () => {
      await succeed('install', at('app', 'v0.1.0'), ...CORE, ...YES, '--pin=digest')
      expect((await core().state()).lock).toEqual([])
      expect((await listed()).map(({name, requiredBy}) => ({name, requiredBy}))).toEqual([
        {name: 'world-base', requiredBy: [at('inner'), at('net')]},
        {name: 'world-net', requiredBy: [at('app')]},
        {name: 'world-template', requiredBy: [at('app')]},
        {name: 'world-app', requiredBy: []},
        {name: 'world-inner', requiredBy: [at('app')]},
      ])
      const required = await fail('uninstall', 'world-net', ...YES)
      expect(required).toEqual({
        status: 5,
        errors: [
          `Error: ${at('app')} requires ${at('net')} v1.0.0: Crossplane would not install it again`,
          'Try: kubectl crossplane package uninstall configuration.pkg.crossplane.io/world-app',
        ],
      })
      const history = await succeed('history', 'world-net', '--output', 'wide')
      expect(history.stdout).toMatch(
        /^REVISION .*\n1 +Active +True +\S+ +\S+world\/net@sha256:\S+ +world-net-\S+ +sha256:\S+\n$/,
      )
      expect(await fail('rollback', 'world-net', ...YES)).toEqual({
        status: 1,
        errors: [
          'Error: cannot roll back provider.pkg.crossplane.io/world-net: Crossplane has no other revision of it',
          'Try: kubectl crossplane package history provider.pkg.crossplane.io/world-net',
          `Try: List the versions to install: kubectl crossplane package versions ${at('net')}`,
        ],
      })
      // net v1.1.0 requires base v1.1.0, which inner excludes.
      expect(await fail('upgrade', at('net', 'v1.1.0'), ...CORE, ...YES)).toMatchObject({status: 3})
      const again = await succeed('install', at('app', 'v0.1.0'), ...CORE, ...YES)
      expect(again.stderr).toContain('5 unchanged')

      // What is requested by its digest keeps no tag: its annotation names the digest from then on.
      const file = join(temporary, 'crossplane-packages.yaml')
      await succeed('import', '--declaration', file, ...CORE)
      const [app] = (await listed()).filter(({name}) => name === 'world-app')
      expect(readFileSync(file, 'utf8').split('\n').slice(3)).toEqual([
        'xpkg:',
        '  pin: digest',
        'packages:',
        `- package: ${asText(app?.package)}`,
        '',
      ])
      const imported = await succeed('install', '--declaration', file, ...YES)
      expect(imported.stderr).toContain('1 configured, 4 unchanged')
      const twice = await succeed('install', '--declaration', file, ...YES)
      expect(twice.stderr).toContain('5 unchanged')
      await succeed('uninstall', 'world-app', ...YES, '--with-unused-dependencies')
      expect(await listed()).toEqual([])
    },
    TIMEOUT,
  )

  /** The requests as `Kind name version`. */
  const requests = async () => {
    const {healthy, others} = await core().settled(state => state.others.length === 0)
    expect(others).toEqual([])
    return healthy.map(line => line.replace(/ \S+\/([a-z]+:)/, ' $1'))
  }

  /** The UIDs of the CRDs of packages: what is installed again has others. */
  const definitionUids = async () => {
    const {items} = accepted(await core().cluster.kube.send('GET', DEFINITIONS))
    const all = asObjects(items).map(({metadata}) => asObject(metadata))
    return all
      .filter(({name}) => asText(name).endsWith('.core.example.org'))
      .map(({uid}) => asText(uid))
      .sort()
  }

  it(
    'changes between both ways of all packages, also if each step is interrupted',
    async () => {
      const {kube} = core().cluster
      const manual = {revisionActivationPolicy: 'Manual'}
      const send = async (path: string, spec: JsonObject) =>
        accepted(await kube.send('PATCH', `${PACKAGES}/${path}`, {spec}, 'application/merge-patch+json'))
      await succeed('install', at('app', 'v0.1.0'), ...CORE, ...YES)
      await send('configurations/world-inner', manual)
      const [before, uids, {lock}] = [await requests(), await definitionUids(), await core().state()]
      /** Each run comes to the end of one wait at most. */
      const inSteps = async (resolver: string) => {
        const end = Date.now() + 100_000
        for (;;) {
          const {status, stderr} = await run(
            ...['upgrade', `--resolver=${resolver}`, ...CORE, '--yes', '--timeout=1ms'],
          )
          if (status === 0) return
          expect({status, stderr: Date.now() > end ? stderr : ''}).toEqual({status: 6, stderr: ''})
        }
      }
      await inSteps('off')
      const dependents = (await core().state()).lock.filter(line => !/\/(?:base|template) /.test(line))
      expect(dependents).toEqual([])
      expect([await requests(), await definitionUids()]).toEqual([before, uids])
      await inSteps('on')
      const back = await core().settled(state => state.lock.length === lock.length)
      expect(back.lock).toEqual(lock)
      expect([await requests(), await definitionUids()]).toEqual([before, uids])

      // Crossplane makes neither revision of world-inner active, which only a user does.
      const upgrade = [
        'upgrade',
        at('app', 'v0.2.0'),
        at('net', 'v1.1.0'),
        at('base', 'v1.1.0'),
        ...CORE,
        ...YES,
      ]
      const waiting = await fail(...upgrade)
      expect(waiting.status).toBe(6)
      expect(waiting.errors.join('\n')).toContain('is not active, as its activation policy is Manual')
      const [, revision = ''] =
        /kubectl patch configurationrevision\S+\/(\S+) /.exec(waiting.errors.join('\n')) ?? []
      await send(`configurationrevisions/${revision}`, {desiredState: 'Active'})
      await succeed(...upgrade)
      expect(await requests()).toEqual([
        'Configuration world-app app:v0.2.0',
        'Configuration world-inner inner:v0.2.0',
        'Function world-template template:v0.2.0',
        'Provider world-base base:v1.1.0',
        'Provider world-net net:v1.1.0',
      ])
    },
    TIMEOUT,
  )

  it(
    'keeps everyday names where Crossplane resolves nothing',
    async () => {
      const file = join(temporary, 'everyday.yaml')
      const everyday = (tag: string, net = 'my-net') => {
        const entry = (path: string, version: string, name: string) => ({package: at(path, version), name})
        const packages = [
          entry('app', tag, 'my-app'),
          {package: at('net'), name: net},
          {package: at('base'), name: 'my-base'},
        ]
        const xpkg = {pin: 'config', resolver: 'off'}
        const head = {apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1', kind: 'PackageDeclaration'}
        writeFileSync(file, JSON.stringify({...head, coreVersion: CORE[1], xpkg, packages}))
      }
      everyday('v0.1.0')
      await succeed('install', '--declaration', file, ...YES)
      const before = [
        'Configuration my-app app:v0.1.0',
        'Configuration world-inner inner:v0.1.0',
        'Function world-template template:v0.2.0',
        'Provider my-base base:v1.0.0',
        'Provider my-net net:v1.0.0',
      ]
      expect(await requests()).toEqual(before)
      everyday('v0.1.0', 'other')
      const renamed = await fail('install', '--declaration', file, ...YES)
      expect(renamed).toMatchObject({status: 5})
      expect(renamed.errors).toContain(`Try: Set name: my-net in the entry of ${at('net')}.`)
      everyday('v0.2.0')
      await succeed('install', '--declaration', file, ...YES)
      const after = [
        'Configuration my-app app:v0.2.0',
        'Configuration world-inner inner:v0.2.0',
        'Function world-template template:v0.2.0',
        'Provider my-base base:v1.1.0',
        'Provider my-net net:v1.1.0',
      ]
      expect(await requests()).toEqual(after)
      // Without the declaration, names and the resolver are those of the cluster.
      await succeed(
        'upgrade',
        at('app', 'v0.1.0'),
        at('net', 'v1.0.0'),
        at('base', 'v1.0.0'),
        ...CORE,
        ...YES,
      )
      expect(await requests()).toEqual(before)
      expect((await core().state()).lock).toEqual([])
      // A NAME is the one of the request, too.
      await succeed('install', at('base', 'v1.0.0'), 'my-base', ...CORE, ...YES)
      const again = await fail('install', at('base', 'v1.0.0'), 'other', ...CORE, ...YES)
      expect(again).toMatchObject({status: 5})
      expect(again.errors).toContain(
        'Try: Without a declaration, leave out NAME: the package keeps its name.',
      )
      expect(await requests()).toEqual(before)
    },
    TIMEOUT,
  )

  it(
    'keeps the everyday name of a package that nothing requires, and rejects an upgrade of another one',
    async () => {
      const byHand = (kind: string, name: string, reference: string) => ({
        ...{apiVersion: 'pkg.crossplane.io/v1', kind, metadata: {name}},
        spec: {package: reference},
      })
      await core().apply(byHand('Function', 'my-template', at('template', 'v0.1.0')))
      await core().apply(byHand('Provider', 'my-base', at('base', 'v1.0.0')))
      expect(await requests()).toHaveLength(2)
      await core().apply(byHand('Provider', 'my-net', at('net', 'v1.0.0')))
      expect(await requests()).toHaveLength(3)
      const newer = await run('outdated', '--installed', '--quiet')
      expect({...newer, stdout: newer.stdout.split('\n').map(line => line.trim().split(/ {2,}/))}).toEqual({
        status: 0,
        stderr: '',
        stdout: [
          ['PINNED', 'INSTALLED', 'SELECTED', 'LATEST'],
          [at('base'), 'v1.0.0', 'v1.0.0', 'v2.0.0'],
          [`${at('base')} v1.0.0 is requested`],
          [at('net'), 'v1.0.0', 'v1.0.0', 'v1.1.0'],
          [`${at('net')} v1.0.0 is requested`],
          [at('template'), 'v0.1.0', 'v0.1.0', 'v0.2.0'],
          [`${at('template')} v0.1.0 is requested`],
          [''],
          ['0 packages up to date.'],
          [''],
        ],
      })
      await succeed('upgrade', at('template', 'v0.2.0'), ...CORE, ...YES, '--adopt', '--force-conflicts')
      const required = await fail('upgrade', at('base', 'v1.1.0'), ...CORE, ...YES, '--adopt')
      expect(required).toMatchObject({status: 5})
      expect(required.errors[0]).toContain(`${at('base')} is installed as Provider my-base`)
      expect(await requests()).toEqual([
        'Function my-template template:v0.2.0',
        'Provider my-base base:v1.0.0',
        'Provider my-net net:v1.0.0',
      ])

      // One that skips, beside one that does not and requires it.
      const base = byHand('Provider', 'my-base', at('base', 'v1.0.0'))
      await core().apply({...base, spec: {...base.spec, skipDependencyResolution: true}})
      const file = join(temporary, 'mixed.yaml')
      await run('import', '--declaration', file, ...CORE)
      for (const [command, ...words] of [
        ['package', 'status'],
        ['package', 'drift', '--declaration', file, '--context', 'test'],
        ['doctor', '--offline'],
      ]) {
        const {stdout, stderr} = await runCli(command ?? '', ...words)
        expect(stdout + stderr).toContain(`provider/my-net requires ${at('base')}, which skips the resolver`)
        expect(stdout + stderr).toContain('kubectl crossplane package upgrade --resolver=off')
      }

      // All begin to skip, and my-net leaves the Lock, before a version changes.
      const lines = await requests()
      const skip = ['upgrade', '--resolver=off', ...CORE, ...YES]
      expect(await fail(...skip)).toMatchObject({status: 5})
      const uids = await definitionUids()
      const {stderr} = await succeed(...skip, '--adopt', '--force-conflicts')
      expect(stderr).toContain('set xpkg.resolver: off in a declaration of this cluster')
      expect(stderr).toContain('provider/my-net restarts')
      expect(await requests()).toEqual(lines)
      expect((await core().state()).lock.filter(line => line.includes('/net '))).toEqual([])
      expect(await definitionUids()).toEqual(uids)
      expect((await succeed(...skip)).stderr).toMatch(/\b\d+ unchanged\n$/)
      await succeed('upgrade', at('base', 'v1.1.0'), ...CORE, ...YES, '--force-conflicts')
      expect(await requests()).toEqual([
        'Function my-template template:v0.2.0',
        'Provider my-base base:v1.1.0',
        'Provider my-net net:v1.0.0',
      ])
      // Back again only under the names that Crossplane derives.
      const back = await fail('upgrade', '--resolver=on', ...CORE, ...YES)
      expect(back).toMatchObject({status: 5})
      expect(back.errors[0]).toContain('provider/my-base is required by another package')
    },
    TIMEOUT,
  )
})
