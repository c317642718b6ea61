import {describe, expect, it} from '@jest/globals'
import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const home = temporaryFolder()
const at = (path: string) => join(home, path)
const REPOSITORY = 'registry.example.org/team'

const CRD = (field: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: dbs.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {plural: dbs, kind: Db, singular: db, listKind: DbList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {${field}: {type: string, description: Its field.}}}}
  - {name: v0, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}
`
const provider = (kind: string) =>
  `apiVersion: meta.pkg.crossplane.io/v1\nkind: ${kind}\nmetadata: {name: a}\n`
const XRD = `apiVersion: apiextensions.crossplane.io/v1
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
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {cidr: {type: string}}}}}}
`

writeTree(home, {
  'packages/team/sql@v1.0.0/crossplane.yaml': provider('Provider'),
  'packages/team/sql@v1.0.0/crd.yaml': CRD('size'),
  'packages/team/net@v1.0.0/crossplane.yaml': provider('Configuration'),
  'packages/team/net@v1.0.0/xrd.yaml': XRD,
  'packages/team/fn@v1.0.0/crossplane.yaml': provider('Function'),
  'packages/team/fn@v1.0.0/input.yaml': CRD('a').replaceAll('example.org', 'fn.example.org'),
  'crossplane-packages.yaml': declaration('sql', 'net', 'fn'),
})

function declaration(...names: readonly string[]): string {
  const packages = names.map(name => `- package: ${REPOSITORY}/${name}\n`).join('')
  return `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\ncoreVersion: v2.3.4\npackages:\n${packages}`
}

async function schemas(folder: string, ...more: readonly string[]) {
  const flags = ['--declaration', at('crossplane-packages.yaml'), '--packages', at('packages'), '--offline']
  return await runCli('package', 'schemas', at(folder), ...flags, ...more)
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(at(folder), {recursive: true})
    .map(String)
    .filter(path => path.endsWith('.json'))
    .sort()
}

describe('package schemas', () => {
  it('writes each served version of each kind, of all packages', async () => {
    const {status, stderr} = await schemas('all')
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('4 written, 0 deleted')})
    expect(filesIn('all')).toEqual([
      'example.org/db_v1.json',
      'example.org/net_v1.json',
      'example.org/xnet_v1.json',
      'fn.example.org/db_v1.json',
    ])
    const text = readFileSync(at('all/example.org/db_v1.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      required: ['apiVersion', 'kind'],
      additionalProperties: false,
      properties: {apiVersion: {enum: ['example.org/v1']}, size: {type: 'string', description: 'Its field.'}},
    })
    expect(readFileSync(at('all/example.org/xnet_v1.json'), 'utf8')).toContain('"compositionRef"')
  })

  it('writes the same bytes again, and removes the files of kinds that are gone', async () => {
    await schemas('again')
    const {stdout} = await schemas('again', '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject({kind: 'FolderChange', written: [], deleted: [], unchanged: 4})
    writeFileSync(at('crossplane-packages.yaml'), declaration('sql'))
    const {stderr} = await schemas('again')
    writeFileSync(at('crossplane-packages.yaml'), declaration('sql', 'net', 'fn'))
    expect(stderr).toContain('0 written, 3 deleted, 1 unchanged')
    expect(filesIn('again')).toEqual(['example.org/db_v1.json'])
  })

  it('follows the lock', async () => {
    const lock = ['--declaration', at('crossplane-packages.yaml'), '--packages', at('packages')]
    await runCli('package', 'lock', ...lock)
    writeTree(home, {
      'packages/team/sql@v1.1.0/crossplane.yaml': provider('Provider'),
      'packages/team/sql@v1.1.0/crd.yaml': CRD('class'),
    })
    const properties = () =>
      Object.keys(
        (JSON.parse(readFileSync(at('locked/example.org/db_v1.json'), 'utf8')) as {properties: object})
          .properties,
      )
    await schemas('locked')
    expect(properties()).toContain('size')
    await runCli('package', 'lock', ...lock, '--upgrade')
    const {stderr} = await schemas('locked')
    expect(stderr).toContain('1 written, 0 deleted, 3 unchanged')
    expect(properties()).toContain('class')
    rmSync(at('packages/team/sql@v1.1.0'), {recursive: true})
    rmSync(at('crossplane-packages.lock'))
  })

  it.each<{readonly name: string; readonly in: Readonly<Record<string, string>>; readonly want: string}>([
    {name: 'a file of others', in: {'mixed/notes.txt': 'a'}, want: 'notes.txt'},
    {
      name: 'a rendered tree',
      in: {
        'mixed/.kubectl-crossplane/files.sha256': `# kubectl-crossplane files v1\n${'0'.repeat(64)}  kustomization.yaml\n`,
        'mixed/kustomization.yaml': 'resources: []\n',
      },
      want: 'kustomization.yaml',
    },
    {name: 'a schema of others', in: {'mixed/example.org/db_v1.json': '{}'}, want: 'example.org/db_v1.json'},
  ])('rejects a folder with $name, and changes nothing', async ({in: files, want}) => {
    writeTree(home, files)
    const {status, stderr} = await schemas('mixed')
    expect({status, stderr}).toEqual({
      status: 5,
      stderr: expect.stringContaining(`it has other files: ${want}`),
    })
    expect(filesIn('mixed').filter(path => path.includes('net'))).toEqual([])
    rmSync(at('mixed'), {recursive: true})
  })

  it('rejects a schema that was modified', async () => {
    await schemas('edited')
    writeFileSync(at('edited/example.org/db_v1.json'), '{}')
    const {status, stderr} = await schemas('edited')
    expect(status).toBe(5)
    expect(stderr).toContain('modified since this program wrote it')
  })

  it('names the CRDs that it cannot convert', async () => {
    const old = CRD('size')
      .replace('apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1')
      .replace('scope: Cluster', 'scope: Global')
    writeTree(home, {
      'packages/team/old@v1.0.0/crossplane.yaml': provider('Provider'),
      'packages/team/old@v1.0.0/crd.yaml': old,
    })
    writeFileSync(at('old.yaml'), declaration('old'))
    const {stderr, status} = await runCli(
      ...['package', 'schemas', at('old'), '--declaration', at('old.yaml'), '--packages', at('packages')],
    )
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('dbs.example.org of')})
  })

  it('asks for a declaration', async () => {
    const {status, stderr} = await runCli('package', 'schemas', at('none'))
    expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining('no declaration found')})
  })
})
