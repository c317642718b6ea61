import {expect, it} from '@jest/globals'
import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const home = temporaryFolder()
const at = (path: string) => join(home, path)
const CACHED = at('cache/v1/surfaces')

const crd = (fields: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: dbs.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {plural: dbs, kind: Db, singular: db, listKind: DbList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {${fields}}}}}}}
`
const META =
  'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: a}\nspec: {capabilities: [safe-start]}\n'

writeTree(home, {
  'packages/team/sql@v1.0.0/crossplane.yaml': META,
  'packages/team/sql@v1.0.0/crd.yaml': crd('size: {type: integer, description: How large}'),
  'new/crossplane.yaml': META,
  'new/crd.yaml': crd('size: {type: string}'),
  'objects.yaml': 'apiVersion: example.org/v1\nkind: Db\nmetadata: {name: a}\nspec: {size: big}\n',
  'crossplane-packages.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
coreVersion: v2.3.4
packages: [{package: registry.example.org/team/sql}]
`,
})

const SET = ['--declaration', at('crossplane-packages.yaml'), '--packages', at('packages')]
const OLD = at('packages/team/sql@v1.0.0')
const COMMANDS = [
  ['validate', at('objects.yaml'), ...SET],
  ['activation', '--objects', at('objects.yaml'), '-o', 'json', ...SET],
  ['compare', OLD, at('new'), '-o', 'json'],
  ['impact', '--old', OLD, '--new', at('new'), '--objects', at('objects.yaml'), '-o', 'json'],
]

async function outputs(...more: readonly string[]) {
  const results: unknown[] = []
  for (const command of COMMANDS) {
    const result = await runCli('package', ...command, ...more)
    expect([0, 1]).toContain(result.status)
    results.push(result)
  }
  rmSync(at('schemas'), {recursive: true, force: true})
  const schemas = await runCli('package', 'schemas', at('schemas'), ...SET, ...more)
  expect(schemas).toMatchObject({status: 0})
  results.push(readFileSync(at('schemas/example.org/db_v1.json'), 'utf8'))
  return results
}

it('prints the same with an empty, a full, a damaged and no cache', async () => {
  const cache = ['--cache-dir', at('cache')]
  const want = await outputs('--no-cache')
  expect(await outputs(...cache)).toEqual(want)
  const names = readdirSync(CACHED)
  // Two packages, and the first one with its descriptions.
  expect(names).toHaveLength(3)
  expect(await outputs(...cache)).toEqual(want)
  for (const name of names)
    writeFileSync(join(CACHED, name), readFileSync(join(CACHED, name), 'utf8').replace('integer', 'boolean'))
  expect(await outputs(...cache)).toEqual(want)
  rmSync(at('cache'), {recursive: true})
  writeFileSync(at('cache'), 'no folder')
  expect(await outputs(...cache)).toEqual(want)
})
