import {describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {schemaOf, schemaViolations} from '../json-schema.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const folder = temporaryFolder()
const at = (path: string) => join(folder, path)

function crd(fields: string, apiVersion: 'v1' | 'v1beta1'): string {
  const schema = `{openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {${fields}}}}}}`
  const versions = `versions:\n  - name: v1\n    served: true\n    storage: true\n    schema: ${schema}`
  const body =
    apiVersion === 'v1' ? versions : `version: v1\n  preserveUnknownFields: false\n  validation: ${schema}`
  return `apiVersion: apiextensions.k8s.io/${apiVersion}
kind: CustomResourceDefinition
metadata: {name: dbs.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {plural: dbs, kind: Db, singular: db, listKind: DbList}
  ${body}
`
}

const STORIES = [
  {
    name: 'a removed field',
    old: 'network: {type: object, properties: {zone: {type: string}, id: {type: string}}}',
    now: 'network: {type: object, properties: {id: {type: string}}}',
    spec: 'network: {zone: a, id: b}',
    want: ['breaks spec.network.zone', 'lost spec.network.zone'],
  },
  {
    name: 'a boolean that becomes text',
    old: 'public: {type: boolean}',
    now: 'public: {type: string}',
    spec: 'public: true',
    want: ['breaks spec.public'],
  },
  {
    name: 'a list that can no longer be read',
    old: 'rules: {type: array, items: {type: object, properties: {port: {type: integer}}}}',
    now: 'rules: {type: object, properties: {port: {type: integer}}}',
    spec: 'rules: [{port: 80}]',
    want: ['breaks spec.rules', 'breaks spec.rules[0].port', 'lost spec.rules[0].port'],
  },
  {
    name: 'a field that is gone without a new version',
    old: 'size: {type: integer}, zone: {type: string}',
    now: 'size: {type: integer}',
    spec: 'size: 3\n  zone: a',
    want: ['breaks spec.zone', 'lost spec.zone'],
  },
]

const PROVIDER = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: sql}\n'
const XRD = (type: string) => `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: xnets.example.org}
spec:
  group: example.org
  names: {plural: xnets, kind: XNet}
  claimNames: {plural: nets, kind: Net}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {cidr: {type: ${type}}}}}}}
`
const CONFIGURATION = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: net}\n'
const db = (spec: string, name = 'main') =>
  `apiVersion: example.org/v1\nkind: Db\nmetadata: {name: ${name}}\nspec:\n  ${spec}\n`

for (const [index, {old, now, spec}] of STORIES.entries())
  writeTree(folder, {
    [`xpkg-old-${index}/crossplane.yaml`]: PROVIDER,
    [`xpkg-old-${index}/crd.yaml`]: crd(old, 'v1'),
    [`xpkg-new-${index}/crossplane.yaml`]: PROVIDER,
    [`xpkg-new-${index}/crd.yaml`]: crd(now, 'v1'),
    [`stack-old-${index}/.registry/app.yaml`]: 'title: App\npermissionScope: Cluster\n',
    [`stack-old-${index}/.registry/resources/a.crd.yaml`]: crd(old, 'v1beta1'),
    [`stack-new-${index}/.registry/app.yaml`]: 'title: App\npermissionScope: Cluster\n',
    [`stack-new-${index}/.registry/resources/a.crd.yaml`]: crd(now, 'v1beta1'),
    [`objects-${index}/db.yaml`]: `# A comment\n${db(spec)}`,
  })

writeTree(folder, {
  'old-net/crossplane.yaml': CONFIGURATION,
  'old-net/xrd.yaml': XRD('string'),
  'new-net/crossplane.yaml': CONFIGURATION,
  'new-net/xrd.yaml': XRD('integer'),
  'nets/claim.yaml':
    'apiVersion: example.org/v1\nkind: Net\nmetadata: {name: a, namespace: team}\nspec: {cidr: x}\n',
  'nets/xr.yaml': 'apiVersion: example.org/v1\nkind: XNet\nmetadata: {name: b}\nspec: {cidr: x}\n',
  'empty/crossplane.yaml': PROVIDER,
  'mixed/a.yaml': `${db('size: 3', 'a')}---\n${db('size: 3\n  zone: b', 'b')}`,
  'mixed/t.yaml': `{{ if . }}\n${db('size: 3')}{{ end }}\n`,
  'mixed/other.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n',
  'mixed/lost.yaml': 'apiVersion: example.org/v1\nkind: Cache\nmetadata: {name: d}\n',
  'mixed/tree/db.yaml': db('zone: c', 'rendered'),
  'mixed/tree/.kubectl-crossplane/files.sha256': `# kubectl-crossplane files v1\n${'0'.repeat(64)}  db.yaml\n`,
})

async function runIn(at: string, ...words: readonly string[]) {
  const before = process.cwd()
  process.chdir(at)
  try {
    return await runCli(...words)
  } finally {
    process.chdir(before)
  }
}

interface Finding {
  readonly verdict: string
  readonly path: string
  readonly message: string
  readonly file: string
  readonly line?: number
}

async function impact(old: string, now: string, objects: string, ...args: readonly string[]) {
  const sides = ['--old', at(old), '--new', at(now), '--objects', at(objects)]
  return await runCli('package', 'impact', ...sides, '--offline', ...args)
}

async function findings(old: string, now: string, objects: string, ...args: readonly string[]) {
  const {status, stdout, stderr} = await impact(old, now, objects, ...args, '-o', 'json')
  expect(stderr).toBe('')
  const document = JSON.parse(stdout) as {findings: readonly Finding[]; read: unknown; rendered: unknown}
  expect(schemaViolations(schemaOf('package-impact'), document)).toEqual([])
  return {
    ...document,
    status,
    verdicts: document.findings.map(({verdict, path}) => `${verdict} ${path}`.trim()),
  }
}

describe('package impact', () => {
  it.each(STORIES.flatMap((story, index) => ['xpkg', 'stack'].map(format => ({...story, index, format}))))(
    'reports $name, in packages of the format $format',
    async ({index, format, want}) => {
      const {status, verdicts} = await findings(
        `${format}-old-${index}`,
        `${format}-new-${index}`,
        `objects-${index}`,
      )
      expect({status, verdicts}).toEqual({status: 1, verdicts: want})
    },
  )

  it('judges claims and composite resources by the CRDs that Crossplane derives', async () => {
    const {findings: all} = await findings('old-net', 'new-net', 'nets')
    expect(all.map(({verdict, path, file, line}) => [verdict, path, file, line])).toEqual([
      ['breaks', 'spec.cidr', at('nets/claim.yaml'), 4],
      ['breaks', 'spec.cidr', at('nets/xr.yaml'), 4],
    ])
  })

  it('counts what it does not judge, and leaves rendered trees out', async () => {
    const {verdicts, read, rendered} = await findings('xpkg-old-3', 'xpkg-new-3', 'mixed')
    expect({verdicts, read, rendered}).toEqual({
      verdicts: ['breaks spec.zone', 'lost spec.zone', 'unread', 'unread'],
      read: {files: 3, objects: 4, judged: 3},
      rendered: [at('mixed/tree/db.yaml')],
    })
  })

  it('does not report what every overlay of a base changes, but what one does not', async () => {
    const db = (spec: string) => `apiVersion: example.org/v1\nkind: Db\nmetadata: {name: a}\nspec: ${spec}\n`
    writeTree(folder, {
      'based/base/kustomization.yaml': 'resources: [db.yaml]\n',
      'based/base/db.yaml': db('{size: 3, zone: a}'),
      'based/prod/kustomization.yaml': 'resources: [../base]\npatches:\n- path: zone.yaml\n',
      'based/prod/zone.yaml': db('{zone: null}'),
    })
    const repaired = await findings('xpkg-old-3', 'xpkg-new-3', 'based')
    expect(repaired).toMatchObject({status: 0, verdicts: ['unread spec.zone', 'unread', 'unread']})
    expect(repaired.findings[0]?.message).toContain('prod/kustomization.yaml may change it')
    const broken = ['breaks spec.zone', 'lost spec.zone']
    writeTree(folder, {'based/prod/zone.yaml': db('{zone: prod}')})
    expect((await findings('xpkg-old-3', 'xpkg-new-3', 'based')).verdicts.slice(0, 2)).toEqual(broken)
    writeTree(folder, {
      'based/prod/zone.yaml': db('{zone: null}'),
      'based/dev/kustomization.yaml': 'resources: [../base]\n',
    })
    expect((await findings('xpkg-old-3', 'xpkg-new-3', 'based')).verdicts.slice(0, 2)).toEqual(broken)
  })

  it('reports objects of a kind that is gone', async () => {
    const {status, verdicts} = await findings('xpkg-old-0', 'empty', 'objects-0')
    expect({status, verdicts}).toEqual({status: 1, verdicts: ['unserved']})
  })

  it.each([
    {flags: ['--fail-on', 'unserved'], status: 0},
    {flags: ['--fail-on', 'meaning,lost'], status: 1},
    {flags: ['--fail-on', 'unserved', '--max-unread', '2'], status: 0},
    {flags: ['--fail-on', 'unserved', '--max-unread', '1'], status: 1},
  ])('exits with $status for $flags', async ({flags, status}) => {
    expect((await impact('xpkg-old-3', 'xpkg-new-3', 'mixed', ...flags)).status).toBe(status)
  })

  it('prints a table with the lines of fields', async () => {
    const {stdout} = await impact('xpkg-old-3', 'xpkg-new-3', 'mixed')
    expect(stdout.replaceAll(folder, '')).toBe(`3 objects: 1 breaking, 1 losing fields; 2 not judged
  /xpkg-old-3 -> /xpkg-new-3

Db b (/mixed/a.yaml)
  breaks, lost   spec.zone   line 12   the field does not exist; its value is dropped

not judged
  /mixed/lost.yaml:1: Cache d: no package defines Cache.example.org
  /mixed/t.yaml: it is a template

read
  4 objects of 3 files, 1 of other kinds
  1 file of rendered trees left out
`)
  })

  it('prints Markdown, and annotations of GitHub at the lines of fields', async () => {
    const markdown = await impact('xpkg-old-3', 'xpkg-new-3', 'mixed', '-o', 'markdown')
    expect(markdown.stdout).toContain(
      `| breaks, lost | \`Db b\` | \`${at('mixed/a.yaml')}:12\` | \`spec.zone\` | \`the field does not exist; its value is dropped\` |\n`,
    )
    const github = await impact('xpkg-old-3', 'xpkg-new-3', 'mixed', '-o', 'github')
    expect(github.stdout).toContain(`::error title=breaks::${at('mixed/a.yaml')}`)
    expect(github.stdout).toContain('::notice title=unread::')
  })

  it('compares the lock with an upgrade, and reads the objects that the declaration names', async () => {
    const home = join(folder, 'home')
    const packages = (version: string, index: number, side: 'old' | 'new') => ({
      [`packages/team/sql@${version}/crossplane.yaml`]: PROVIDER,
      [`packages/team/sql@${version}/crd.yaml`]: crd(
        STORIES[index]?.[side === 'old' ? 'old' : 'now'] ?? '',
        'v1',
      ),
    })
    writeTree(home, {
      ...packages('v1.0.0', 3, 'old'),
      'crossplane-packages.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
coreVersion: v2.3.4
usage: {objects: [../objects-3]}
packages: [{package: registry.example.org/team/sql}]
`,
    })
    const flags = ['--packages', join(home, 'packages'), '--offline']
    const declaration = join(home, 'crossplane-packages.yaml')
    expect((await runCli('package', 'lock', '--declaration', declaration, ...flags)).status).toBe(0)
    writeTree(home, packages('v1.1.0', 3, 'new'))
    const {status, stdout} = await runIn(home, 'package', 'impact', ...flags, '-o', 'json')
    const document = JSON.parse(stdout) as {findings: readonly Finding[]; packages: unknown}
    expect({status, packages: document.packages, verdicts: document.findings.map(({path}) => path)}).toEqual({
      status: 1,
      packages: [{package: 'registry.example.org/team/sql', before: 'v1.0.0', after: 'v1.1.0'}],
      verdicts: ['spec.zone', 'spec.zone'],
    })
  })

  it('exits with 7 for a file that cannot be read, and judges all others', async () => {
    writeTree(folder, {
      'broken/a.yaml': db('size: 3\n  zone: b', 'a'),
      'broken/b.yaml': `${db('size: 3', 'b')} x: [\n`,
      'twice/a.yaml': db('size: 3\n  size: 3', 'a'),
    })
    const {status, stdout, stderr} = await impact('xpkg-old-3', 'xpkg-new-3', 'broken')
    expect({status, stdout, stderr}).toMatchObject({
      status: 7,
      stdout: expect.stringContaining(`breaks, lost   spec.zone`) as unknown,
      stderr: expect.stringContaining(`${at('broken/b.yaml')}:6`) as unknown,
    })
    expect(stdout).toContain(`${at('broken/b.yaml')}:6: it cannot be read: `)
    const github = await impact('xpkg-old-3', 'xpkg-new-3', 'broken', '-o', 'github')
    expect([github.status, github.stdout]).toEqual([7, expect.stringContaining(`${at('broken/b.yaml')}:6: `)])
    expect((await impact('xpkg-old-3', 'xpkg-new-3', 'twice')).status).toBe(7)
  })

  it('exits with 7 for a CRD that cannot be read, and does not judge its objects', async () => {
    const unstored = crd('a: {type: string}', 'v1beta1').replace(
      / {2}version: v1\n.*$/s,
      '  versions: [{name: v1, served: true, storage: false}]\n',
    )
    writeTree(folder, {'unstored/crossplane.yaml': PROVIDER, 'unstored/crd.yaml': unstored})
    const {status, stdout, stderr} = await impact('xpkg-old-3', 'unstored', 'objects-3')
    expect({status, stderr}).toEqual({status: 7, stderr: expect.stringContaining('[crd-unread]') as unknown})
    expect(stdout).toContain(`${at('objects-3/db.yaml')}:2: Db main: the new CRD could not be read`)
  })

  it('warns of paths without objects', async () => {
    writeTree(folder, {'blank/a.yaml': 'a: 1\n'})
    const {status, stderr} = await impact('xpkg-old-3', 'xpkg-new-3', 'blank')
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: `Warning: no objects in ${at('blank')} [no-objects]\n`,
    })
  })

  it('reports a lost connection key for claims, too', async () => {
    const keys = (names: string) => `${XRD('string')}  connectionSecretKeys: [${names}]\n`
    writeTree(folder, {
      'old-keys/crossplane.yaml': CONFIGURATION,
      'old-keys/xrd.yaml': keys('host, port'),
      'new-keys/crossplane.yaml': CONFIGURATION,
      'new-keys/xrd.yaml': keys('host'),
      'keys/claim.yaml':
        'apiVersion: example.org/v1\nkind: Net\nmetadata: {name: a, namespace: team}\nspec: {writeConnectionSecretToRef: {name: b}}\n',
    })
    const {verdicts} = await findings('old-keys', 'new-keys', 'keys')
    expect(verdicts).toEqual(['meaning spec.writeConnectionSecretToRef'])
    const compared = await runCli(
      'package',
      'compare',
      at('old-keys'),
      at('new-keys'),
      '--offline',
      '-o',
      'json',
    )
    expect(compared.stdout.match(/"rule": "connection-key-removed"/g)).toHaveLength(1)
  })

  it('requires objects, and packages to compare', async () => {
    const none = await runCli('package', 'impact', '--old', at('empty'), '--new', at('empty'))
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('--objects is required')])
    const missing = await impact('empty', 'empty', 'nowhere')
    expect(missing.status).toBe(7)
  })
})
