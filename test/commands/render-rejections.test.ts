import {describe, expect, it} from '@jest/globals'
import {mkdirSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {DATABASE, fixture} from './fixtures.js'

const folder = temporaryFolder()
const packages = join(folder, 'packages')
mkdirSync(join(packages, 'example'), {recursive: true})
symlinkSync(fixture('cli-database'), join(packages, 'example', 'cli-database@v0.2.0'))
symlinkSync(fixture('cli-broken'), join(packages, 'example', 'cli-broken@v0.1.0'))
const latest = writeTree(join(folder, 'latest'), {'example/app@latest/.registry/app.yaml': ''})

const API = 'packages.crossplane.io/v1alpha1'
const request = (name: string, spec: string, kind = 'ClusterPackageInstall') =>
  `apiVersion: ${API}\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: ${spec}\n`
const wanting = (group: string, kind: string) =>
  `apiVersion: ${API}\nkind: Package\nmetadata: {name: a, namespace: b}\nspec: {version: v1, customresourcedefinitions: [{apiVersion: ${group}/v1beta1, kind: ${kind}}]}\n`

let files = 0
function file(content: string): string {
  files += 1
  writeTree(folder, {[`${files}.yaml`]: content})
  return join(folder, `${files}.yaml`)
}

/** Status, code and what else a failure says, as JSON has it. */
async function failureOf(...args: readonly string[]) {
  const {status, stderr, stdout} = await runCli('package', 'render', ...args, '-o', 'json')
  const error = JSON.parse(stderr === '' ? '{}' : stderr.slice(stderr.indexOf('{'))) as {
    code?: string
    message?: string
    faults?: readonly {rule: string; message: string}[]
  }
  return {
    status,
    stdout,
    code: error.code,
    faults: error.faults?.map(({rule}) => rule),
    message: error.message,
  }
}

const badCrd = (kind: string, plural: string, schema: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: ${kind}, plural: ${plural}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: ${schema}
`
const rejected = writeTree(join(folder, 'rejected'), {
  '.registry/app.yaml': 'title: Rejected\npermissionScope: Cluster\n',
  '.registry/a.crd.yaml': badCrd('Alpha', 'alphas', '{type: object, nullable: true, pattern: "(?=a)"}'),
  '.registry/b.crd.yaml': `${badCrd('Beta', 'betas', '{type: object}')}---\n${badCrd('Gamma', 'gammas', '{}')}`,
})

describe('CRDs that an API server rejects', () => {
  it.each(['render', 'inspect'])('are all reported with file and line by %s', async command => {
    const {status, stderr} = await runCli('package', command, rejected, '--as-package', 'example/a:v1')
    expect({status, lines: stderr.match(/\.registry\/\w\.crd\.yaml:\d+/g)}).toEqual({
      status: 1,
      lines: ['.registry/a.crd.yaml:16', '.registry/b.crd.yaml:33'],
    })
  })
})

describe('render rejects before it writes anything', () => {
  it.each([
    {
      name: 'an empty file',
      args: ['-f', file('# nothing\n')],
      want: {status: 1, code: 'input-invalid', faults: ['input-empty']},
    },
    {
      name: 'a source that is a URL',
      args: [...DATABASE, '--source', 'http://r.io'],
      want: {status: 2, code: 'usage', faults: ['request']},
    },
    {
      name: 'a secret that cannot be',
      args: [...DATABASE, '--image-pull-secret', 'Bad!'],
      want: {status: 2, code: 'usage', faults: ['request']},
    },
    {
      name: 'a namespace that cannot be, with -f',
      args: [
        '-f',
        file(request('a', '{package: example/cli-database:v0.2.0}')),
        '-n',
        'Kube_System!',
        '--packages',
        packages,
      ],
      want: {status: 2, code: 'usage', faults: []},
    },
    {
      name: 'a request for a CRD without a provider',
      args: ['-f', file(request('a', '{crd: a.example.org/v1}')), '--packages', packages],
      want: {status: 3, code: 'unresolvable', faults: ['missing-group', 'unreadable-candidate']},
    },
    {
      name: 'a request of the other scope',
      args: [
        '-f',
        file(request('a', '{package: example/cli-database:v0.2.0}', 'PackageInstall')),
        '-n',
        'b',
        '--packages',
        packages,
      ],
      want: {status: 2, code: 'scope-mismatch', faults: []},
    },
    {
      name: 'a record whose CRD is not found: unreadable packages are listed',
      args: ['-f', file(wanting('nowhere.example.org', 'Nothing')), '--packages', packages],
      want: {status: 1, code: 'input-invalid', faults: ['package-unreadable']},
    },
    {
      name: 'a missing folder of packages',
      args: ['a:v1', '--packages', '/nonexistent'],
      want: {status: 1, code: 'not-found', faults: []},
    },
    {
      name: 'latest alone',
      args: ['example/app', '--packages', latest, '--offline'],
      want: {status: 1, code: 'offline', faults: []},
    },
    {
      name: 'no folder to look in',
      args: ['example/app:v1', '--offline'],
      want: {status: 1, code: 'offline', faults: []},
    },
    {
      name: 'an identity for what has one',
      args: ['example/app:v1', '--as-package', 'a/b:v1', '--packages', latest],
      want: {status: 2, code: 'usage', faults: []},
    },
    {
      name: 'v1beta1 for a Kubernetes without it',
      args: [...DATABASE, '--crd-version', 'v1beta1', '--kube-version', '1.36'],
      want: {status: 2, code: 'usage', faults: []},
    },
    {
      name: 'no version of Kubernetes',
      args: [...DATABASE, '--kube-version', 'new'],
      want: {status: 2, code: 'usage', faults: []},
    },
  ])('$name', async ({args, want}) => {
    const {status, code, faults, stdout} = await failureOf(...args)
    expect({status, code, faults, stdout}).toEqual({...want, stdout: ''})
  })
})

describe('objects shared by several installs', () => {
  const both = file(
    `${request('db', '{package: example/cli-database:v0.2.0}')}---\n${wanting('x.example.org', 'None').replace(/customresourcedefinitions: .*\]/, 'permissionScope: Namespaced')}`,
  )

  it('include one namespace, managed if one of them is Namespaced', async () => {
    const {status, stdout} = await runCli(
      ...['package', 'render', '-f', both, '-n', 'b', '--packages', packages, '--create-namespace'],
    )
    expect({status, namespaces: stdout.match(/^kind: Namespace$/gm)?.length}).toEqual({
      status: 0,
      namespaces: 1,
    })
    expect(stdout).toContain("rbac.crossplane.io/managed-roles: 'true'")
  })

  it('include the system namespace for a Cluster request without a namespace', async () => {
    const {status, stdout} = await runCli(
      ...['package', 'render', '-f', file(request('db', '{package: example/cli-database:v0.2.0}'))],
      ...['--packages', packages, '--system-namespace', 'sys'],
    )
    expect({status, inSystem: /namespace: sys$/m.test(stdout)}).toEqual({status: 0, inSystem: true})
  })

  it('include the record of a definition, also if both are given', async () => {
    const template = [fixture('cli-template'), '--as-package', 'example/cli-template:v1', '-n', 'team']
    const {stdout} = await runCli('package', 'render', ...template)
    const documents = stdout
      .split(/^---$/m)
      .filter(text => /^kind: (?:StackDefinition|Package|CustomResource)/m.test(text))
    const {status, stdout: again} = await runCli('package', 'render', '-f', file(documents.join('---')))
    expect({status, same: again === stdout}).toEqual({status: 0, same: true})
  })
})

describe('--crd-version and --kube-version', () => {
  it.each([
    {args: [], want: 'v1'},
    {args: ['--kube-version', '1.15'], want: 'v1beta1'},
    {args: ['--kube-version', 'v1.20.2'], want: 'v1'},
    {args: ['--crd-version', 'v1beta1'], want: 'v1beta1'},
    {args: ['--crd-version', 'v1beta1', '--kube-version', '1.20'], want: 'v1beta1'},
  ])('$args: $want', async ({args, want}) => {
    const {stdout} = await runCli('package', 'render', ...DATABASE, ...args)
    expect({v1beta1: stdout.includes('apiextensions.k8s.io/v1beta1')}).toEqual({v1beta1: want === 'v1beta1'})
  })
})
