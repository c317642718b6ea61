import {describe, expect, it} from '@jest/globals'
import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {schemaOf, schemaViolations} from '../json-schema.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const folder = temporaryFolder()
const REPOSITORY = 'registry.example.org/team'
const at = (path: string) => join(folder, path)

interface Change {
  readonly severity: string
  readonly rule: string
  readonly path?: string
}

function crd(fields: string, apiVersion = 'v1'): string {
  const schema = `{openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {${fields}}}}}}`
  const versions = `versions:\n  - name: v1\n    served: true\n    storage: true`
  return `apiVersion: apiextensions.k8s.io/${apiVersion}
kind: CustomResourceDefinition
metadata: {name: dbs.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {plural: dbs, kind: Db, singular: db, listKind: DbList}
  ${apiVersion === 'v1' ? `${versions}\n    schema: ${schema}` : `version: v1\n  preserveUnknownFields: false\n  validation: ${schema}`}
`
}

const provider = (dependsOn = '') => `apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata: {name: sql}
spec: {capabilities: [safe-start]${dependsOn}}
`
const DEPENDS = ', dependsOn: [{function: registry.example.org/team/function-a, version: ">=v0.1.0"}]'
const XRD = (keys: string, type: string) => `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: xnets.example.org}
spec:
  group: example.org
  names: {plural: xnets, kind: XNet}
  claimNames: {plural: nets, kind: Net}
  connectionSecretKeys: [${keys}]
  versions:
  - name: v1
    served: true
    referenceable: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {cidr: {type: ${type}}}}}}}
`
const CONFIGURATION = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: net}\n'
const APP = 'title: App\npermissionScope: Cluster\n'
const OLD = 'size: {type: integer}, zone: {type: string}'
const NEW = 'size: {type: string}, class: {type: string}'
const DECLARATION = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
coreVersion: v2.3.4
packages:
- package: ${REPOSITORY}/sql
`

writeTree(folder, {
  'packages/team/sql@v1.0.0/crossplane.yaml': provider(),
  'packages/team/sql@v1.0.0/crd.yaml': crd(OLD),
  'old-stack/.registry/app.yaml': `${APP}version: v1.0.0\n`,
  'old-stack/.registry/resources/a.crd.yaml': crd(OLD, 'v1beta1'),
  'new-stack/.registry/app.yaml': `${APP}version: v2.0.0\ndependsOn: [{crd: "x.example.com"}]\n`,
  'new-stack/.registry/resources/a.crd.yaml': crd(NEW),
  'old-net/crossplane.yaml': CONFIGURATION,
  'old-net/xrd.yaml': XRD('host, port', 'string'),
  'new-net/crossplane.yaml': CONFIGURATION,
  'new-net/xrd.yaml': XRD('host', 'integer'),
  'crossplane-packages.yaml': DECLARATION,
})

const SQL_CHANGES = [
  'breaking type-changed spec.size',
  'breaking field-removed spec.zone',
  'risky dependency-added',
  'compatible field-added spec.class',
]

async function compare(...args: readonly string[]) {
  return await runCli('package', 'compare', ...args, '--packages', at('packages'), '--offline')
}

async function comparison(...args: readonly string[]) {
  const {status, stdout, stderr} = await compare(...args, '-o', 'json')
  expect(stderr).toBe('')
  const document = JSON.parse(stdout) as {changes: readonly Change[]; unchanged: number; packages: unknown}
  expect(schemaViolations(schemaOf('package-comparison'), document)).toEqual([])
  const changes = document.changes.map(({severity, rule, path}) =>
    [severity, rule, path].filter(part => part !== undefined).join(' '),
  )
  return {...document, status, changes}
}

/** Locks the first version, and adds a second one. */
async function upgradeable() {
  const flags = ['--declaration', at('crossplane-packages.yaml'), '--packages', at('packages')]
  await runCli('package', 'lock', ...flags)
  writeTree(folder, {
    'packages/team/sql@v1.1.0/crossplane.yaml': provider(DEPENDS),
    'packages/team/sql@v1.1.0/crd.yaml': crd(NEW),
    'packages/team/function-a@v0.1.0/crossplane.yaml': provider().replace('Provider', 'Function'),
  })
  return {
    undo: () => {
      rmSync(at('packages/team/sql@v1.1.0'), {recursive: true})
      rmSync(at('packages/team/function-a@v0.1.0'), {recursive: true})
      rmSync(at('crossplane-packages.lock'), {force: true})
    },
  }
}

describe('package compare', () => {
  it('compares packages of a current Crossplane by reference, and derives the CRDs of XRDs', async () => {
    const {status, changes} = await comparison(at('old-net'), at('new-net'))
    expect({status, changes}).toEqual({
      status: 1,
      changes: [
        'breaking type-changed spec.cidr',
        'breaking type-changed spec.cidr',
        'risky connection-key-removed',
      ],
    })
  })

  it('takes flags that packages of one side have, and no others', async () => {
    const declared = (reference: string) =>
      `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages: [{package: ${reference}}]\n`
    writeTree(folder, {
      'packages/team/app@v1.0.0/.registry/app.yaml': `${APP}version: v1.0.0\n`,
      'stacks.yaml': declared('team/app'),
      'xpkgs.yaml': declared(`${REPOSITORY}/sql`),
    })
    for (const flag of ['--core-version=v2.0.0', '--crossplane-version=none']) {
      const {status, stderr} = await compare(at('stacks.yaml'), at('xpkgs.yaml'), flag)
      expect({status, stderr}).toEqual({status: 0, stderr: ''})
    }
    const {status, stderr} = await compare(at('stacks.yaml'), at('stacks.yaml'), '--core-version=v2.0.0')
    expect({status, stderr}).toEqual({
      status: 2,
      stderr: expect.stringContaining(
        '--core-version is for Providers, Configurations and Functions',
      ) as unknown,
    })
  })

  it('compares packages of v0.12, whose CRDs are of different API versions', async () => {
    const {status, changes} = await comparison(at('old-stack'), at('new-stack'))
    expect({status, changes}).toEqual({
      status: 1,
      changes: [...SQL_CHANGES.slice(0, 3), 'risky permission-added', ...SQL_CHANGES.slice(3)],
    })
  })

  it('finds no change of a package to itself', async () => {
    const reference = `${REPOSITORY}/sql:v1.0.0`
    expect(await comparison(reference, reference)).toMatchObject({status: 0, changes: []})
  })

  it('compares a lock with an upgrade, two locks, and declarations', async () => {
    const {undo} = await upgradeable()
    const declaration = at('crossplane-packages.yaml')
    const flags = ['--declaration', declaration, '--packages', at('packages')]
    const versions = [
      {package: `${REPOSITORY}/function-a`, after: 'v0.1.0'},
      {package: `${REPOSITORY}/sql`, before: 'v1.0.0', after: 'v1.1.0'},
    ]
    const ofFunction = ['risky capability-added', 'risky package-added']
    const changes = [...SQL_CHANGES.slice(0, 2), ...ofFunction, ...SQL_CHANGES.slice(2)]
    const want = {status: 1, packages: versions, changes}
    expect(await comparison(declaration)).toMatchObject(want)
    expect(await comparison(folder)).toMatchObject(want)
    await runCli('package', 'lock', ...flags, '--lock-file', at('next.lock'))
    expect(await comparison(at('crossplane-packages.lock'), at('next.lock'))).toMatchObject(want)
    expect(await comparison(at('next.lock'), at('next.lock'))).toMatchObject({status: 0, unchanged: 2})
    undo()
  })

  it('names neither a command that writes a lock nor a file for a lock that does not exist', async () => {
    const {stderr} = await compare(at('none.lock'), at('old-net'))
    expect(stderr).toContain('Try: Check the path of the lock file.\n')
    expect(stderr).not.toContain('package lock')
  })

  it('prints a table, with all changes for --fields', async () => {
    const {stdout} = await compare(at('old-stack'), at('new-stack'))
    expect(stdout.split('\n').filter(line => line.includes('spec.') || line.includes('--fields'))).toEqual([
      '  breaking   v1   spec.size   type changes from integer to string',
      '  breaking   v1   spec.zone   field is removed: string',
      '  and 1 more; list them with --fields',
    ])
    expect(stdout).toContain(`  ${at('old-stack')} -> ${at('new-stack')}\n`)
    const {stdout: all} = await compare(at('old-stack'), at('new-stack'), '--fields')
    expect(all).toContain('  compatible   v1   spec.class   field is added: string\n')
    expect(all).not.toContain('--fields')
  })

  it('prints a table of Markdown in which texts of packages have no meaning', async () => {
    writeTree(folder, {
      'odd/.registry/app.yaml': APP,
      'odd/.registry/resources/a.crd.yaml': crd('"a|`b`": {type: string}'),
    })
    const {stdout} = await compare(at('odd'), at('new-stack'), '-o', 'markdown')
    expect(stdout).toContain(
      "| breaking | `Db (dbs.example.org)` | `v1` | `spec.a\\|'b'` | `field is removed: string` |\n",
    )
  })

  it('exits with 7 for a CRD that cannot be read, although other changes are breaking', async () => {
    const tree = (fields: string) => ({
      'crossplane.yaml': provider(),
      'crd.yaml': crd(fields),
      'other.yaml': crd('', 'v1beta1')
        .replaceAll('dbs', 'others')
        .replace(/ {2}version: [^]*$/, '  versions: []\n'),
    })
    const files = (name: string, fields: string) =>
      Object.fromEntries(Object.entries(tree(fields)).map(([path, text]) => [`${name}/${path}`, text]))
    writeTree(folder, {...files('old-unread', OLD), ...files('new-unread', NEW)})
    const {status, stdout, stderr} = await compare(at('old-unread'), at('new-unread'))
    expect(status).toBe(7)
    expect(stdout).toContain('spec.zone')
    expect(stderr).toContain('others.example.org')
  })

  it.each([
    {name: 'one package', in: ['./old-net'], code: 'usage', status: 2},
    {name: 'a package that does not exist', in: ['./none', './old-net'], code: 'not-found', status: 7},
    {name: 'a lock that does not exist', in: ['./none.lock', './old-net'], code: 'not-found', status: 7},
  ])('rejects $name', async ({in: words, code, status}) => {
    const result = await compare(...words, '-o', 'json')
    expect({status: result.status, error: JSON.parse(result.stderr) as object}).toMatchObject({
      status,
      error: {code},
    })
  })
})
