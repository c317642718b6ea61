import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import {asObject, asObjects, type JsonObject} from '../../src/yaml/json-value.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const temporary = temporaryFolder()
const at = (path: string) => join(temporary, path)
const MYSQL = 'MySQLInstance.database.crossplane.io/v1alpha1'
const init = (folder: string, ...args: readonly string[]) => {
  const names = ['--service', 'FavouriteDB', '--group', 'fcp.example.org']
  return runCli('package', 'init', at(folder), ...names, '--claim', MYSQL, ...args)
}
const strictLint = (folder: string) => runCli('package', 'lint', at(folder), '--strict', '-o', 'json')
const objects = (path: string) => readYaml(readFileSync(at(path)), path).map(({value}) => asObject(value))
const crdOf = (folder: string, word: string) =>
  objects(`${folder}/.registry/resources/fcp.example.org/${word}/${word}.crd.yaml`)[0] ?? {}
const schemaOf = (crd: JsonObject) => {
  const [version = {}] = asObjects(asObject(crd.spec).versions)
  return asObject(asObject(version.schema).openAPIV3Schema)
}
const field = (object: JsonObject, ...path: readonly string[]) =>
  path.reduce<JsonObject>((value, name) => asObject(value[name]), object)
const forProvider = (folder: string) => [
  field(schemaOf(crdOf(folder, 'favouritedb')), 'properties', 'spec', 'properties', 'forProvider'),
  field(
    schemaOf(crdOf(folder, 'favouritedbclass')),
    'properties',
    'specTemplate',
    'properties',
    'forProvider',
  ),
]

writeTree(temporary, {
  'external.json': JSON.stringify({
    fanciness_level: 3,
    weight: 1.5,
    URL: 'https://db.example.org',
    tls: {min_version: '1.2', enabled: true},
    zones: [{zone_name: 'a'}],
    note: null,
    id: 'db-1',
    $output: ['id', 'endpoint'],
    $optional: ['zones', 'note'],
  }),
  'same.json': '{"a_b": 1, "aB": 2}',
  'odd.json': '{"1st": 1}',
  'missing.json': '{"a": 1, "$optional": ["b"]}',
  'list.json': '[]',
  'unknown.json': '{"a": 1, "$outputs": ["b"]}',
  'text.json': '{"a": 1, "$output": "a"}',
})

describe('package init --service', () => {
  it('writes a package that lints without warnings and builds', async () => {
    const {status, stdout} = await init('plain', '-o', 'json')
    const {written} = JSON.parse(stdout) as {written: readonly string[]}
    const kinds = ['favouritedb', 'favouritedbclass', 'provider']
    expect({status, written}).toEqual({
      status: 0,
      written: [
        'service.yaml',
        ...['provider', 'class', 'claim', 'managed'].map(name => `examples/${name}.yaml`),
        '.registry/app.yaml',
        '.registry/install.yaml',
        '.registry/resources/fcp.example.org/group.yaml',
        ...kinds.flatMap(kind =>
          ['crd', 'resource'].map(type => `.registry/resources/fcp.example.org/${kind}/${kind}.${type}.yaml`),
        ),
      ],
    })
    expect(await strictLint('plain')).toMatchObject({status: 0})
    expect(objects('plain/.registry/app.yaml')[0]).toMatchObject({
      permissionScope: 'Cluster',
      dependsOn: [{crd: '*.database.crossplane.io/v1alpha1'}],
    })
    expect(await runCli('package', 'build', `oci:${at('image')}`, at('plain'))).toMatchObject({status: 0})
  })

  it('makes one schema of an external object for the managed resource and its class', async () => {
    expect(await init('external', '--parameters', at('external.json'))).toMatchObject({status: 0})
    const [ofManaged, ofClass] = forProvider('external')
    expect(ofClass).toEqual(ofManaged)
    expect(ofManaged).toEqual({
      type: 'object',
      description: 'The parameters of a FavouriteDB.',
      required: ['fancinessLevel', 'weight', 'url', 'tls'],
      properties: {
        fancinessLevel: {type: 'integer', description: 'The fanciness level.', example: 3},
        weight: {type: 'number', description: 'The weight.', example: 1.5},
        url: {type: 'string', description: 'The url.', example: 'https://db.example.org'},
        tls: {
          type: 'object',
          description: 'The tls.',
          properties: {
            minVersion: {type: 'string', description: 'The min version.', example: '1.2'},
            enabled: {type: 'boolean', description: 'The enabled.', example: true},
          },
        },
        zones: {
          type: 'array',
          description: 'The zones.',
          example: [{zoneName: 'a'}],
          items: {
            type: 'object',
            properties: {zoneName: {type: 'string', description: 'The zone name.', example: 'a'}},
          },
        },
        note: {type: 'string', description: 'The note.'},
      },
    })
    const status = field(schemaOf(crdOf('external', 'favouritedb')), 'properties', 'status', 'properties')
    expect(Object.keys(field(status, 'atProvider', 'properties'))).toEqual(['endpoint', 'id'])
    expect(await strictLint('external')).toMatchObject({status: 0})
  })

  it('defines the claim only with --own-claim, and then depends on nothing', async () => {
    expect(await init('owner', '--own-claim')).toMatchObject({status: 0})
    const word = 'mysqlinstance'
    const path = `owner/.registry/resources/database.crossplane.io/${word}/${word}.crd.yaml`
    expect(asObject(objects(path)[0]?.spec).scope).toBe('Namespaced')
    expect(objects('owner/.registry/app.yaml')[0]).not.toHaveProperty('dependsOn')
    const {stdout} = await strictLint('owner')
    const {findings} = JSON.parse(stdout) as {findings: readonly {rule: string}[]}
    expect(findings.map(({rule}) => rule)).toEqual(['claim-owned'])
  })

  it('adds a field everywhere after a change of service.yaml, and leaves other files as they are', async () => {
    expect(await init('changed')).toMatchObject({status: 0})
    const file = at('changed/service.yaml')
    const added =
      '  properties:\n    region:\n      description: The region.\n      enum: [eu, us]\n      type: string\n'
    writeFileSync(file, readFileSync(file, 'utf8').replace('  properties:\n', added))
    const app = `${readFileSync(at('changed/.registry/app.yaml'), 'utf8')}category: Databases\n`
    writeFileSync(at('changed/.registry/app.yaml'), app)
    const update = () => runCli('package', 'init', at('changed'), '--update', '-o', 'json')
    const {status, stdout} = await update()
    const folder = '.registry/resources/fcp.example.org'
    expect({status, written: (JSON.parse(stdout) as {written: readonly string[]}).written}).toEqual({
      status: 0,
      written: [
        `${folder}/favouritedb/favouritedb.crd.yaml`,
        `${folder}/favouritedbclass/favouritedbclass.crd.yaml`,
        'examples/class.yaml',
        'examples/managed.yaml',
      ],
    })
    expect(forProvider('changed').map(schema => Object.keys(asObject(schema.properties)))).toEqual([
      ['region', 'size'],
      ['region', 'size'],
    ])
    expect(field(objects('changed/examples/managed.yaml')[0] ?? {}, 'spec', 'forProvider')).toEqual({
      region: 'eu',
      size: 1,
    })
    expect(readFileSync(at('changed/.registry/app.yaml'), 'utf8')).toBe(app)
    expect(await strictLint('changed')).toMatchObject({status: 0})
    expect(await update()).toMatchObject({status: 0, stdout: expect.stringContaining('"written": []')})
  })

  it('adds a project with --runner, and only then updates one', async () => {
    const {status, stdout} = await init('project', '--runner', 'typescript', '-o', 'json')
    const {written} = JSON.parse(stdout) as {written: readonly string[]}
    expect({status, project: written.filter(path => !/^(?:\.registry|examples|service)/.test(path))}).toEqual(
      {
        status: 0,
        project: [
          'package.json',
          'tsconfig.json',
          '.gitignore',
          ...['main', 'external'].map(name => `src/${name}.ts`),
          ...['fake-api', 'files', 'external.test', 'cluster.test'].map(name => `test/${name}.ts`),
          'src/service.ts',
          'test/claim.crd.yaml',
        ],
      },
    )
    expect(await strictLint('project')).toMatchObject({status: 0})
    const [deployment = {}] = objects('project/.registry/install.yaml')
    const [container] = asObjects(field(deployment, 'spec', 'template', 'spec').containers)
    expect(container).toMatchObject({
      command: ['node', '/app/main.mjs'],
      securityContext: {runAsNonRoot: true},
    })
    expect(await init('plain-update')).toMatchObject({status: 0})
    for (const [folder, want] of [
      ['project', ['src/service.ts']],
      ['plain-update', []],
    ] as const) {
      const file = at(`${folder}/service.yaml`)
      writeFileSync(file, readFileSync(file, 'utf8').replace('description: The id.', 'description: Its ID.'))
      const report = await runCli('package', 'init', at(folder), '--update', '-o', 'json')
      const {written: paths} = JSON.parse(report.stdout) as {written: readonly string[]}
      expect(paths.filter(path => !path.startsWith('.registry'))).toEqual(want)
    }
  })

  it.each([
    {name: 'another runner', args: ['--runner', 'go'], want: 2},
    {name: 'a runner without a controller', args: ['--runner', 'typescript', '--no-controller'], want: 2},
    {name: 'a kind in lowercase', args: ['--service', 'database'], want: 2},
    {name: 'a group of one label', args: ['--group', 'example'], want: 2},
    {name: 'a version that is not one of an API', args: ['--api-version', '1.0'], want: 2},
    {name: 'a claim without a version', args: ['--claim', 'Disk.example.org'], want: 2},
    {name: 'a service that is named like its provider', args: ['--service', 'Provider'], want: 2},
    {name: 'names that become equal', args: ['--parameters', at('same.json')], want: 1},
    {name: 'a name that starts with a digit', args: ['--parameters', at('odd.json')], want: 1},
    {name: 'an optional name that does not exist', args: ['--parameters', at('missing.json')], want: 1},
    {name: 'a misspelled list of names', args: ['--parameters', at('unknown.json')], want: 1},
    {name: 'a name in place of a list', args: ['--parameters', at('text.json')], want: 1},
    {name: 'parameters that are a list', args: ['--parameters', at('list.json')], want: 1},
  ])('rejects $name, and writes nothing', async ({args, want}) => {
    const {status} = await init('rejected', ...args)
    expect({status, lint: (await strictLint('rejected')).status}).toEqual({status: want, lint: 7})
  })

  it.each([
    {name: 'an unknown field', from: 'kind:', to: 'extra: 1\nkind:', want: 'service.yaml:3'},
    {name: 'an invalid kind', from: 'kind: FavouriteDB', to: 'kind: db', want: 'service.yaml:3'},
    {name: 'a schema without a type', from: 'type: integer', to: 'type: []', want: 'FavouriteDB'},
  ])('names $name of service.yaml, and updates nothing', async ({name, from, to, want}) => {
    const folder = `invalid/${name.replaceAll(' ', '-')}`
    expect(await init(folder)).toMatchObject({status: 0})
    const file = at(`${folder}/service.yaml`)
    const before = crdOf(folder, 'favouritedb')
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
    const {status, stderr} = await runCli('package', 'init', at(folder), '--update')
    expect({status, named: stderr.includes(want)}).toEqual({status: 1, named: true})
    expect(crdOf(folder, 'favouritedb')).toEqual(before)
  })
})
