import {mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import {asObject} from '../../src/yaml/json-value.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const temporary = temporaryFolder()
const at = (path: string) => join(temporary, path)
const init = (...args: readonly string[]) => runCli('package', 'init', ...args)
const read = (path: string) => readFileSync(at(path), 'utf8')

const crd = (kind: string, plural: string, scope: string, group = 'shop.example.org') => `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.14.0
  creationTimestamp: null
  name: ${plural}.${group}
spec:
  group: ${group}
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
      - name: manager
        image: controller:latest
        command: [/manager]
        args: [--leader-elect, --health-probe-bind-address=:8081]
        env: [{name: LOG_LEVEL, value: info}]
        livenessProbe: {httpGet: {path: /healthz, port: 8081}}
        resources: {limits: {cpu: 500m, memory: 128Mi}}
        securityContext: {allowPrivilegeEscalation: false}
        volumeMounts: []
      - {name: proxy, image: "registry.example.org/proxy:v1"}
      securityContext: {runAsNonRoot: true}
      serviceAccountName: controller-manager
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
  'kinds/a.yaml': crd('Policy', 'policies', 'Namespaced') + crd('POLICY', 'polices', 'Namespaced'),
  'none/a.yaml': 'kind: ConfigMap\n',
  'faulty/a.yaml': 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: 5\n',
})

/** What lint finds, the version of what is built, and whether that renders as the folder does. */
async function lifeOf(folder: string): Promise<unknown> {
  const linted = await runCli('package', 'lint', folder, '--strict')
  const built = await runCli('package', 'build', `oci:${folder}-image`, folder, '-o', 'json')
  const {target} = JSON.parse(built.stdout) as {target: string}
  const args = ['--as-package', 'example/a', '-n', 'team-a', '--no-pin-image']
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
      name: 'with a scope and an unusual title',
      args: ['--scope', 'Cluster', '--title', 'yes: "no" #'],
      files: ['app.yaml', 'install.yaml'],
    },
  ])('creates a package that lints, builds and renders $name', async ({name, args, files}) => {
    const folder = at(`new/${name.replaceAll(' ', '-')}`)
    const {status, stdout} = await init(folder, ...args)
    expect({status, stdout}).toEqual({
      status: 0,
      stdout: files.map(each => `${folder}/.registry/${each}\n`).join(''),
    })
    expect(await lifeOf(folder)).toEqual(GOOD)
  })

  it('creates a package from a kubebuilder project', async () => {
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
    {name: 'a manager with a placeholder image', from: 'made/crd', image: undefined},
    {name: 'no manager', from: 'new/crds-alone', image: undefined},
  ])('accepts $name', async ({name, from, image}) => {
    if (from.startsWith('new')) writeTree(at(from), {'a.yaml': crd('Policy', 'policies', 'Namespaced')})
    const folder = `taken/${name.replaceAll(' ', '-')}`
    expect((await init(at(folder), '--from-crds', at(from))).status).toBe(0)
    const images = /image: .*/.exec(read(`${folder}/.registry/install.yaml`))?.[0]
    expect(images).toBe(image)
    expect(await lifeOf(at(folder))).toEqual(GOOD)
  })

  it('keeps the settings of the controller that a package can have, and reports the others', async () => {
    const from = ['--from-crds', at('project/config/crd')]
    const {stderr} = await init(at('settings'), ...from)
    const [deployment] = readYaml(Buffer.from(read('settings/.registry/install.yaml')), 'install.yaml')
    const podSpec = asObject(asObject(asObject(asObject(deployment?.value).spec).template).spec)
    expect(podSpec.containers).toEqual([
      {
        name: 'controller',
        image: 'registry.example.org/shop/controller:1.0',
        command: ['/manager'],
        args: ['--health-probe-bind-address=:8081'],
        env: [
          {name: 'LOG_LEVEL', value: 'info'},
          {name: 'POD_NAMESPACE', valueFrom: {fieldRef: {fieldPath: 'metadata.namespace'}}},
        ],
        livenessProbe: {httpGet: {path: '/healthz', port: 8081}},
        resources: {limits: {cpu: '500m', memory: '128Mi'}},
      },
    ])
    expect(stderr.split('\n').filter(line => line !== '')).toEqual([
      'Note: manager.yaml: install.yaml does not get --leader-elect: packages have no permission for leases [init-dropped]',
      'Note: manager.yaml: install.yaml does not get securityContext of the container [init-dropped]',
      'Note: manager.yaml: install.yaml does not get serviceAccountName and securityContext of the pod [init-dropped]',
      'Note: manager.yaml: install.yaml does not get 1 further container of the pod [init-dropped]',
    ])
  })

  it('replaces changed CRDs, adds new ones and leaves other files as they are with --update', async () => {
    const source = (name: string) => at(`updated/crds/${name}`)
    writeTree(at('updated'), {
      'crds/a.yaml': crd('Policy', 'policies', 'Namespaced'),
      'crds/b.yaml': crd('Person', 'people', 'Namespaced'),
    })
    const run = (...flags: readonly string[]) =>
      init(at('updated'), '--from-crds', at('updated/crds'), ...flags, '-o', 'json')
    expect((await run('--update')).status).toBe(0)
    writeTree(at('updated'), {'.registry/app.yaml': read('updated/.registry/app.yaml') + 'category: Shop\n'})
    rmSync(source('b.yaml'))
    writeFileSync(source('a.yaml'), crd('Policy', 'policies', 'Namespaced').replace('integer', 'string'))
    writeFileSync(source('c.yaml'), crd('Shop', 'shops', 'Namespaced'))
    const refused = await run()
    expect(refused.status).toBe(5)
    const {suggestions} = JSON.parse(refused.stderr) as {suggestions: readonly string[]}
    const command = suggestions[0]?.split(' ').slice(2) ?? []
    const {status, stdout} = await runCli(...command, '-o', 'yaml')
    expect({status, stdout}).toEqual({
      status: 0,
      stdout: `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
folder: ${at('updated')}
kind: InitReport
notes:
- file: .registry/resources/shop.example.org/person/person.crd.yaml
  message: people.shop.example.org is no longer defined by the project
  rule: init-crd-gone
  severity: note
written:
- .registry/resources/shop.example.org/policy/policy.crd.yaml
- .registry/resources/shop.example.org/shop/shop.crd.yaml
- .registry/resources/shop.example.org/shop/shop.resource.yaml
`,
    })
    expect(read('updated/.registry/app.yaml')).toContain('category: Shop')
    expect(read('updated/.registry/resources/shop.example.org/policy/policy.crd.yaml')).toContain(
      'type: string',
    )
    expect(await run('--update')).toMatchObject({
      stdout: expect.stringContaining('"written": []'),
      stderr: expect.stringMatching(/^nothing to change$/m),
    })
    expect(await lifeOf(at('updated'))).toEqual(GOOD)
  })

  it('does not replace a file that also contains another CRD', async () => {
    const both = crd('Policy', 'policies', 'Namespaced') + crd('Person', 'people', 'Namespaced')
    writeTree(at('shared'), {
      '.registry/app.yaml': 'title: Shared\npermissionScope: Namespaced\n',
      '.registry/resources/crd.yaml': both,
      'crds/a.yaml': crd('Policy', 'policies', 'Namespaced').replace('integer', 'string'),
    })
    const {status, stderr} = await init(at('shared'), '--from-crds', at('shared/crds'), '--update')
    expect({status, names: stderr.includes('.registry/resources/crd.yaml')}).toEqual({status: 5, names: true})
    expect(read('shared/.registry/resources/crd.yaml')).toBe(both)
  })

  it.each(['../../../../gitops/cluster', '/etc', 'a/b', '..', 'C:\\windows', ''])(
    'rejects the group %j of a CRD with file and line, and writes nothing',
    async group => {
      const folder = at(`hostile/${Buffer.from(group).toString('hex')}x`)
      writeTree(folder, {'crds/a.yaml': crd('Policy', 'policies', 'Namespaced', JSON.stringify(group))})
      const {status, stderr} = await init(join(folder, 'deep'), '--from-crds', join(folder, 'crds'))
      expect({status, names: /^ *a\.yaml:\d+: /m.test(stderr)}).toEqual({status: 1, names: true})
      expect(readdirSync(folder)).toEqual(['crds'])
    },
  )

  it.each(['.registry', '.registry/resources', '.registry/resources/shop.example.org'])(
    'writes nothing through a link at %s',
    async link => {
      const folder = at(`linked/${link.length}`)
      writeTree(folder, {'crds/a.yaml': crd('Policy', 'policies', 'Namespaced'), 'outside/x': ''})
      mkdirSync(join(folder, link, '..'), {recursive: true})
      symlinkSync(join(folder, 'outside'), join(folder, link))
      const {status, stderr} = await init(folder, '--from-crds', join(folder, 'crds'))
      expect({status, names: stderr.includes(join(folder, link))}).toEqual({status: 5, names: true})
      expect(readdirSync(join(folder, 'outside'))).toEqual(['x'])
      expect(readdirSync(folder, {recursive: true})).not.toContain('.registry/app.yaml')
    },
  )

  it('does not overwrite files, and writes no other ones if one exists', async () => {
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
    {name: 'an invalid name', args: ['--name', 'My Provider'], want: {status: 2, code: 'usage'}},
    {
      name: 'a scope that a CRD does not have',
      args: ['--scope', 'Namespaced', '--from-crds', at('project/config/crd')],
      want: {status: 2, code: 'usage'},
    },
    {
      name: 'a folder that does not exist',
      args: ['--from-crds', at('nowhere')],
      want: {status: 1, code: 'not-found'},
    },
    {name: 'a folder without CRDs', args: ['--from-crds', at('none')], want: {status: 1, code: 'not-found'}},
    {name: '--update without CRDs', args: ['--update'], want: {status: 2, code: 'usage'}},
    {name: 'a kind twice', args: ['--from-crds', at('kinds')], want: {status: 1, code: 'input-invalid'}},
    {name: 'a CRD twice', args: ['--from-crds', at('twice')], want: {status: 1, code: 'input-invalid'}},
    {name: 'an invalid CRD', args: ['--from-crds', at('faulty')], want: {status: 1, code: 'input-invalid'}},
  ])('rejects $name', async ({args, want}) => {
    const {status, stderr} = await init(at('never'), ...args, '-o', 'json')
    expect({status, code: (JSON.parse(stderr) as {code: string}).code}).toEqual(want)
    expect(readdirSync(temporary)).not.toContain('never')
  })
})
