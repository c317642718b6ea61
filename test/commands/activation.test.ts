import {beforeEach, describe, expect, it} from '@jest/globals'
import {readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {listener} from '../listening.js'
import {schemaOf, schemaViolations} from '../json-schema.js'
import {runCli} from '../run-cli.js'
import {composingServer, liveComposition} from './composing-server.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const home = temporaryFolder()
const at = (path: string) => join(home, path)
const FILE = at('crossplane-packages.yaml')

const versions = `versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}
`
const crd = (kind: string, group = 'cloud.example.org') => {
  const plural = `${kind.toLowerCase()}s`
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.${group}}
spec:
  group: ${group}
  scope: Cluster
  names: {plural: ${plural}, kind: ${kind}, singular: ${kind.toLowerCase()}, listKind: ${kind}List}
  ${versions}`
}
const meta = (kind: string, spec = '{}') =>
  `apiVersion: meta.pkg.crossplane.io/v1\nkind: ${kind}\nmetadata: {name: a}\nspec: ${spec}\n`
const mrd = (kind: string, state: string) =>
  crd(kind)
    .replace(
      'apiextensions.k8s.io/v1\nkind: CustomResource',
      'apiextensions.crossplane.io/v1alpha1\nkind: ManagedResource',
    )
    .replace('spec:\n', `spec:\n  state: ${state}\n`)
const COMPOSITION = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: apps}
spec:
  compositeTypeRef: {apiVersion: app.example.org/v1, kind: App}
  mode: Pipeline
  pipeline:
  - step: compose
    functionRef: {name: function-patch-and-transform}
    input:
      apiVersion: pt.fn.crossplane.io/v1beta1
      kind: Resources
      resources:
      - name: queue
        base: {apiVersion: cloud.example.org/v1, kind: Queue}
  - step: more
    functionRef: {name: function-own}
`

const DECLARATION = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
coreVersion: v2.3.4
# who uses what
usage:
  objects: [objects]
packages:
- package: registry.example.org/team/cloud
- package: registry.example.org/team/old
- package: registry.example.org/team/app
`

writeTree(home, {
  'packages/team/cloud@v1.0.0/crossplane.yaml': meta('Provider', '{capabilities: [safe-start]}'),
  'packages/team/cloud@v1.0.0/bucket.yaml': crd('Bucket'),
  'packages/team/cloud@v1.0.0/queue.yaml': crd('Queue'),
  'packages/team/cloud@v1.0.0/topic.yaml': crd('Topic'),
  'packages/team/cloud@v1.0.0/config.yaml': crd('ProviderConfig'),
  'packages/team/cloud@v1.0.0/mrd.yaml': mrd('Table', 'Inactive'),
  'packages/team/cloud@v1.0.0/active.yaml': mrd('Always', 'Active'),
  'packages/team/old@v1.0.0/crossplane.yaml': meta('Provider'),
  'packages/team/old@v1.0.0/crd.yaml': crd('Thing', 'old.example.org'),
  'packages/team/app@v1.0.0/crossplane.yaml': meta('Configuration'),
  'packages/team/app@v1.0.0/composition.yaml': COMPOSITION,
  'objects/bucket.yaml':
    '# mine\napiVersion: cloud.example.org/v1\nkind: Bucket\nmetadata: {name: logs}\nspec: {}\n',
  'objects/thing.yaml': 'apiVersion: old.example.org/v1\nkind: Thing\nmetadata: {name: t}\n',
})
beforeEach(() => {
  declare('')
})

/** Writes the declaration, with these fields of `xpkg`. */
function declare(xpkg: string): void {
  const own = xpkg === '' ? '' : `xpkg:\n  ${xpkg}\n`
  writeTree(home, {'crossplane-packages.yaml': DECLARATION.replace('usage:', `${own}usage:`)})
}

const FLAGS = ['--declaration', FILE, '--packages', at('packages'), '--offline']

async function run(command: string, ...more: readonly string[]) {
  return await runCli('package', command, ...more, ...FLAGS)
}

interface Document {
  readonly used: readonly Readonly<Record<string, unknown>>[]
  readonly unused: readonly string[]
  readonly unread: readonly Readonly<Record<string, unknown>>[]
  readonly alwaysActive: readonly string[]
  readonly totals: Readonly<Record<string, number>>
}

async function document(...more: readonly string[]) {
  const {status, stdout} = await run('activation', '-o', 'json', ...more)
  const json = JSON.parse(stdout) as Document
  expect(schemaViolations(schemaOf('activation-report'), json)).toEqual([])
  return {status, ...json}
}

const statesOf = ({used}: Document) => used.map(({name, state}) => `${String(name)} ${String(state)}`)

describe('package activation', () => {
  it('names who uses which kinds, and what could be saved', async () => {
    expect(await document()).toMatchObject({
      status: 0,
      used: [
        {
          ...{name: 'buckets.cloud.example.org', kind: 'Bucket', state: 'active'},
          package: 'registry.example.org/team/cloud',
          uses: [{file: at('objects/bucket.yaml'), line: 2, object: 'Bucket logs'}],
        },
        {
          ...{name: 'queues.cloud.example.org', kind: 'Queue', state: 'active'},
          uses: [
            {
              ...{package: 'registry.example.org/team/app', file: 'composition.yaml', line: 15},
              ...{object: 'Composition apps', step: 'compose', resource: 'queue'},
            },
          ],
        },
      ],
      unused: ['tables.cloud.example.org', 'topics.cloud.example.org'],
      unread: [
        {
          ...{file: 'composition.yaml', line: 16},
          reason:
            'step more of Composition apps of registry.example.org/team/app can use other kinds: function-own',
        },
      ],
      alwaysActive: ['registry.example.org/team/old'],
      totals: {managed: 4, active: 4, used: 2, missing: 0},
    })
  })

  it('shows the same as text', async () => {
    const {stdout} = await run('activation')
    for (const text of [
      'buckets.cloud.example.org (Bucket of registry.example.org/team/cloud): active',
      'objects/bucket.yaml:2   Bucket logs',
      'Composition apps, step compose, resource queue',
      '2 of 4 kinds used, 4 active',
      '2 CRDs could be saved',
      'always active: all kinds of registry.example.org/team/old',
    ])
      expect(stdout).toContain(text)
  })

  it.each([
    {name: 'all', activate: 'activate: all', want: ['active', 'active'], status: 0},
    {name: 'what Compositions use', activate: 'activate: used', want: ['inactive', 'active'], status: 1},
    {name: 'none', activate: 'activate: none', want: ['unknown', 'unknown'], status: 7},
    {
      name: 'a list',
      activate: "activate: [buckets.cloud.example.org, 't*.cloud.example.org']",
      ...{want: ['active', 'inactive'], status: 1},
    },
    {
      name: 'a list of all that is used',
      activate: "activate: [buckets.cloud.example.org, 'q*']",
      ...{want: ['active', 'active'], status: 0},
    },
  ])('judges $name', async ({activate, want, status}) => {
    declare(activate)
    const found = await document('--check')
    expect(statesOf(found)).toEqual([
      `buckets.cloud.example.org ${want[0]}`,
      `queues.cloud.example.org ${want[1]}`,
    ])
    expect(found.status).toBe(status)
  })

  it('counts policies of packages, and of files', async () => {
    declare('activate: [buckets.cloud.example.org]')
    const policy = `apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceActivationPolicy
metadata: {name: own}
spec: {activate: ['queues.*']}
`
    writeTree(home, {'other/policy.yaml': policy})
    expect((await document('--check', '--objects', at('objects'), '--objects', at('other'))).status).toBe(0)
    expect((await document('--check')).status).toBe(1)
    const version = 'packages/team/app@v1.0.1'
    writeTree(home, {
      [`${version}/crossplane.yaml`]: meta('Configuration'),
      [`${version}/composition.yaml`]: COMPOSITION,
      [`${version}/policy.yaml`]: policy,
    })
    expect((await document('--check')).status).toBe(0)
    rmSync(at(version), {recursive: true})
  })

  it.each([
    {activate: 'all', want: 0},
    {activate: '[buckets.old.example.org]', want: 0},
    {activate: '[others.old.example.org]', want: 1},
  ])('is judged in the same way by impact, by $activate', async ({activate, want}) => {
    const thing = crd('Bucket', 'old.example.org')
    writeTree(home, {
      'upgrade/packages/team/p@v1.0.0/crossplane.yaml': meta('Provider'),
      'upgrade/packages/team/p@v1.0.0/crd.yaml': thing,
      'upgrade/crossplane-packages.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
coreVersion: v2.3.4
xpkg: {activate: ${activate}}
packages: [{package: registry.example.org/team/p}]
`,
      'upgrade/objects.yaml': 'apiVersion: old.example.org/v1\nkind: Bucket\nmetadata: {name: b}\n',
    })
    const file = at('upgrade/crossplane-packages.yaml')
    const own = ['--packages', at('upgrade/packages'), '--offline']
    rmSync(`${file}.lock`, {force: true})
    expect((await runCli('package', 'lock', '--declaration', file, ...own)).status).toBe(0)
    const next = 'upgrade/packages/team/p@v1.1.0'
    writeTree(home, {
      [`${next}/crossplane.yaml`]: meta('Provider', '{capabilities: [safe-start]}'),
      [`${next}/crd.yaml`]: thing,
    })
    const before = process.cwd()
    process.chdir(at('upgrade'))
    try {
      const objects = ['--objects', at('upgrade/objects.yaml')]
      const {status, stdout} = await runCli('package', 'impact', ...objects, ...own)
      expect(status).toBe(want)
      if (want === 1) expect(stdout).toContain('until a ManagedResourceActivationPolicy activates it')
    } finally {
      process.chdir(before)
      rmSync(at(next), {recursive: true})
    }
  })

  it('is not checked without objects', async () => {
    writeTree(home, {'crossplane-packages.yaml': DECLARATION.replace(/usage:\n.*\n/, '')})
    const {status, stderr} = await run('activation', '--check')
    expect({status, stderr}).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--objects is required'),
    })
    expect((await run('activation')).status).toBe(0)
  })

  it('is judged in the same way by validate', async () => {
    declare('activate: [topics.cloud.example.org]')
    const {status, stdout} = await run('validate', at('objects'))
    expect(status).toBe(1)
    expect(stdout).toContain(
      'Bucket logs: cloud.example.org/v1 Bucket: no ManagedResourceActivationPolicy activates it [not-served]',
    )
    declare('activate: [buckets.cloud.example.org]')
    expect((await run('validate', at('objects'))).status).toBe(0)
  })

  it('--write without a cluster only adds', async () => {
    declare('activate: # ours\n  - topics.cloud.example.org # soon')
    const {status, stderr} = await run('activation', '--write')
    expect({status, stderr}).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('activates 3 kinds (2 added, 0 removed)'),
    })
    expect(readFileSync(FILE, 'utf8')).toBe(
      DECLARATION.replace(
        'usage:',
        'xpkg:\n  activate: # ours\n  - buckets.cloud.example.org\n  - queues.cloud.example.org\n  - topics.cloud.example.org # soon\nusage:',
      ),
    )
    expect((await run('activation', '--write')).stderr).toContain('is unchanged: it activates all used kinds')
    expect((await document('--check')).status).toBe(0)
  })

  it('--write leaves entries in files of their own', async () => {
    const [settings = '', , ...entries] = DECLARATION.replace('[objects]', '[../objects]').split(
      /(?=packages:|- )/,
    )
    const text = (activate: string) => settings.replace('usage:', `xpkg:\n  activate: [${activate}]\nusage:`)
    const head = `${settings.slice(0, settings.indexOf('coreVersion'))}packages:\n`
    const files = Object.fromEntries(
      entries.map((entry, at) => [`split/packages.d/${at}.yaml`, `${head}${entry}`] as const),
    )
    writeTree(home, {...files, 'split/crossplane-packages.yaml': text('topics.cloud.example.org')})
    const flags = ['--declaration', at('split/crossplane-packages.yaml'), '--packages', at('packages')]
    const {stderr} = await runCli('package', 'activation', '--write', '--offline', ...flags)
    expect(stderr).toContain('activates 3 kinds (2 added, 0 removed)')
    const names = ['buckets', 'queues', 'topics'].map(name => `${name}.cloud.example.org`).join(', ')
    expect(readFileSync(at('split/crossplane-packages.yaml'), 'utf8')).toBe(text(names))
  })

  it('--write without a cluster leaves all kinds active', async () => {
    const {stderr} = await run('activation', '--write')
    expect(stderr).toContain('is unchanged: it activates all used kinds')
    expect(readFileSync(FILE, 'utf8')).toBe(DECLARATION)
  })

  it('renders a policy of the list', async () => {
    declare('activate: [buckets.cloud.example.org]')
    const {stdout, stderr} = await runCli('package', 'render', ...FLAGS, '--pin', 'tag', '--output', 'yaml')
    expect(stdout).toContain('  activate:\n  - buckets.cloud.example.org\n')
    expect(stderr).not.toContain('no package with')
    declare('activate: [gone.cloud.example.org]')
    const gone = await runCli('package', 'render', ...FLAGS, '--pin', 'tag')
    expect(gone.stderr).toContain(
      'no package with the capability safe-start has the kinds gone.cloud.example.org',
    )
  })
})

describe('package activation --context', () => {
  const listen = listener()

  const cluster = async (...lists: Parameters<typeof composingServer>) => {
    const server = `http://127.0.0.1:${await listen(composingServer(...lists))}`
    const config = {
      ...{apiVersion: 'v1', kind: 'Config', users: [{name: 'u', user: {}}]},
      clusters: [{name: 'c', cluster: {server}}],
      contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
    }
    writeTree(home, {kubeconfig: JSON.stringify(config)})
    return ['--kubeconfig', at('kubeconfig'), '--context', 'c']
  }

  /** Writes a declaration of two packages without unread steps, as `registry.example.org/team/app` has one. */
  function declareKnown(activate: string): void {
    const all = DECLARATION.replace('- package: registry.example.org/team/app\n', '')
    writeTree(home, {
      'crossplane-packages.yaml': all.replace('usage:', `xpkg:\n  activate: ${activate}\nusage:`),
    })
  }

  const LISTED = '[buckets.cloud.example.org, tables.cloud.example.org, topics.cloud.example.org]'

  it('--write leaves out what nothing uses, not what only a Composition without instances composes', async () => {
    declareKnown(LISTED)
    const flags = await cluster([liveComposition('function-patch-and-transform')])
    const {used} = await document(...flags)
    expect(used.map(({name, uses}) => ({name, uses}))).toContainEqual({
      name: 'topics.cloud.example.org',
      uses: [
        {
          ...{file: 'the cluster', object: 'Composition live', resource: 'topic'},
          step: 'function-patch-and-transform',
        },
      ],
    })
    const {stderr} = await run('activation', '--write', ...flags)
    expect(stderr).toContain('activates 2 kinds (0 added, 1 removed)\n')
    expect(readFileSync(FILE, 'utf8')).not.toContain('tables.cloud')
  })

  it('names the revision of a Composition that composes what the Composition no longer does', async () => {
    declareKnown(LISTED)
    const current = liveComposition('function-patch-and-transform')
    const labels = {'crossplane.io/composition-name': 'live'}
    const revision = (number: number, kind: string) => {
      const text = JSON.stringify(current.spec).replace('Topic', kind)
      const metadata = {name: `live-${number}`, labels, uid: `r${number}`, resourceVersion: '1'}
      return {metadata, spec: {...(JSON.parse(text) as object), revision: number}}
    }
    const flags = await cluster([current], [revision(1, 'Table'), revision(2, 'Table'), revision(3, 'Topic')])
    const {used} = await document(...flags)
    const live = used.flatMap(({name, uses}) =>
      (uses as readonly {readonly file: string; readonly object: string}[]).flatMap(({file, object}) =>
        file === 'the cluster' ? [`${name as string} ${object}`] : [],
      ),
    )
    expect(live.sort()).toEqual([
      'tables.cloud.example.org CompositionRevision live-2',
      'topics.cloud.example.org Composition live',
    ])
  })

  it.each([
    {name: 'a step is unread', items: [liveComposition('function-own')]},
    {name: 'Compositions may not be listed', items: undefined},
  ])('--write leaves no kind out while $name', async ({items}) => {
    declareKnown(LISTED)
    const before = readFileSync(FILE, 'utf8')
    const {stderr} = await run('activation', '--write', ...(await cluster(items)))
    expect(stderr).toContain('no kind leaves the list: 1 unread part can use others')
    expect(readFileSync(FILE, 'utf8')).toBe(before)
  })

  it('--write declares all that is used where no list can become shorter', async () => {
    declareKnown('none')
    await run('activation', '--write', ...(await cluster([liveComposition('function-own')])))
    expect(readFileSync(FILE, 'utf8')).toContain('- buckets.cloud.example.org\n')
  })
})
