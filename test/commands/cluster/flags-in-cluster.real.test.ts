import {beforeAll, expect, it} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {clusterFlags} from '../../../src/cli/cluster/cluster-flags.js'
import {commonFlags} from '../../../src/cli/shell/flags/common-flags.js'
import {pullFlags} from '../../../src/cli/sources/pull-flags.js'
import {present} from '../../outcome.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {crossplane} from '../../cluster/servers.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'
import {closedWorld} from '../../xpkg/core/closed-world.js'
import {describeCore, TIMEOUT} from '../../xpkg/core/describe-core.js'
import {publish} from '../../xpkg/core/published-packages.js'
import {visibleIn} from '../folder-content.js'
import {flagsOf, withoutFormer} from '../flag-table.js'
import {CLUSTER_VALUES} from './cluster-flag-values.js'
import {installPlanned, runIn} from './installing.js'
import {DemoPackages} from './some-world.js'

const folder = temporaryFolder()
const CORE_VERSION = ['--core-version', `v${crossplane.version}`]
const DRY = ['--dry-run=client', '--yes']

type Commands = Readonly<Record<string, readonly string[]>>

/** Commands that read a cluster, or change it; HOST is the registry of its packages, DIR a new folder. */
const COMMANDS: Commands = {
  'package install': ['HOST/world/template:v0.1.0', ...CORE_VERSION, ...DRY],
  'package diff': ['HOST/world/net:v1.1.0', ...CORE_VERSION],
  'package upgrade': ['HOST/world/base:v1.1.0', ...CORE_VERSION, ...DRY],
  'package uninstall': ['world-net', ...DRY],
  'package move': ['world-gate', 'HOST/other/gate:v1.0.0', ...CORE_VERSION, '--dry-run=client'],
  'package import': ['--declaration', 'DIR/new.yaml', ...CORE_VERSION, '--dry-run=client'],
  'package tree': ['--installed'],
  'package why': ['world-base', '--installed'],
  'package outdated': ['--installed'],
  'package activation': ['--declaration', 'DIR/open.yaml', '--context', 'test', ...CORE_VERSION],
  'package impact': ['--declaration', 'DIR/open.yaml', '--context', 'test', ...CORE_VERSION],
  'package list': [],
  'package status': [],
  'package history': ['world-net'],
  'package rollback': ['world-gate', ...CORE_VERSION, ...DRY],
  'package migrate': DRY,
  'package drift': ['--declaration', 'DIR/open.yaml', '--context', 'test'],
  doctor: [],
}

/** Commands that read the lock of the declaration. */
const WITH_LOCK: readonly string[] = ['package impact', 'package drift']

/** Flags that do the same for packages of both formats: sources, trust, Git, and how a result is printed or waited for. */
const OF_BOTH: readonly string[] = [
  ...Object.keys({...pullFlags, ...clusterFlags, ...commonFlags}),
  ...['output', 'packages', 'packages-base', 'index', 'solve-timeout', 'lock-file', 'locked', 'verify'],
  ...['trust-lock', 'policy', 'declaration', 'installed', 'watch', 'yes', 'dry-run', 'plan', 'plan-out'],
  ...['show-objects', 'show-files', 'no-wait', 'timeout', 'continue', 'back', 'objects', 'write', 'check'],
  ...[
    'git',
    'remote',
    'push',
    'author-name',
    'author-email',
    'signoff',
    'gpg-sign',
    'ssh-sign',
    'signing-key',
  ],
  ...['old', 'new', 'fail-on', 'max-unread', 'repair'],
]

/** Why a flag makes no difference to the packages of this suite. */
const REASONS = {
  image: 'images of packages are of no platform',
  none: 'there is nothing that it could be applied to',
  preview: 'a preview makes no backup',
  namespaces: 'as in kubectl, it is no error where all objects are in no namespace',
  same: 'these packages are of that kind anyway',
  resolved: 'it decides which versions are selected, and these packages have no other choice',
} as const

const WITHOUT_DIFFERENCE: Readonly<Record<string, keyof typeof REASONS>> = {
  platform: 'image',
  'ignore-not-found': 'none',
  adopt: 'none',
  family: 'none',
  'check-updates': 'none',
  backup: 'preview',
  'all-namespaces': 'namespaces',
  'package outdated core-version': 'resolved',
  'package activation core-version': 'resolved',
  'package impact core-version': 'resolved',
  'package rollback core-version': 'resolved',
  'package rollback force-conflicts': 'none',
  'package rollback accept-impact': 'none',
}

const STACK_SYSTEM = ['--namespace', 'crossplane-system']
const STACK_SOURCE = ['--packages', 'PACKAGES']
/** A saved plan has all that is applied. */
const STACK_PLAN = [...STACK_SOURCE, '--plan-out', 'DIR/plan.json']

/** Commands in a cluster of Crossplane v0.12; PACKAGES is the folder of its packages. */
const STACK_COMMANDS: Commands = {
  'package install': ['demo/free:v1.0.0', ...STACK_SYSTEM, ...STACK_PLAN],
  'package diff': ['demo/free:v1.0.0', ...STACK_SYSTEM, ...STACK_SOURCE],
  'package upgrade': ['demo/sql:v1.1.0', ...STACK_PLAN],
  'package uninstall': ['demo-app', ...STACK_SYSTEM, ...DRY],
  'package rollback': ['demo-net', ...STACK_SYSTEM, ...STACK_PLAN],
  'package migrate': ['nets.demo.example.org', ...DRY],
  'package drift': ['--declaration', 'DIR/open.yaml', '--context', 'test', ...STACK_SOURCE],
  'package impact': ['--declaration', 'DIR/open.yaml', '--context', 'test', ...STACK_SOURCE],
  'package outdated': ['--installed', ...STACK_SOURCE],
  'package tree': ['--installed'],
  'package why': ['demo/net', '--installed'],
  'package list': STACK_SYSTEM,
  'package status': STACK_SYSTEM,
  'package history': ['demo-net', ...STACK_SYSTEM],
  doctor: [],
}

/** The same of packages of Crossplane v0.12. */
const STACK_WITHOUT_DIFFERENCE: Readonly<Record<string, keyof typeof REASONS>> = {
  scope: 'same',
  cluster: 'same',
  owner: 'resolved',
  assume: 'resolved',
  'allow-version-mismatch': 'resolved',
  'crossplane-version': 'resolved',
  'dependency-namespace': 'none',
  'no-pin-image': 'none',
  'controller-image': 'none',
  'templates-from': 'none',
  'non-structural': 'none',
  'allow-core-permissions': 'none',
  'allow-full-deployment': 'none',
  'force-conflicts': 'none',
  'replace-crds': 'none',
  'migrate-versions': 'none',
  'accept-impact': 'none',
  'package diff source': 'none',
  'package upgrade api': 'none',
  'package upgrade system-namespace': 'none',
  'package rollback system-namespace': 'none',
  'package outdated system-namespace': 'none',
}

/** What is tried in which cluster; HOST is the registry of its packages. */
interface World {
  readonly commands: Commands
  readonly cluster: TestCluster
  readonly host?: string
  readonly packages?: string
  /** The entry of the declaration. */
  readonly entry: string
}

async function run(
  command: string,
  {commands, cluster, host = '', packages = '', entry}: World,
  ...flags: readonly string[]
) {
  const home = writeTree(mkdtempSync(join(folder, 'home-')), {
    'runtime.yaml': 'replicas: 4\n',
    'open.yaml': JSON.stringify({
      ...{apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1', kind: 'PackageDeclaration'},
      packages: [{package: entry.replace('HOST', host)}],
    }),
  })
  if (WITH_LOCK.includes(command)) {
    const sources = packages === '' ? CORE_VERSION : ['--packages', packages]
    const words = ['package', 'lock', '--declaration', join(home, 'open.yaml'), ...sources]
    expect(await runIn(cluster, ...words)).toMatchObject({status: 0})
  }
  const inPlace = (word: string) =>
    word.replace('DIR', home).replace('HOST', host).replace('PACKAGES', packages)
  const argv = [...command.split(' '), ...present(commands[command]), ...flags].map(inPlace)
  const {status, stdout, stderr} = await runIn(cluster, ...withoutFormer(argv, flags[0]))
  const neutral = (text: string) => text.replaceAll(home, 'DIR').replaceAll(/\d+ ?(?:m?s|ago)\b/g, 'TIME')
  return {status, stdout: neutral(stdout), stderr: neutral(stderr), files: visibleIn(home)}
}

it.each(Object.keys(COMMANDS))('%s: what each flag is for is known', async command => {
  const known = [...OF_BOTH, ...Object.keys(CLUSTER_VALUES)]
  expect((await flagsOf(command)).filter(flag => !known.includes(flag))).toEqual([])
})

it('has each reason for a flag that makes no difference', () => {
  const used = Object.values({...WITHOUT_DIFFERENCE, ...STACK_WITHOUT_DIFFERENCE})
  expect([...new Set(used)].sort()).toEqual(Object.keys(REASONS).sort())
})

it('names only flags that a command has', async () => {
  const names: string[] = []
  for (const command of Object.keys(COMMANDS))
    names.push(...(await flagsOf(command)).flatMap(flag => [flag, `${command} ${flag}`]))
  const rows = Object.keys({...CLUSTER_VALUES, ...WITHOUT_DIFFERENCE, ...STACK_WITHOUT_DIFFERENCE}).concat(
    OF_BOTH,
  )
  expect(rows.filter(name => !names.includes(name))).toEqual([])
})

/** Defines a test for each command. */
function tryFlags(
  commands: Commands,
  place: () => Omit<World, 'commands'>,
  without: Readonly<Record<string, keyof typeof REASONS>> = WITHOUT_DIFFERENCE,
): void {
  it.each(Object.keys(commands))(
    '%s takes no flag without effect',
    async command => {
      const world = () => ({commands, ...place()})
      const plain = await run(command, world())
      // A comparison that finds something ends with 1.
      expect([0, 1]).toContain(plain.status)
      const silent: string[] = []
      for (const flag of await flagsOf(command)) {
        const value = CLUSTER_VALUES[flag]
        const names = [flag, `${command} ${flag}`]
        if (value === undefined || names.some(name => name in without)) continue
        const ended = await run(command, world(), `--${flag}`, ...value)
        if (JSON.stringify(ended) === JSON.stringify(plain)) silent.push(flag)
        if (ended.status === 2) expect(ended.stderr).toMatch(new RegExp(`--(${flag}|scope|git)\\b`))
      }
      expect(silent).toEqual([])
    },
    TIMEOUT,
  )
}

describeCore(
  'a cluster with packages of a current Crossplane',
  core => {
    beforeAll(async () => {
      const {cluster, host} = core()
      const gate = (path: string, tag: string) => ({
        ...{repository: `${host}/${path}/gate`, tag, kind: 'Provider', requires: []},
        defines: 'Gate',
      })
      const gates = [gate('world', 'v0.9.0'), gate('world', 'v1.0.0'), gate('other', 'v1.0.0')]
      await publish(folder, [...closedWorld(`${host}/world`), ...gates])
      for (const name of ['net:v1.0.0', 'gate:v0.9.0', 'gate:v1.0.0']) {
        const words = ['package', 'install', `${host}/world/${name}`, ...CORE_VERSION]
        expect(await runIn(cluster, ...words, '--yes', '--timeout', '120s')).toMatchObject({status: 0})
      }
    }, 2 * TIMEOUT)
    tryFlags(COMMANDS, () => ({...core(), entry: 'HOST/world/net:v1.0.0'}))
  },
  {keepsPackages: true},
)

describeCluster('current', 'a cluster with packages of Crossplane v0.12', cluster => {
  const packages = new DemoPackages()
    .publish('app', 'v1.0.0', 'sqls', 'nets')
    .publish('sql', 'v1.0.0', 'nets')
    .publish('sql', 'v1.1.0', 'nets')
    .publish('net', 'v0.9.0')
    .publish('free', 'v1.0.0', 'extras')
    .publish('extra', 'v1.0.0')
  beforeAll(async () => {
    const install = async (name: string, ...more: readonly string[]) => {
      const flags = ['--packages', packages.folder, '--with-package-api', '--create-namespace', ...more]
      const installed = await installPlanned(cluster(), packages.folder, name, ...flags)
      expect(installed).toMatchObject({status: 0})
    }
    await install('demo/app:v1.0.0')
    packages.publish('net', 'v1.0.0')
    await install('demo/net:v1.0.0')
  }, TIMEOUT)
  tryFlags(
    STACK_COMMANDS,
    () => ({cluster: cluster(), packages: packages.folder, entry: 'demo/app:v1.0.0'}),
    {...WITHOUT_DIFFERENCE, ...STACK_WITHOUT_DIFFERENCE},
  )
})
