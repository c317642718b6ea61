import {describe, expect, it} from '@jest/globals'
import {mkdtempSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {fixture} from './fixtures.js'
import {codeOf, rulesIn} from './locked-world.js'
import {identityOf, objectsIn} from './printed-objects.js'

const folder = temporaryFolder()
const PACKAGES = ['--packages', 'examples/platform/packages']
const CRD = 'schedules.backup.example.org/v1'

/** A request, in a file of its own, to be given with -f. */
function request(
  spec: string,
  {kind = 'ClusterPackageInstall', name = 'backup', place = 'infra'} = {},
): string[] {
  const metadata = `{name: ${name}, ${place === '' ? '' : `namespace: ${place}, `}labels: {team: a}}`
  const text = `apiVersion: packages.crossplane.io/v1alpha1\nkind: ${kind}\nmetadata: ${metadata}\nspec: ${spec}\n`
  return ['-f', join(writeTree(mkdtempSync(join(folder, 'request-')), {'a.yaml': text}), 'a.yaml')]
}

const render = (...args: readonly string[]) => runCli('package', 'render', ...args)

async function objects(...args: readonly string[]) {
  const {status, stdout, stderr} = await render(...args)
  expect({status, errors: status === 0 ? '' : stderr}).toEqual({status: 0, errors: ''})
  return objectsIn(stdout)
}

describe('-f with a request for a CRD', () => {
  it('renders the package that owns it with its dependencies', async () => {
    const asked = request(`{crd: ${CRD}}`)
    const found = await objects(...asked, ...PACKAGES)
    const named = ['example/addon-backup', 'backup', '-n', 'infra', ...PACKAGES]
    expect(found.map(identityOf)).toEqual((await objects(...named, '--no-dependencies')).map(identityOf))
    const all = await objects(...named)
    expect(all).toEqual(expect.arrayContaining(found))
  })

  it('reports the selected package and its unrendered dependencies', async () => {
    const {stderr} = await render(...request(`{crd: ${CRD}}`), ...PACKAGES)
    expect(rulesIn(stderr)).toEqual(expect.arrayContaining(['owner-first-use', 'not-requested']))
    expect(stderr).toContain(
      'example/provider-cloud:v0.11.0 as crossplane-system/example-provider-cloud, required by infra/backup, is not rendered',
    )
  })

  it('--include-request shows it unchanged', async () => {
    const asked = request(`{crd: ${CRD}, source: registry.example.org, imagePullPolicy: Always}`)
    const found = await objects(...asked, ...PACKAGES, '--include-request')
    expect(found.filter(({kind}) => kind === 'ClusterPackageInstall')).toEqual([
      {
        apiVersion: 'packages.crossplane.io/v1alpha1',
        kind: 'ClusterPackageInstall',
        metadata: {name: 'backup', namespace: 'infra', labels: {team: 'a'}},
        spec: {crd: CRD, source: 'registry.example.org', imagePullPolicy: 'Always'},
      },
    ])
  })

  it('has the same namespace as a request for a package', async () => {
    const placed = async (...args: readonly string[]) =>
      (await objects(...args, ...PACKAGES)).filter(({kind}) => kind === 'Package').map(identityOf)
    const asked = request(`{crd: ${CRD}}`, {place: ''})
    expect(await placed(...asked)).toEqual(['Package crossplane-system/backup'])
    expect(await placed(...asked, '--system-namespace', 'infra')).toEqual(['Package infra/backup'])
    expect(await placed(...asked, '-n', 'team-a')).toEqual(['Package team-a/backup'])
  })

  it('can be combined with requests for packages, in the order of the files', async () => {
    const [one, other] = [
      request('{package: "example/provider-cloud:v0.10.0"}', {name: 'cloud'}),
      request(`{crd: ${CRD}}`),
    ]
    const found = await objects(...one, ...other, ...PACKAGES)
    expect(found.filter(({kind}) => kind === 'Package').map(identityOf)).toEqual([
      'Package infra/cloud',
      'Package infra/backup',
    ])
  })
})

for (const rival of ['one', 'other']) {
  writeTree(join(folder, 'rivals', rival), {'.keep': ''})
  symlinkSync(fixture('cli-database'), join(folder, 'rivals', rival, 'database@v0.2.0'))
}
// The requirements of the database are assumed to exist.
const RIVALS = ['--packages', join(folder, 'rivals'), '--assume', '*.network.example.org']
const DATABASE = '{crd: instances.database.example.org}'

describe('the owner of a requested CRD', () => {
  it.each([
    {name: 'one', image: 'one/database:v0.2.0'},
    {name: 'other', image: 'other/database:v0.2.0'},
  ])('is the trusted one: $name', async ({name, image}) => {
    const {status, stdout} = await render(
      ...request(DATABASE),
      ...RIVALS,
      '--owner',
      `database.example.org=${name}/database`,
    )
    expect(status).toBe(0)
    expect(stdout).toContain(`image: ${image}\n`)
  })

  it.each([
    {
      name: 'several own it',
      in: [...request(DATABASE), ...RIVALS],
      want: {status: 3, code: 'ambiguous-owner'},
    },
    {
      name: 'no package provides it',
      in: [...request('{crd: nothing.database.example.org}'), ...RIVALS],
      want: {status: 3, code: 'unresolvable'},
    },
    {
      name: 'no place to look',
      in: request(DATABASE),
      want: {status: 2, code: 'usage', suggestion: '--packages'},
    },
    {
      name: 'it exists without a package',
      in: [...request(DATABASE), ...RIVALS, '--assume', 'instances.database.example.org'],
      want: {status: 2, code: 'usage', suggestion: 'spec.package'},
    },
    {
      name: 'a request of the other kind',
      in: [...request(`{crd: ${CRD}}`, {kind: 'PackageInstall'}), ...PACKAGES],
      want: {status: 2, code: 'scope-mismatch', suggestion: 'ClusterPackageInstall'},
    },
    {
      name: 'no CRD',
      in: [...request('{crd: databases}'), ...RIVALS],
      want: {status: 1, code: 'input-invalid'},
    },
    {
      name: 'a requirement of its owner is not found',
      in: [...request(DATABASE), '--packages', join(folder, 'rivals/one')],
      want: {status: 3, code: 'unresolvable'},
    },
    {
      name: 'one Cluster package under two names',
      in: [
        ...request(DATABASE),
        ...request(DATABASE, {name: 'again'}),
        ...RIVALS,
        '--owner',
        'database.example.org=one/database',
      ],
      want: {status: 3, code: 'unresolvable'},
    },
  ])('$name: rejected', async ({in: args, want}) => {
    const {status, stdout, stderr} = await render(...args, '-o', 'json')
    expect({status, stdout, code: codeOf(stderr)}).toEqual({status: want.status, stdout: '', code: want.code})
    if (want.suggestion !== undefined) expect(stderr).toContain(want.suggestion)
  })
})
