import {afterEach, beforeAll, expect, it} from '@jest/globals'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {readInventories} from '../../../src/observe/installs/read-inventories.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {openApi} from '../../cluster/open-api.js'
import {listener} from '../../listening.js'
import type {CliResult} from '../../run-cli.js'
import type {ProgramResult} from '../../run-program.js'
import {disturbedIn, objectsIn, runIn} from './installing.js'
import {gated, type RunGated} from './interrupted-run.js'
import {DemoPackages, ownedBy} from './some-world.js'

const WAITING = /^Waiting for the Lease of namespace crossplane-system, /
const HOLDER = new RegExp(`${WAITING.source}held by ".*@${hostname()}, process \\d+, \\w+"$`, 'm')

type Ended = Omit<ProgramResult, 'stdout'>

const world = new DemoPackages()
  .publish('sql', 'v1.0.0')
  .publish('app', 'v1.0.0', 'sqls')
  .publish('blog', 'v1.0.0', 'sqls')

const pages = new DemoPackages('Namespaced').publish('page', 'v1.0.0').publish('page', 'v2.0.0')
const notes = new DemoPackages('Namespaced').publish('note', 'v1.0.0')

const INSTALL = ['package', 'install', '--packages', world.folder, '--namespace', 'crossplane-system']
const FLAGS = ['--with-package-api', '--create-namespace', '--no-wait', '--yes']
const installOf = (name: string) => [...INSTALL, `demo/${name}:v1.0.0`, ...ownedBy('sql'), ...FLAGS]
const uninstallOf = (name: string) => ['package', 'uninstall', `crossplane-system/demo-${name}`, '--yes']

const CRD_OF_APP = /^PATCH .*[/]apps[.]demo[.]example[.]org[?]/
const CRD_OF_NOTE = /^PATCH .*[/]notes[.]demo[.]example[.]org[?]/
const CRD_OF_PAGE = /^PATCH .*[/]pages[.]demo[.]example[.]org[?]/
const BINDING_OF_APP = /^DELETE .*[/]clusterrolebindings[/]demo-app$/

describeCluster('current', 'two commands at the same time', cluster => {
  const listen = listener()
  let run: RunGated
  beforeAll(async () => {
    run = await gated(cluster(), listen)
  })

  /** Holds the first command at a write until the second one waits for its Lease. */
  async function overlap(first: readonly string[], at: RegExp, second: readonly string[]): Promise<Ended[]> {
    const others: Promise<Ended>[] = []
    const secondWaits = () =>
      new Promise<true>(resolve => {
        const disturb = () => Promise.resolve(resolve(true))
        const other = disturbedIn(cluster(), {at: WAITING, disturb}, ...second)
        others.push(other)
        void other.finally(() => resolve(true))
      })
    const ended = await run(first, () => ({
      before: ({line}) => (at.test(line) && others.length === 0 ? secondWaits() : true),
      after: () => undefined,
    }))
    const all = [ended, ...(await Promise.all(others))]
    for (const {stderr, ...end} of all) expect({stderr, ...end}).toEqual({stderr, status: 0, signal: null})
    expect(all[1]?.stderr).toMatch(HOLDER)
    return all
  }

  /** The inventories by name, with what their installs are for. */
  async function installs(): Promise<Readonly<Record<string, readonly string[]>>> {
    const {inventories} = await readInventories(openApi(cluster()))
    expect(inventories.map(({phase}) => phase)).toEqual(inventories.map(() => 'complete'))
    return Object.fromEntries(inventories.map(({install}) => [install.name, Object.keys(install.for)]))
  }

  const expectNoDifference = async (name: string) => {
    const [, , ...args] = installOf(name).filter(each => !['--no-wait', '--yes'].includes(each))
    expect(await runIn(cluster(), 'package', 'diff', ...args)).toMatchObject({status: 0, stdout: ''})
  }

  afterEach(async () => {
    for (const name of ['app', 'blog', 'sql']) await runIn(cluster(), ...uninstallOf(name))
    expect(await installs()).toEqual({})
  })

  it('install the same package once', async () => {
    const [, second] = await overlap(installOf('app'), CRD_OF_APP, installOf('app'))
    expect(second?.stderr).not.toMatch(/ (?:created|configured)$/m)
    expect(await installs()).toEqual({'demo-app': [], 'demo-sql': ['crossplane-system/demo-app']})
    await expectNoDifference('app')
  }, 120_000)

  it('install a dependency of both packages once', async () => {
    const [, second] = await overlap(installOf('app'), CRD_OF_APP, installOf('blog'))
    expect(second?.stderr).not.toMatch(/ (?:pruned|replaced)$/m)
    expect(await installs()).toEqual({
      'demo-app': [],
      'demo-blog': [],
      'demo-sql': ['crossplane-system/demo-app', 'crossplane-system/demo-blog'],
    })
    await expectNoDifference('app')
    await expectNoDifference('blog')
  }, 120_000)

  it('install a package after the other has removed it', async () => {
    expect(await runIn(cluster(), ...installOf('app'))).toMatchObject({status: 0})
    await overlap(uninstallOf('app'), BINDING_OF_APP, installOf('app'))
    expect(await installs()).toEqual({'demo-app': [], 'demo-sql': ['crossplane-system/demo-app']})
    await expectNoDifference('app')
  }, 120_000)

  it('do not change the CRD that the other has created', async () => {
    const install = (version: string, namespace: string) => [
      ...['package', 'install', join(pages.folder, `demo/page@${version}`), 'demo-page'],
      ...['--as-package', `demo/page:${version}`, '--no-dependencies', '--namespace', namespace, ...FLAGS],
    ]
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: 'pages.demo.example.org',
    }
    const schema = async () => JSON.stringify((await openApi(cluster()).get(crd))?.spec)
    const others: CliResult[] = []
    const first = await run(install('v2.0.0', 'one'), () => ({
      before: async ({line}) => {
        if (CRD_OF_PAGE.test(line) && others.length === 0)
          others.push(await runIn(cluster(), ...install('v1.0.0', 'two')))
        return true
      },
      after: () => undefined,
    }))
    expect(others).toEqual([expect.objectContaining({status: 0})])
    expect(first).toMatchObject({
      status: 5,
      stderr: expect.stringContaining('pages.demo.example.org: it was created after the plan was made'),
    })
    expect(await schema()).toContain('Of v1.0.0')
    expect(await runIn(cluster(), ...install('v2.0.0', 'one'))).toMatchObject({status: 0})
    expect(await schema()).toContain('Of v2.0.0')
    for (const namespace of ['one', 'two']) {
      const uninstall = ['package', 'uninstall', `${namespace}/demo-page`, '--yes']
      expect(await runIn(cluster(), ...uninstall)).toMatchObject({status: 0})
    }
    expect(await schema()).toBe(undefined)
  }, 120_000)

  it('create the same CRD for installs of two namespaces', async () => {
    const installIn = (namespace: string) => [
      'package',
      'install',
      'demo/note',
      '--packages',
      notes.folder,
      '--namespace',
      namespace,
      ...FLAGS,
    ]
    const others: CliResult[] = []
    const first = await run(installIn('one'), () => ({
      before: async ({line}) => {
        if (CRD_OF_NOTE.test(line) && others.length === 0)
          others.push(await runIn(cluster(), ...installIn('two')))
        return true
      },
      after: () => undefined,
    }))
    for (const each of [first, ...others]) expect(each).toMatchObject({status: 0})
    expect(others).toHaveLength(1)
    expect(await installs()).toEqual({'demo-note': []})
    const crds = async () =>
      (await objectsIn(cluster())).filter(name => name.endsWith(' notes.demo.example.org'))
    for (const [namespace, left] of [
      ['one', 1],
      ['two', 0],
    ] as const) {
      const uninstall = ['package', 'uninstall', `${namespace}/demo-note`, '--yes']
      expect(await runIn(cluster(), ...uninstall)).toMatchObject({status: 0})
      expect(await crds()).toHaveLength(left)
    }
  }, 120_000)

  it('remove a package after the other has installed it', async () => {
    expect(await runIn(cluster(), ...installOf('sql'))).toMatchObject({status: 0})
    const before = await objectsIn(cluster())
    await overlap(installOf('app'), CRD_OF_APP, uninstallOf('app'))
    expect(Object.keys(await installs())).toEqual(['demo-sql'])
    expect(await objectsIn(cluster())).toEqual(before)
  }, 120_000)
})
