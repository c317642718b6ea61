import {describe, expect, it} from '@jest/globals'
import {generateKeyPairSync} from 'node:crypto'
import {mkdtempSync, writeFileSync} from 'node:fs'
import {join, relative} from 'node:path'
import {startRegistry} from '../fakes/registry-server.js'
import {addXpkg} from '../fakes/xpkg-images.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {APP_YAML, owner, prefixed} from './locked-world.js'

const folder = temporaryFolder()
const API = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\n'
const CRD = owner('v1.0.0', 'as', 'v1')['x/as@v1.0.0/.registry/resources/a.crd.yaml'] ?? ''

/** One package that defines `as.x.example.org`, in a folder. */
const FORMATS: readonly {readonly format: string; readonly files: Readonly<Record<string, string>>}[] = [
  {
    format: '.registry/',
    files: {
      'app/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}`,
      'app/.registry/resources/a.crd.yaml': CRD,
    },
  },
  {
    format: 'xpkg',
    files: {
      'app/crossplane.yaml':
        'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: app}\nspec: {}\n',
      'app/crd.yaml': CRD,
    },
  },
]

function world(fields: string, files: Readonly<Record<string, string>>) {
  const root = writeTree(mkdtempSync(join(folder, 'owners-')), {
    ...files,
    'policy.yaml': `${API}kind: Policy\n${fields}`,
  })
  return (path: string) => join(root, path)
}

const lint = async (at: (path: string) => string, args: readonly string[]) =>
  await runCli('package', 'lint', at('app'), ...args, '--policy', at('policy.yaml'))

const judged = (status: number) => ({
  status,
  stderr:
    status === 0 ? expect.not.stringContaining('policy-owner') : expect.stringContaining('[policy-owner]'),
})

describe.each(FORMATS)('a folder with $format whose group a policy assigns', ({files}) => {
  const OWNERS = 'owners: {"*.example.org": registry.example.org/x/app}\n'

  it.each([
    {what: 'has no name', args: [], want: 0},
    {what: 'is the owner', args: ['--as-package', 'registry.example.org/x/app:v1.0.0'], want: 0},
    {
      what: 'has a name that ends alike',
      args: ['--as-package', 'ghcr.io/registry.example.org/x/app:v1.0.0'],
      want: 4,
    },
    {what: 'is from another registry', args: ['--as-package', 'ghcr.io/x/app:v1.0.0'], want: 4},
  ])('is linted with $want if it $what', async ({args, want}) => {
    const at = world(OWNERS, files)
    expect(await lint(at, args)).toMatchObject(judged(want))
  })

  it('is linted without a name whatever the sources are, also by a relative path', async () => {
    const at = world(`${OWNERS}sources: [quay.io]\n`, files)
    const path = `./${relative('.', at('app'))}`
    for (const reference of [path, at('app')])
      expect(await runCli('package', 'lint', reference, '--policy', at('policy.yaml'))).toMatchObject({
        status: 0,
      })
  })

  it('is tested as it is linted, and as the variables of a test are', async () => {
    const at = world(OWNERS, {
      ...files,
      'crds/crds.yaml': '- {name: as.x.example.org, group: x.example.org}\n',
      'other/crds.yaml': '- {name: as.x.example.org, group: x.example.org}\n',
      'other/pkg.yaml': 'repository: ghcr.io/other/x/app\n',
      'test.yaml': `${API}kind: PolicyTest\npolicy: policy.yaml\ncases:
- {name: a, package: ./app, expect: allowed}
- {name: b, package: ./app, asPackage: "registry.example.org/x/app:v1.0.0", expect: allowed}
- {name: c, package: ./app, asPackage: "ghcr.io/x/app:v1.0.0", expect: denied, rules: [policy-owner]}
- {name: d, folder: crds, expect: allowed}
- {name: e, folder: other, expect: denied, rules: [policy-owner]}
`,
    })
    expect(await runCli('policy', 'test', at('test.yaml'))).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('5 passed, 0 failed'),
    })
  })
})

describe('a folder whose group a policy assigns to a name without a registry', () => {
  it.each([
    {what: 'has that name', args: ['--as-package', 'x/app:v1.0.0'], want: 0},
    {what: 'has it on docker.io', args: ['--as-package', 'index.docker.io/x/app:v1.0.0'], want: 0},
    {what: 'has a name that ends alike', args: ['--as-package', 'ghcr.io/other/x/app:v1.0.0'], want: 4},
    {
      what: 'has it on the default source',
      args: ['--as-package', 'x/app:v1.0.0', '--default-source', 'registry.example.org/team'],
      want: 0,
    },
    {
      what: 'has it on docker.io, which is not the default source',
      args: ['--as-package', 'docker.io/x/app:v1.0.0', '--default-source', 'registry.example.org/team'],
      want: 4,
    },
  ])('is linted with $want if it $what', async ({args, want}) => {
    const at = world('owners: {"*.example.org": x/app}\n', FORMATS[0]?.files ?? {})
    expect(await lint(at, args)).toMatchObject(judged(want))
  })
})

describe('the owners of a policy', () => {
  it.each([
    {declared: 'x/as', defaultSource: 'registry.example.org', want: 0},
    {declared: 'registry.example.org/x/as', defaultSource: 'registry.example.org', want: 0},
    {declared: 'docker.io/x/as', defaultSource: 'registry.example.org', want: 4},
    {declared: 'docker.io/x/as', defaultSource: 'docker.io', want: 0},
  ])(
    'are those of a declaration with $declared and the default source $defaultSource: $want',
    async ({declared, defaultSource, want}) => {
      const at = world('owners: {x.example.org: x/as}\n', {
        ...prefixed('packages/', owner('v1.0.0', 'as', 'v1')),
        'crossplane-packages.yaml': `${API}kind: PackageDeclaration\npolicy: policy.yaml\ndefaultSource: ${defaultSource}\nowners: {x.example.org: ${declared}}\npackages:\n- package: x/as\n`,
      })
      const declaration = ['--declaration', at('crossplane-packages.yaml')]
      const run = await runCli('package', 'render', ...declaration, '--packages', at('packages'))
      expect(run).toMatchObject({status: want})
      if (want !== 0) expect(run.stderr).toContain('cannot use the owner docker.io/x/as of x.example.org')
    },
  )

  it('reject a record in a file that defines their CRDs', async () => {
    const at = world('', prefixed('packages/', owner('v1.0.0', 'as', 'v1')))
    writeFileSync(
      at('record.yaml'),
      `apiVersion: packages.crossplane.io/v1alpha1
kind: Package
metadata: {name: mine, namespace: team}
spec:
  apiVersion: packages.crossplane.io/v1alpha1
  permissionScope: Cluster
  customresourcedefinitions: [{apiVersion: x.example.org/v1, kind: AS}]
`,
    )
    const render = async (owners: string) => {
      writeFileSync(at('policy.yaml'), `${API}kind: Policy\nowners: {${owners}}\n`)
      const source = ['--packages', at('packages'), '--policy', at('policy.yaml')]
      return await runCli('package', 'render', '-f', at('record.yaml'), ...source)
    }
    expect(await render('y.example.org: x/as')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('name: as.x.example.org'),
    })
    expect(await render('x.example.org: x/as')).toMatchObject({
      status: 4,
      stderr: expect.stringContaining(
        'team/mine: CustomResourceDefinition as.x.example.org: x.example.org is assigned to x/as [policy-owner]',
      ),
    })
  })
})

describe('an image in the metadata, which a Crossplane before 2.0 runs', () => {
  const DIGEST = `sha256:${'1'.repeat(64)}`
  const metadata = (kind: string, spec: string) => ({
    'app/crossplane.yaml': `apiVersion: meta.pkg.crossplane.io/v1\nkind: ${kind}\nmetadata: {name: app}\nspec: ${spec}\n`,
  })

  it.each([
    {kind: 'Provider', spec: '{controller: {image: evil.example.org/x:v1}}', want: 4},
    {kind: 'Function', spec: '{image: evil.example.org/x:v1}', want: 4},
    {kind: 'Provider', spec: `{controller: {image: 'x/app@${DIGEST}'}}`, want: 0},
    {kind: 'Configuration', spec: '{controller: {image: evil.example.org/x:v1}}', want: 0},
    {kind: 'Provider', spec: '{}', want: 0},
  ])('is judged in a $kind with $spec', async ({kind, spec, want}) => {
    const at = world('reject: {imagesWithoutDigest: true}\n', metadata(kind, spec))
    const {status, stderr} = await lint(at, [])
    expect({status, stderr}).toEqual({
      status: want,
      stderr:
        want === 0
          ? expect.not.stringContaining('policy-image-digest')
          : expect.stringMatching(
              /the image "evil\.example\.org\/x:v1" of package-runtime has no digest \[policy-image-digest\]/,
            ),
    })
  })

  it.each([
    {path: 'signed/app', want: 4},
    {path: 'others/app', want: 0},
  ])('is verified as $path, for which a policy requires signatures: $want', async ({path, want}) => {
    const server = await startRegistry()
    try {
      const {publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
      const key = publicKey.export({type: 'spki', format: 'pem'}).toString()
      const provider = (spec: string) => metadata('Provider', spec)['app/crossplane.yaml']
      addXpkg(server, 'x/a', 'v1.0.0', provider(`{controller: {image: '${server.host}/${path}:v1'}}`))
      addXpkg(server, 'signed/app', 'v1', provider('{}'))
      const rule = {repositories: [`${server.host}/signed`], signers: [{key}]}
      const at = world(`signatures: [${JSON.stringify(rule)}]\n`, {})
      const args = ['--policy', at('policy.yaml'), '--cache-dir', at('cache')]
      const {status, stderr} = await runCli('package', 'render', `${server.host}/x/a:v1.0.0`, ...args)
      expect({status, stderr}).toEqual({
        status: want,
        stderr: want === 0 ? expect.anything() : expect.stringContaining(`${server.host}/signed/app`),
      })
    } finally {
      await server.close()
    }
  })
})
