import {describe, expect, it} from '@jest/globals'
import {cpSync, readFileSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {expectGolden} from '../golden.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {fixture} from './fixtures.js'
import {identityOf, objectsIn} from './printed-objects.js'

const PACKAGES = ['--packages', 'examples/platform/packages']
const PLATFORM = ['--declaration', 'examples/platform/crossplane-packages.yaml', ...PACKAGES]
const APP = ['example/app-press:v0.1.0', '-n', 'team-a', ...PACKAGES]
const tree = (...args: readonly string[]) => runCli('package', 'tree', ...args)
const rulesIn = (stderr: string) => [...stderr.matchAll(/\[([a-z-]+)\]$/gm)].map(([, rule]) => rule)

const APP_YAML = 'version: 1.0.0\ntitle: Test\npermissionScope: Cluster\n'
const folder = writeTree(temporaryFolder(), {
  'cycle/x/a@v1.0.0/.registry/app.yaml': `${APP_YAML}dependsOn: [{package: x/b}]\n`,
  'cycle/x/b@v1.0.0/.registry/app.yaml': `${APP_YAML}dependsOn: [{package: x/a}, {crd: deployments.apps/v1}]\n`,
  'broken/x/a@v1.0.0/.registry/app.yaml': `${APP_YAML}dependsOn: [{package: x/b}, {crd: a.b.org/v1}]\n`,
  'broken/x/b@v1.0.0/.registry/app.yaml': 'title: 5\n',
  'broken/X/Y@v1.0.0/.registry/app.yaml': APP_YAML,
  'there.yaml': readFileSync(
    'examples/platform/packages/example/provider-cloud@v0.9.0/.registry/resources/database.cloud.example.org/sqlinstance.crd.yaml',
  ),
  'unserved.yaml': readFileSync(
    'examples/platform/packages/example/provider-cloud@v0.9.0/.registry/resources/database.cloud.example.org/sqlinstance.crd.yaml',
    'utf8',
  ).replace('served: true', 'served: false'),
  'rivals/one/.keep': '',
  'rivals/other/.keep': '',
})
const at = (path: string) => join(folder, path)
for (const rival of ['one', 'other'])
  symlinkSync(fixture('cli-database'), at(`rivals/${rival}/database@v0.2.0`))

describe('package tree', () => {
  it.each(['text', 'json', 'yaml', 'dot', 'mermaid'])('shows a declaration as %s', async format => {
    const {status, stdout, stderr} = await tree(...PLATFORM, '-o', format)
    expect({status, rules: rulesIn(stderr)}).toEqual({
      status: 0,
      rules: ['assumed-crossplane', 'never-existed-group', 'owner-first-use', 'held-back'],
    })
    expectGolden(`tree-platform.${format}`, stdout)
  })

  it('leaves out the notes that a declaration acknowledges', async () => {
    const text = readFileSync('examples/platform/crossplane-packages.yaml', 'utf8')
    const acknowledged = `acknowledged:
  held-back: [example/provider-cloud:v0.11.0]
  never-existed-group: ["*.core.crossplane.io/v1alpha1"]
`
    writeTree(folder, {'acknowledged.yaml': `${text}${acknowledged}`})
    const {stdout, stderr} = await tree('--declaration', at('acknowledged.yaml'), ...PACKAGES)
    expect(rulesIn(stderr)).toEqual(['assumed-crossplane', 'owner-first-use'])
    expectGolden('tree-platform.text', stdout)
  })

  it.each([
    {name: 'a package alone', reason: 'the newest provider', in: APP, golden: 'tree-app.text'},
    {
      name: 'no levels',
      reason: 'omitted dependencies are marked',
      in: [...PLATFORM, '--depth', '0'],
      golden: 'tree-depth.text',
    },
    {
      name: 'a CRD',
      reason: 'the package that defines it is selected',
      in: ['crd:clusters.compute.cloud.example.org/v1beta1', ...PACKAGES],
      golden: 'tree-crd.text',
    },
    {
      name: 'a CRD by flag, from a folder that is its own place',
      reason: 'the same',
      in: ['--crd', 'clusters.compute.cloud.example.org/v1beta1', ...PACKAGES],
      golden: 'tree-crd.text',
    },
    {
      name: 'a cycle',
      reason: 'is legal and shown',
      in: ['x/a', '--packages', at('cycle')],
      golden: 'tree-cycle.text',
    },
    {
      name: 'a version that is accepted',
      reason: 'it is marked',
      in: [
        'crd:starters.stacks.example.org',
        'it',
        ...PACKAGES,
        '--allow-version-mismatch',
        '--assume',
        'x.y.org',
      ],
      golden: 'tree-starter.text',
    },
  ])('$name: $reason', async ({in: args, golden}) => {
    const {status, stdout} = await tree(...args)
    expect(status).toBe(0)
    expectGolden(golden, stdout)
  })

  it.each([
    {
      name: 'unsatisfied requirements',
      reason: 'the rest is shown, and unreadable packages are reported',
      in: ['x/a:v1.0.0', '--packages', at('broken')],
      want: {status: 3, unsatisfied: 2, code: 'unresolvable'},
    },
    {
      name: 'several owners',
      reason: 'the user must select the owner',
      in: ['--crd', 'instances.database.example.org', '--packages', at('rivals')],
      want: {status: 3, unsatisfied: 1, code: 'ambiguous-owner'},
    },
    {
      name: 'two versions of one package',
      reason: 'the second is unsatisfied',
      in: [...PLATFORM, '--owner', 'database.cloud.example.org=example/app-press'],
      want: {status: 3, unsatisfied: 3, code: 'unresolvable'},
    },
  ])('$name: $reason', async ({in: args, want}) => {
    const text = await tree(...args)
    const {status, stderr} = await tree(...args, '-o', 'json')
    const {code} = JSON.parse(stderr) as {code: string}
    expect({status, code, unsatisfied: text.stdout.match(/UNSATISFIED/g)?.length}).toEqual(want)
  })

  it('marks CRDs as assumed by name or file', async () => {
    const named = [
      '--assume',
      'sqlinstances.database.cloud.example.org/v1alpha1',
      '--assume',
      'clusters.compute.cloud.example.org',
    ]
    const byName = await tree(...APP, ...named)
    const byFile = await tree(
      ...APP,
      '--assume',
      at('there.yaml'),
      '--assume',
      'clusters.compute.cloud.example.org',
    )
    expect(byName.stdout).toBe(byFile.stdout)
    expectGolden('tree-assumed.text', byName.stdout)
  })

  it('includes no kinds of a current Crossplane', async () => {
    const {status, stderr} = await tree(...APP, '--crossplane-version', 'none')
    expect({status, rules: rulesIn(stderr)}).toEqual({
      status: 3,
      rules: ['requirement-path', 'crossplane-version'],
    })
  })

  it.each([
    {name: 'no package', reason: 'a package is required', in: []},
    {name: 'a package and a declaration', reason: 'two answers', in: ['a/b', ...PLATFORM]},
    {name: 'a package and a CRD', reason: 'two answers', in: ['a/b', '--crd', 'a.b.org']},
    {name: 'no duration', reason: 'it has a unit', in: [...APP, '--solve-timeout', '5']},
    {name: 'no release', reason: 'it is a version', in: [...APP, '--crossplane-version', 'newest']},
    {name: 'no assumption', reason: 'neither CRD nor file', in: [...APP, '--assume', 'x']},
    {name: 'no owner', reason: 'GROUP=PACKAGE', in: [...APP, '--owner', 'a.org']},
    {
      name: 'an owner with a version',
      reason: 'it is trusted in any',
      in: [...APP, '--owner', 'a.org=a/b:v1'],
    },
    {name: 'no CRD', reason: 'it has a group', in: ['--crd', 'x', ...PACKAGES]},
    {
      name: 'a Namespaced package without a place',
      reason: 'unknown offline',
      in: ['example/app-press', ...PACKAGES],
    },
  ])('$name: $reason', async ({in: args}) => {
    expect((await tree(...args)).status).toBe(2)
  })

  it('rejects a file with a CRD that is served in no version', async () => {
    const {status, stderr} = await tree(...APP, '--assume', at('unserved.yaml'), '-o', 'json')
    expect({status, code: (JSON.parse(stderr) as {code: string}).code}).toEqual({
      status: 1,
      code: 'input-invalid',
    })
  })
})

describe('package why', () => {
  const why = (...args: readonly string[]) => runCli('package', 'why', ...args)

  it.each([
    {name: 'a package', in: ['example/provider-cloud', ...PLATFORM], golden: 'why-provider.text'},
    {
      name: 'a CRD',
      in: ['sqlinstances.database.cloud.example.org/v1beta1', ...PLATFORM],
      golden: 'why-provider.text',
    },
    {
      name: 'a CRD with its prefix',
      in: ['crd:clusters.compute.cloud.example.org', ...PLATFORM],
      golden: 'why-provider.text',
    },
    {name: 'the requested package', in: ['example/app-press', ...APP], golden: 'why-app.text'},
  ])('explains $name', async ({in: args, golden}) => {
    const {status, stdout} = await why(...args)
    expect(status).toBe(0)
    expectGolden(golden, stdout)
  })

  it('prints JSON', async () => {
    const {stdout} = await why('example/provider-cloud', ...APP, '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'InstallReasons',
      package: 'example/provider-cloud',
      tag: 'v0.11.0',
      installs: ['crossplane-system/example-provider-cloud'],
    })
  })

  it.each([
    {name: 'a package that is not in the tree', in: ['example/other', ...APP], want: 1},
    {name: 'a CRD that no package provides', in: ['crd:a.b.org', ...APP], want: 1},
    {name: 'packages that cannot be resolved', in: ['x/a', 'x/a', '--packages', at('broken')], want: 3},
  ])('exits with $want for $name', async ({in: args, want}) => {
    expect((await why(...args)).status).toBe(want)
  })
})

describe('package provides', () => {
  const provides = (...args: readonly string[]) => runCli('package', 'provides', ...args)

  it.each([
    {name: 'a kind', in: 'sqlinstances.database.cloud.example.org', golden: 'provides-kind.text'},
    {
      name: 'a kind in a version',
      in: 'crd:sqlinstance.database.cloud.example.org/v1beta1',
      golden: 'provides-version.text',
    },
    {name: 'a group', in: '*.compute.cloud.example.org', golden: 'provides-group.text'},
  ])('lists the owners of $name', async ({in: crd, golden}) => {
    const {status, stdout, stderr} = await provides(crd, ...PACKAGES)
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    expectGolden(golden, stdout)
  })

  it('exits with 1 if no package owns it, and lists unreadable packages', async () => {
    const {status, stdout, stderr} = await provides('a.b.org', '--packages', at('broken'), '-o', 'json')
    expect({status, rules: rulesIn(stderr)}).toEqual({
      status: 1,
      // A version, and a folder whose path is not a repository.
      rules: ['unreadable-package', 'unreadable-package'],
    })
    expect(JSON.parse(stdout)).toMatchObject({kind: 'Providers', crd: 'a.b.org', providers: []})
  })

  it('requires a folder or an index', async () => {
    expect((await provides('a.b.org')).status).toBe(2)
  })
})

describe('package render with dependencies', () => {
  const render = (...args: readonly string[]) => runCli('package', 'render', ...args)
  const identities = (stream: string, kind: string) =>
    objectsIn(stream)
      .map(identityOf)
      .filter(identity => identity.startsWith(`${kind} `))

  it('prints one set, dependencies first, in which shared CRDs have all claims', async () => {
    const {status, stdout} = await render(...PLATFORM)
    expect(status).toBe(0)
    expect(identities(stdout, 'Package')).toEqual([
      'Package crossplane-system/example-provider-cloud',
      'Package team-a/example-app-press',
      'Package crossplane-system/example-stack-starter',
      'Package crossplane-system/example-addon-backup',
    ])
    expect(identities(stdout, 'CustomResourceDefinition')).toHaveLength(5)
  })

  it('prints the same as all packages rendered alone', async () => {
    const whole = objectsIn((await render(...APP)).stdout)
    const app = objectsIn((await render(...APP, '--no-dependencies')).stdout)
    const provider = objectsIn((await render('example/provider-cloud:v0.11.0', ...PACKAGES)).stdout)
    const sorted = (objects: readonly object[]) => objects.map(each => JSON.stringify(each)).sort()
    expect(sorted(whole)).toEqual(sorted([...app, ...provider]))
  })

  it('applies parameters of the declaration to the named packages only', async () => {
    const declaration = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
systemNamespace: infra
packages:
- package: example/app-press
  namespace: team-a
  name: press
  parameters: {imagePullSecrets: [regcred], imagePullPolicy: Never, source: r.example.org}
`
    const file = join(writeTree(at('declared'), {'platform.yaml': declaration}), 'platform.yaml')
    const {status, stdout} = await render('--declaration', file, ...PACKAGES)
    const pods = objectsIn(stdout)
      .filter(({kind}) => kind === 'Deployment')
      .map(object => {
        const {spec} = object as unknown as {
          spec: {template: {spec: {imagePullSecrets?: object[]; containers: {image: string}[]}}}
        }
        const {imagePullSecrets, containers} = spec.template.spec
        return {of: identityOf(object), imagePullSecrets, image: containers[0]?.image}
      })
    expect({status, pods}).toEqual({
      status: 0,
      pods: [
        {of: 'Deployment infra/example-provider-cloud-controller', image: 'example/provider-cloud:v0.11.0'},
        {
          of: 'Deployment team-a/press-controller',
          imagePullSecrets: [{name: 'regcred'}],
          image: 'r.example.org/crossplane/templating-controller:v0.4.0',
        },
      ],
    })
  })

  it('accepts a local package with dependencies', async () => {
    cpSync('examples/platform/packages/example/app-press@v0.1.0', at('local/press'), {recursive: true})
    const local = [at('local/press'), '--as-package', 'example/app-press:v0.1.0', '-n', 'team-a']
    expect((await render(...local, ...PACKAGES)).stdout).toBe((await render(...APP)).stdout)
  })

  it('names packages in warnings, because each has an app.yaml', async () => {
    const {stderr} = await render(...PLATFORM)
    expect(stderr).not.toMatch(/^Warning: \.registry/m)
  })

  it('keeps the registry of the reference that the user gave', async () => {
    const {status, stdout} = await render('registry.example.org/example/provider-cloud', ...PACKAGES)
    expect({status, image: /image: (.*)/.exec(stdout)?.[1]}).toEqual({
      status: 0,
      image: 'registry.example.org/example/provider-cloud:v0.11.0',
    })
  })

  it.each([
    {name: 'a declaration and -f', in: [...PLATFORM, '-f', 'x.yaml'], want: 2},
    {name: 'a declaration and --no-dependencies', in: [...PLATFORM, '--no-dependencies'], want: 2},
    {
      name: 'an index and --no-dependencies',
      in: [...APP, '--no-dependencies', '--index', './x.jsonl'],
      want: 2,
    },
    {name: 'a declaration and -n', in: [...PLATFORM, '-n', 'x'], want: 2},
    {name: 'a declaration and a parameter', in: [...PLATFORM, '--source', 'x.org'], want: 2},
    {name: 'a missing declaration', in: ['--declaration', at('none.yaml'), ...PACKAGES], want: 1},
    {name: 'requirements that no package satisfies', in: ['x/a', '--packages', at('broken')], want: 3},
  ])('exits with $want for $name', async ({in: args, want}) => {
    const {status, stdout} = await render(...args)
    expect({status, stdout}).toEqual({status: want, stdout: ''})
  })
})
