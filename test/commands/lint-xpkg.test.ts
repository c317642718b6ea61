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
    expect(stderr).toContain(`it is a file\nTry: Pass the directory of the file: ${path}\n`)
  })
})
