import {beforeAll, describe, expect, it} from '@jest/globals'
import {mkdirSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {programWords} from '../built-program.js'
import {runCli} from '../run-cli.js'
import {runBuilt} from '../run-program.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {fixture} from './fixtures.js'
import {identityOf, objectsIn} from './printed-objects.js'
import {rendered} from './rendered.js'

const folder = temporaryFolder()
const packages = join(folder, 'packages')
mkdirSync(join(packages, 'example'), {recursive: true})
for (const [name, tag] of [
  ['cli-database', 'v0.2.0'],
  ['cli-blog', 'v1.0.0'],
  ['cli-template', 'v1.0.0'],
] as const)
  symlinkSync(fixture(name), join(packages, 'example', `${name}@${tag}`))
const inFolder = ['--packages', packages, '--no-dependencies']

let files = 0
/** A file with this content, to be given with -f. */
function file(content: string): string {
  files += 1
  writeTree(folder, {[`${files}.yaml`]: content})
  return join(folder, `${files}.yaml`)
}

async function requestFor(...args: readonly string[]): Promise<string> {
  return (await runCli('package', 'generate-install', ...args)).stdout
}

const DATABASE = 'example/cli-database:v0.2.0'
const parameters = [
  ...['--source', 'registry.example.org', '--image-pull-policy', 'Never', '--image-pull-secret', 'pull'],
  ...['--service-account-annotation', 'a=b'],
]

describe('-f with a request', () => {
  it.each([
    {name: 'a Cluster package', in: [DATABASE, 'db', '-n', 'infra'], scope: ['-c']},
    {name: 'every parameter', in: [DATABASE, 'db', '-n', 'infra', ...parameters], scope: ['-c']},
    {name: 'the Stacks era', in: [DATABASE, 'db', '-n', 'infra', '--api', 'stacks'], scope: ['-c']},
    {name: 'a Namespaced package', in: ['example/cli-blog:v1.0.0', 'blog', '-n', 'team-a'], scope: []},
    {name: 'a template stack', in: ['example/cli-template:v1.0.0', 'tpl', '-n', 'infra'], scope: ['-c']},
    {name: 'the newest version', in: ['example/cli-database', 'db', '-n', 'infra'], scope: ['-c']},
  ])('$name: the same bytes as from the command line', async ({in: args, scope}) => {
    const request = file(await requestFor(...args, ...scope))
    for (const flags of [[], ['--with-package-api', '--create-namespace']])
      expect(await rendered('-f', request, ...inFolder, ...flags)).toBe(
        await rendered(...args, ...inFolder, ...flags),
      )
  })

  it('--include-request shows it unchanged', async () => {
    const request = await requestFor('example/cli-database', 'db', '-n', 'infra', '-c', ...parameters)
    const objects = objectsIn(await rendered('-f', file(request), ...inFolder, '--include-request'))
    expect(objects.filter(({kind}) => kind === 'ClusterPackageInstall')).toEqual(objectsIn(request))
  })

  it('-n applies only to objects without a namespace', async () => {
    const request = file(
      [
        await requestFor('example/cli-blog:v1.0.0', 'here'),
        await requestFor('example/cli-blog:v1.0.0', 'there', '-n', 'elsewhere'),
      ].join('---\n'),
    )
    const records = objectsIn(await rendered('-f', request, ...inFolder, '-n', 'team-a')).filter(
      ({kind}) => kind === 'Package',
    )
    expect(records.map(identityOf)).toEqual(['Package team-a/here', 'Package elsewhere/there'])
  })

  it('that contradicts the package is rejected', async () => {
    const request = file(await requestFor(DATABASE, 'db', '-n', 'infra', '--scope', 'Namespaced'))
    const {status, stdout, stderr} = await runCli(
      'package',
      'render',
      '-f',
      request,
      ...inFolder,
      '-o',
      'json',
    )
    expect({status, stdout, code: (JSON.parse(stderr) as {code: string}).code}).toEqual({
      status: 2,
      stdout: '',
      code: 'scope-mismatch',
    })
  })
})

describe('-f with flags that conflict with its objects', () => {
  it.each([
    {name: '--scope', flags: ['--scope', 'Cluster']},
    {name: '--cluster', flags: ['-c']},
    {name: '--source', flags: ['--source', 'r.example.org']},
    {name: '--image-pull-secret', flags: ['--imagePullSecret', 'pull']},
    {name: '--as-package', flags: ['--as-package', 'example/cli-database:v1.0.0']},
  ])('rejects $name and names the flag', async ({name, flags}) => {
    const request = file(await requestFor(DATABASE, 'db', '-n', 'infra', '-c'))
    const {status, stdout, stderr} = await runCli('package', 'render', '-f', request, ...flags, '-o', 'json')
    expect({status, stdout, ...(JSON.parse(stderr) as object)}).toMatchObject({
      status: 2,
      stdout: '',
      code: 'usage',
      message: expect.stringContaining(`${name} and -f are mutually exclusive`),
    })
  })

  it('a source from the environment applies only to packages on the command line', async () => {
    const request = file(await requestFor(DATABASE, 'db', '-n', 'infra', '-c'))
    const want = await rendered('-f', request, ...inFolder)
    process.env.CROSSPLANE_REQUEST_SOURCE = 'r.example.org'
    try {
      expect(await rendered('-f', request, ...inFolder)).toBe(want)
    } finally {
      Reflect.deleteProperty(process.env, 'CROSSPLANE_REQUEST_SOURCE')
    }
  })
})

describe('-f with several objects', () => {
  it('requests share CRDs, which have the claims of both', async () => {
    const both = [
      file(await requestFor('example/cli-blog:v1.0.0', 'one', '-n', 'team-a')),
      file(await requestFor('example/cli-blog:v1.0.0', 'two', '-n', 'team-b')),
    ]
    const objects = objectsIn(await rendered(...both.flatMap(name => ['-f', name]), ...inFolder))
    const crds = objects.filter(({kind}) => kind === 'CustomResourceDefinition') as unknown as {
      metadata: {labels: Record<string, string>}
    }[]
    expect(crds.map(({metadata}) => metadata.labels)).toEqual([
      {
        'app.kubernetes.io/managed-by': 'package-manager',
        'crossplane.io/scope': 'namespace',
        'namespace.crossplane.io/team-a': 'true',
        'namespace.crossplane.io/team-b': 'true',
        'parent.packages.crossplane.io/team-a-one': 'true',
        'parent.packages.crossplane.io/team-b-two': 'true',
      },
    ])
  })

  it('a List as JSON gives the same as a stream', async () => {
    const requests = [
      await requestFor('example/cli-blog:v1.0.0', 'one', '-n', 'team-a'),
      await requestFor(DATABASE, 'db', '-n', 'infra', '-c'),
    ]
    const list = {apiVersion: 'v1', kind: 'List', items: requests.flatMap(objectsIn)}
    expect(await rendered('-f', file(JSON.stringify(list)), ...inFolder)).toBe(
      await rendered('-f', file(requests.join('---\n')), ...inFolder),
    )
  })
})

describe('-f with a record', () => {
  /** The rendered objects of these kinds, in a file. */
  const kept = async (args: readonly string[], kinds: readonly string[]) => {
    const {stdout} = await runCli('package', 'render', ...args, ...inFolder, '-o', 'json')
    const {items} = JSON.parse(stdout) as {items: {kind: string}[]}
    return file(
      JSON.stringify({apiVersion: 'v1', kind: 'List', items: items.filter(({kind}) => kinds.includes(kind))}),
    )
  }
  const blog = ['example/cli-blog:v1.0.0', 'blog', '-n', 'team-a']

  it.each([
    {name: 'a record', kind: 'Package', args: [DATABASE, 'db', '-n', 'infra']},
    {name: 'a Namespaced record', kind: 'Package', args: blog},
    {name: 'a record of the Stacks era', kind: 'Stack', args: [...blog, '--api', 'stacks']},
    {
      name: 'a definition',
      kind: 'StackDefinition',
      args: ['example/cli-template:v1.0.0', 'tpl', '-n', 'infra'],
    },
  ])('$name and its CRDs: the same bytes as when it was rendered', async ({kind, args}) => {
    const input = await kept(args, [kind, 'CustomResourceDefinition'])
    expect(await rendered('-f', input)).toBe(await rendered(...args, ...inFolder))
  })

  it.each([
    {name: 'a record', kind: 'Package', args: [DATABASE, 'db', '-n', 'infra']},
    {
      name: 'a definition',
      kind: 'StackDefinition',
      args: ['example/cli-template:v1.0.0', 'tpl', '-n', 'infra'],
    },
  ])('$name alone: its CRDs come from the available packages', async ({kind, args}) => {
    const input = await kept(args, [kind])
    expect(await rendered('-f', input, ...inFolder)).toBe(await rendered(...args, ...inFolder))
  })

  it('whose CRDs are not found is rejected: plurals are not guessed', async () => {
    const input = await kept(blog, ['Package'])
    const {status, stdout, stderr} = await runCli('package', 'render', '-f', input, '-o', 'json')
    expect({status, stdout, ...(JSON.parse(stderr) as object)}).toMatchObject({
      status: 1,
      stdout: '',
      code: 'input-invalid',
      message: expect.stringMatching(/blog.*Blog.*app\.example\.org\/v1alpha1/),
      suggestions: [expect.stringContaining('--packages')],
    })
  })
})

describe('-f with standard input', () => {
  beforeAll(() => {
    programWords()
  })

  it('- reads standard input, such as the output of generate-install', async () => {
    const request = await requestFor(DATABASE, 'db', '-n', 'infra', '-c')
    const args = ['package', 'render', '-f', '-', ...inFolder]
    expect(await runBuilt(args, {input: request})).toEqual({
      status: 0,
      signal: null,
      stdout: await rendered(DATABASE, 'db', '-n', 'infra', ...inFolder),
      stderr: '',
    })
  })

  it('that is invalid is named in the error', async () => {
    const {status, stdout, stderr} = await runBuilt(['package', 'render', '-f', '-', '-o', 'json'], {
      input: 'kind: Pod\napiVersion: v1\n',
    })
    expect({status, stdout, ...(JSON.parse(stderr) as object)}).toMatchObject({
      status: 1,
      stdout: '',
      code: 'input-invalid',
      faults: [{rule: 'input-kind', file: 'standard input', line: 1}],
    })
  })
})
