import {readFileSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const temporary = temporaryFolder()
const at = (path: string) => join(temporary, path)
const init = (...args: readonly string[]) => runCli('package', 'init', ...args)
const read = (path: string) => readFileSync(at(path), 'utf8')

const crd = (kind: string, plural: string, scope: string) => `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.14.0
  creationTimestamp: null
  name: ${plural}.shop.example.org
spec:
  group: shop.example.org
  names: {kind: ${kind}, listKind: ${kind}List, plural: ${plural}, singular: ${kind.toLowerCase()}}
  scope: ${scope}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer}
    subresources: {status: {}}
status:
  acceptedNames: {kind: "", plural: ""}
  conditions: []
  storedVersions: []
`
const MANAGER = `apiVersion: v1
kind: Namespace
metadata: {name: system}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: controller-manager}
spec:
  template:
    spec:
      containers:
      - {name: manager, image: "controller:latest", command: [/manager], args: [--leader-elect]}
`
const KUSTOMIZATION = `resources: [manager.yaml]
images:
- {name: controller, newName: registry.example.org/shop/controller, newTag: "1.0"}
`

writeTree(temporary, {
  'project/config/crd/kustomization.yaml': 'resources: [bases/a.yaml]\n',
  'project/config/crd/bases/a.yaml': crd('Policy', 'policies', 'Namespaced'),
  'project/config/crd/bases/b.yaml': crd('Person', 'people', 'Namespaced') + crd('Shop', 'shops', 'Cluster'),
  'project/config/manager/manager.yaml': MANAGER,
  'project/config/manager/kustomization.yaml': KUSTOMIZATION,
  'made/crd/a.yaml': crd('Policy', 'policies', 'Namespaced'),
  'made/manager/manager.yaml': MANAGER,
  'twice/a.yaml': crd('Policy', 'policies', 'Namespaced') + crd('Policy', 'policies', 'Namespaced'),
  'none/a.yaml': 'kind: ConfigMap\n',
  'faulty/a.yaml': 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: 5\n',
})

/** What lint finds, the version of what is built, and whether that renders as the folder does. */
async function lifeOf(folder: string): Promise<unknown> {
  const linted = await runCli('package', 'lint', folder, '--strict')
  const built = await runCli('package', 'build', `oci:${folder}-image`, folder, '-o', 'json')
  const {target} = JSON.parse(built.stdout) as {target: string}
  const args = ['--as-package', 'example/a', '-n', 'team-a', '--no-pin']
  const [want, got] = [
    await runCli('package', 'render', folder, ...args),
    await runCli('package', 'render', target, ...args),
  ]
  return {found: linted.stdout, lint: linted.status, render: want.status, same: got.stdout === want.stdout}
}
const GOOD = {found: '', lint: 0, render: 0, same: true}

describe('package init', () => {
  it.each([
    {name: 'by default', args: [], files: ['app.yaml', 'install.yaml']},
    {name: 'without a controller', args: ['--no-controller'], files: ['app.yaml']},
    {
      name: 'with a scope and an odd title',
      args: ['--scope', 'Cluster', '--title', 'yes: "no" #'],
      files: ['app.yaml', 'install.yaml'],
    },
  ])('begins a package that lints, builds and renders $name', async ({name, args, files}) => {
    const folder = at(`new/${name.replaceAll(' ', '-')}`)
    const {status, stdout} = await init(folder, ...args)
    expect({status, stdout}).toEqual({status: 0, stdout: files.map(each => `.registry/${each}\n`).join('')})
    expect(await lifeOf(folder)).toEqual(GOOD)
  })

  it('makes a package of a kubebuilder project', async () => {
    const {status, stdout} = await init(at('project'), '--from-crds', at('project/config/crd'), '-o', 'json')
    const {written} = JSON.parse(stdout) as {written: readonly string[]}
    const files = ['policy/policy', 'person/person', 'shop/shop'].flatMap(each => [
      `${each}.crd.yaml`,
      `${each}.resource.yaml`,
    ])
    expect({status, written}).toEqual({
      status: 0,
      written: [
        ...[
          '.registry/app.yaml',
          '.registry/install.yaml',
          '.registry/resources/shop.example.org/group.yaml',
        ],
        ...files.map(each => `.registry/resources/shop.example.org/${each}`),
      ],
    })
    expect(read('project/.registry/app.yaml')).toMatch(
      /^title: Project$[^]*^version: '1\.0'$[^]*^permissionScope: Cluster$/m,
    )
    expect(read('project/.registry/install.yaml')).toContain(
      'image: registry.example.org/shop/controller:1.0\n',
    )
    expect(read('project/.registry/install.yaml')).not.toContain('leader-elect')
    expect(read('project/.registry/resources/shop.example.org/policy/policy.resource.yaml')).toContain(
      'titlePlural: Policies',
    )
    expect(read('project/.registry/resources/shop.example.org/person/person.resource.yaml')).toContain(
      'titlePlural: People',
    )
    expect(read('project/.registry/resources/shop.example.org/shop/shop.crd.yaml')).not.toMatch(
      /status:\n {2}accepted|creationTimestamp/,
    )
    expect(await lifeOf(at('project'))).toEqual(GOOD)
  })

  it.each([
    {
      name: 'the folder of CRDs itself',
      from: 'project/config/crd/bases',
      image: 'image: registry.example.org/shop/controller:1.0',
    },
    {name: 'a manager whose image nobody can pull', from: 'made/crd', image: undefined},
    {name: 'no manager', from: 'new/crds-alone', image: undefined},
  ])('takes $name', async ({name, from, image}) => {
    if (from.startsWith('new')) writeTree(at(from), {'a.yaml': crd('Policy', 'policies', 'Namespaced')})
    const folder = `taken/${name.replaceAll(' ', '-')}`
    expect((await init(at(folder), '--from-crds', at(from))).status).toBe(0)
    const images = /image: .*/.exec(read(`${folder}/.registry/install.yaml`))?.[0]
    expect(images).toBe(image)
    expect(await lifeOf(at(folder))).toEqual(GOOD)
  })

  it('overwrites nothing, and writes nothing beside it', async () => {
    writeTree(at('present'), {'.registry/install.yaml': 'mine'})
    const {status, stderr} = await init(at('present'))
    expect({status, stderr, files: readdirSync(at('present/.registry'))}).toEqual({
      status: 5,
      stderr: expect.stringContaining('.registry/install.yaml'),
      files: ['install.yaml'],
    })
    expect(read('present/.registry/install.yaml')).toBe('mine')
  })

  it.each([
    {name: 'a name that is none', args: ['--name', 'My Provider'], want: {status: 2, code: 'usage'}},
    {
      name: 'a scope that a CRD does not fit',
      args: ['--scope', 'Namespaced', '--from-crds', at('project/config/crd')],
      want: {status: 2, code: 'usage'},
    },
    {name: 'no such folder', args: ['--from-crds', at('nowhere')], want: {status: 1, code: 'not-found'}},
    {name: 'a folder without CRDs', args: ['--from-crds', at('none')], want: {status: 1, code: 'not-found'}},
    {name: 'a CRD twice', args: ['--from-crds', at('twice')], want: {status: 1, code: 'input-invalid'}},
    {name: 'a faulty CRD', args: ['--from-crds', at('faulty')], want: {status: 1, code: 'input-invalid'}},
  ])('refuses $name', async ({args, want}) => {
    const {status, stderr} = await init(at('never'), ...args, '-o', 'json')
    expect({status, code: (JSON.parse(stderr) as {code: string}).code}).toEqual(want)
    expect(readdirSync(temporary)).not.toContain('never')
  })
})
