import {describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const root = temporaryFolder()
const lint = (...args: readonly string[]) => runCli('package', 'lint', ...args)

const META = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: net\n'

function folder(name: string, files: Readonly<Record<string, string>>): string {
  writeTree(join(root, name), files)
  return join(root, name)
}

describe('the source folder of an xpkg is linted as it is built', () => {
  it('without the files that --ignore leaves out', async () => {
    const path = folder('ignored', {
      'crossplane.yaml': META,
      'auth.yaml': 'version: "1"\n',
      'docs/a.yaml': 'a: 1\n',
    })
    expect((await lint(path)).status).toBe(1)
    expect(await lint(path, '--ignore', 'auth.yaml', '--ignore', 'docs')).toMatchObject({
      status: 0,
      stdout: '',
    })
  })

  it('with its examples, which must be objects', async () => {
    const path = folder('examples', {
      'crossplane.yaml': META,
      'examples/bad.yaml': 'apiVersion: v1\nkind: X\nmetadata: {name: a\nspec: [\n',
      'examples/values.yaml': 'size: 3\n',
    })
    const {status, stdout} = await lint(path)
    const rules = stdout.split('\n').map(line => /^(\S+): .*\[(.*)\]$/.exec(line)?.slice(1).join(' '))
    expect({status, rules: rules.filter(rule => rule !== undefined)}).toEqual({
      status: 1,
      rules: ['examples/bad.yaml:4 yaml-syntax', 'examples/values.yaml:1 xpkg-example'],
    })
    expect((await lint(path, '--ignore', 'examples')).status).toBe(0)
  })

  it('and --ignore is rejected for what is not such a folder', async () => {
    const {status, stderr} = await lint('./examples/broken', '--ignore', 'docs')
    expect({status, stderr}).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--ignore does not apply'),
    })
  })
})

describe('a step without a function', () => {
  it('is no step with the function ""', async () => {
    const composition = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: x}
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: Thing}
  mode: Pipeline
  pipeline: [{step: a}]
`
    const {stdout} = await lint(folder('no-function', {'crossplane.yaml': META, 'c.yaml': composition}))
    expect(stdout).toContain('spec.pipeline[0].functionRef: it is required [xpkg-object-refused]')
    expect(stdout).not.toContain('[xpkg-composition-function]')
  })
})

describe('one fault is one error', () => {
  it.each([
    {name: 'a missing colon', meta: META.replace('metadata:', 'metadata'), want: ['yaml-syntax']},
    {name: 'a misspelled kind', meta: META.replace('Configuration', 'Confguration'), want: ['xpkg-kind']},
    {
      name: 'a version that is a number',
      meta: `${META}spec:\n  dependsOn:\n  - provider: r.example.org/a/b\n    version: 1.10\n`,
      want: ['field-type'],
    },
    {
      name: 'a package that is a number',
      meta: `${META}spec:\n  dependsOn:\n  - provider: 5\n    version: v1.0.0\n`,
      want: ['field-type'],
    },
    {
      name: 'a constraint that is a number',
      meta: `${META}spec:\n  crossplane:\n    version: 2\n`,
      want: ['field-type'],
    },
  ])('$name', async ({name, meta, want}) => {
    const {stdout} = await lint(folder(name.replaceAll(' ', '-'), {'crossplane.yaml': meta}))
    const rules = [...stdout.matchAll(/\[([a-z-]+)\]$/gm)].map(([, rule]) => rule)
    expect(rules).toEqual(want)
  })

  it('but a folder without any metadata is one', async () => {
    const {stdout} = await lint(folder('none', {'crossplane.yaml': '# nothing\n'}))
    expect(stdout).toContain('[xpkg-metadata]')
  })
})

describe('a dependency must be spelled as registries have it', () => {
  it.each([
    {name: 'capitals', entry: 'provider: ghcr.io/MyOrg/provider-x', want: 'xpkg-dependency-name'},
    {name: 'a blank', entry: "provider: 'r.example.org/acme/provider-b '", want: 'xpkg-dependency-name'},
    {name: 'an empty part', entry: 'provider: r.example.org/acme//b', want: 'xpkg-dependency-name'},
    {name: 'a slash at its end', entry: 'provider: r.example.org/acme/b/', want: 'xpkg-dependency-name'},
    {name: 'a dash at its end', entry: 'provider: r.example.org/acme/b-', want: 'xpkg-dependency-name'},
    {
      name: 'a part that begins with a dot',
      entry: 'provider: r.example.org/.a/b',
      want: 'xpkg-dependency-name',
    },
    {
      name: 'two packages',
      entry: 'provider: r.example.org/a/b\n    function: r.example.org/a/c',
      want: 'xpkg-dependency-names',
    },
    {
      name: 'a kind in lowercase',
      entry: 'apiVersion: pkg.crossplane.io/v1\n    kind: provider\n    package: r.example.org/a/b',
      want: 'xpkg-dependency-kind',
    },
  ])('$name', async ({name, entry, want}) => {
    const meta = `${META}spec:\n  dependsOn:\n  - ${entry}\n    version: '>=v1.0.0'\n`
    const {status, stdout} = await lint(folder(`spelled ${name}`, {'crossplane.yaml': meta}))
    expect({status, rules: [...stdout.matchAll(/\[([a-z-]+)\]$/gm)].map(([, rule]) => rule)}).toEqual({
      status: 1,
      rules: [want],
    })
  })
})

const ELSEWHERE: readonly {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly want: string
}[] = [
  {
    name: 'another ending',
    files: {'crossplane.yml': META},
    want: 'Rename crossplane.yml to crossplane.yaml',
  },
  {name: 'another name', files: {'test.yaml': META}, want: 'Rename test.yaml to crossplane.yaml'},
  {name: 'a folder below', files: {'package/crossplane.yaml': META, 'a.yaml': 'a: 1\n'}, want: '/package'},
  {
    name: 'a project',
    files: {'upbound.yaml': 'kind: Project\n'},
    want: 'Build the project of upbound.yaml',
  },
  {name: 'nothing', files: {'a.txt': ''}, want: 'with .registry/'},
]

describe('where the metadata is elsewhere, that place is named', () => {
  it.each(ELSEWHERE)('$name', async ({name, files, want}) => {
    const path = folder(`elsewhere-${name.replaceAll(' ', '-')}`, files)
    const {status, stderr} = await lint(path)
    expect({status, stderr}).toMatchObject({status: 7, stderr: expect.stringContaining(want)})
    expect(stderr).toContain('crossplane.yaml')
    const built = await runCli('package', 'build', join(root, 'x.xpkg'), path)
    expect({status: built.status, stderr: built.stderr}).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(want),
    })
  })

  it('a file', async () => {
    const path = folder('a-file', {'crossplane.yaml': META})
    const {stderr} = await lint(join(path, 'crossplane.yaml'))
    expect(stderr).toContain(`it is a file\nTry: Pass the folder of the file: ${path}\n`)
  })

  it.each([
    {
      name: 'a folder without ./',
      word: 'bare',
      want: 'Try: Write ./bare for the folder, or bare:TAG for the package in a registry.',
    },
    {
      name: 'a file without ./',
      word: 'bare/crossplane.yaml',
      want: 'Try: Write ./bare for the folder of the file',
    },
    {name: 'nothing', word: './absent', want: 'Error: cannot read ./absent: no such file or directory\n'},
  ])('$name', async ({word, want}) => {
    folder('bare', {'crossplane.yaml': META})
    const before = process.cwd()
    process.chdir(root)
    const {status, stderr} = await lint(word, '--default-source', '127.0.0.1:1').finally(() => {
      process.chdir(before)
    })
    expect([2, 7]).toContain(status)
    expect(stderr).toContain(want)
    expect(stderr).not.toContain('ENOENT')
  })
})

describe('a Composition', () => {
  const GROUP = 'sql.example.org'
  const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: dbs.${GROUP}}
spec:
  group: ${GROUP}
  scope: Cluster
  names: {plural: dbs, kind: Db, singular: db, listKind: DbList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
`
  const definition = `apiVersion: apiextensions.crossplane.io/v2
kind: CompositeResourceDefinition
metadata: {name: things.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {plural: things, kind: Thing}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: string}}}}}}
`
  const composition = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: x}
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: Thing}
  mode: Pipeline
  pipeline:
  - step: a
    functionRef: {name: example-pat}
    input:
      apiVersion: pt.fn.crossplane.io/v1beta1
      kind: Resources
      resources:
      - name: db
        base: {apiVersion: ${GROUP}/v1, kind: Db, spec: {size: large}}
`
  const PROVIDER = META.replace('Configuration', 'Provider')
  const files = {
    'crossplane.yaml': `${META}spec:\n  dependsOn:\n  - {provider: r.example.org/a/sql, version: '>=v1.0.0'}\n`,
    'definition.yaml': definition,
    'composition.yaml': composition,
  }
  const fails = 'composition.yaml:15 xpkg-composition-fails'
  const found = async (...words: readonly string[]) => {
    const {stdout} = await lint(...words)
    return [...stdout.matchAll(/^(composition.yaml:\d+): .*\[(xpkg-composition-(?:fails|dropped))\]$/gm)].map(
      ([, at, rule]) => `${at} ${rule}`,
    )
  }

  it('is judged by the kinds of what the package depends on, where a folder or a lock has it', async () => {
    const packages = folder('dependencies', {
      'a/sql@v1.0.0/crossplane.yaml': PROVIDER,
      'a/sql@v1.0.0/crd.yaml': crd,
    })
    const own = folder('depending', files)
    expect(await found(own)).toEqual([])
    expect(await found(own, '--packages', packages)).toEqual([fails])
    const example = `apiVersion: ${GROUP}/v1\nkind: Db\nmetadata: {name: a}\nspec: {size: large}\n`
    const {stdout} = await lint(
      folder('with-example', {...files, 'examples/db.yaml': example}),
      '--packages',
      packages,
    )
    expect(stdout).toMatch(/^examples\/db\.yaml:4: .*\[xpkg-example-invalid\]$/m)
    // What cannot be resolved is not known, and not an error of the package.
    expect(await found(own, '--packages', folder('empty', {'readme.txt': ''}))).toEqual([])
    const declared = folder('declared', {
      '.git/HEAD': 'ref: refs/heads/main\n',
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`package/${name}`, text])),
      'crossplane-packages.yaml':
        'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: r.example.org/a/sql:v1.0.0\n',
    })
    const declaration = ['--declaration', join(declared, 'crossplane-packages.yaml')]
    const locked = await runCli('package', 'lock', ...declaration, '--packages', packages)
    expect(locked).toMatchObject({status: 0})
    // The lock decides, and not the newest version.
    writeTree(packages, {'a/sql@v1.1.0/crossplane.yaml': PROVIDER})
    expect(await found(join(declared, 'package'), '--packages', packages)).toEqual([fails])
    expect(await found(own, '--packages', packages)).toEqual([])
    expect(await found(join(declared, 'package'))).toEqual([])
  })
})
