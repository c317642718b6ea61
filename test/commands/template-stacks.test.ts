import {describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {schemaOf, schemaViolations} from '../json-schema.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const CRD = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: buckets.storage.example.org}
spec:
  group: storage.example.org
  names: {kind: Bucket, listKind: BucketList, plural: buckets, singular: bucket}
  scope: Namespaced
  version: v1
  versions: [{name: v1, served: true, storage: true}]
`
const widget = CRD.replaceAll('Bucket', 'Widget')
  .replaceAll('bucket', 'widget')
  .replaceAll('storage.', 'own.')
const BEHAVIOR = `crd: {apiVersion: own.example.org/v1, kind: Widget}
engine: {type: helm3}
source: {path: chart}
`
const object = (apiVersion: string, kind: string) =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n`
const APP = 'title: Test\nversion: v1.0.0\npermissionScope: Cluster\n'

const folder = writeTree(temporaryFolder(), {
  'x/stack@v1.0.0/.registry/app.yaml': `${APP}dependsOn: [{crd: buckets.storage.example.org/v1}]\n`,
  'x/stack@v1.0.0/.registry/behavior.yaml': BEHAVIOR,
  'x/stack@v1.0.0/.registry/widget.crd.yaml': widget,
  'x/stack@v1.0.0/chart/Chart.yaml': 'apiVersion: v2\nname: a\nversion: 0.1.0\n',
  'x/stack@v1.0.0/chart/templates/all.yaml': [
    'v1 Secret',
    'apps/v1 Deployment',
    'storage.example.org/v1 Bucket',
  ]
    .map(text => text.split(' '))
    .map(([apiVersion = '', kind = '']) => object(apiVersion, kind))
    .join('---\n'),
  'x/stack@v1.0.0/chart/templates/more.yaml': `${object('v1', 'Secret')}---\nkind: "\\u001b[31m{{ .x }}"\napiVersion: v1\n`,
  'x/stack@v1.0.0/chart/templates/odd.yaml': object('v1', 'Z\u001b[2J\u202e'),
  'x/buckets@v1.0.0/.registry/app.yaml': APP,
  'x/buckets@v1.0.0/.registry/bucket.crd.yaml': CRD,
  'x/moved@v1.0.0/.registry/app.yaml': APP,
  'x/moved@v1.0.0/.registry/behavior.yaml': BEHAVIOR,
  'x/moved@v1.0.0/.registry/widget.crd.yaml': widget.replaceAll('own.', 'moved.'),
})
const PACKAGES = ['--packages', folder]
const document = async (...args: readonly string[]) => {
  const {status, stdout, stderr} = await runCli('package', ...args, '-o', 'json')
  expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
  return JSON.parse(stdout) as Record<string, unknown>
}

const FOR = {apiVersion: 'own.example.org/v1', kind: 'Widget'}
const CREATES = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    coverage: 'uncovered',
    missing: 'deployments.apps/v1',
    files: ['templates/all.yaml'],
  },
  {
    apiVersion: 'storage.example.org/v1',
    kind: 'Bucket',
    coverage: 'covered',
    because: 'required',
    of: 'buckets.storage.example.org/v1',
    files: ['templates/all.yaml'],
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    coverage: 'covered',
    because: 'standard',
    files: ['templates/all.yaml', 'templates/more.yaml'],
  },
  {
    apiVersion: 'v1',
    kind: 'Z\u001b[2J\u202e',
    coverage: 'uncovered',
    missing: 'z\u001b[2j\u202es/v1',
    files: ['templates/odd.yaml'],
  },
  {coverage: 'unknown', files: ['templates/more.yaml']},
]

describe('the kinds that templates create', () => {
  it('are inspected, in a folder and in an image', async () => {
    const image = `oci:${join(folder, 'image')}`
    const stack = join(folder, 'x/stack@v1.0.0')
    const built = await runCli('package', 'build', image, stack, '--no-lint')
    expect(built.status).toBe(0)
    for (const reference of [stack, image]) {
      const report = await document('inspect', reference)
      expect(schemaViolations(schemaOf('inspect-report'), report)).toEqual([])
      expect((report.runs as {engine: unknown}).engine).toMatchObject({
        type: 'helm3',
        for: FOR,
        creates: CREATES,
      })
    }
  })

  it('are inspected as text without control characters, those without permissions marked', async () => {
    const {status, stdout} = await runCli('package', 'inspect', join(folder, 'x/stack@v1.0.0'), '-n', 'a')
    expect({status, controls: /[^\P{Cc}\n]|\p{Cf}/u.test(stdout)}).toEqual({status: 0, controls: false})
    const lines = stdout.split('\n')
    const start = lines.findIndex(line => line.startsWith('  CREATES'))
    expect(lines.slice(start, start + 6).map(line => line.trim().replace(/ {3,}/g, ' | '))).toEqual([
      'CREATES | API VERSION | PERMISSION | TEMPLATE',
      'Deployment | apps/v1 | NONE: dependsOn does not have deployments.apps/v1 | templates/all.yaml',
      'Bucket | storage.example.org/v1 | depends on buckets.storage.example.org/v1 | templates/all.yaml',
      'Secret | v1 | granted to every package | templates/all.yaml and 1 more',
      String.raw`Z\u001b[2J\u202e | v1 | NONE: dependsOn does not have z\u001b[2j\u202es/v1 | templates/odd.yaml`,
      '- | - | unknown before rendering | templates/more.yaml',
    ])
  })

  it('are part of the tree', async () => {
    const report = await document('tree', 'x/stack:v1.0.0', ...PACKAGES)
    expect(schemaViolations(schemaOf('dependency-tree'), report)).toEqual([])
    expect(report.templates).toEqual([
      {package: 'x/stack', tag: 'v1.0.0', engine: 'helm3', for: FOR, creates: CREATES},
    ])
    const {stdout} = await runCli('package', 'tree', 'x/stack:v1.0.0', ...PACKAGES)
    expect(stdout.split('\n').slice(0, 9)).toEqual([
      'x/stack:v1.0.0 in crossplane-system/x-stack',
      '├── helm3 templates for each Widget of own.example.org/v1',
      '│   ├── Deployment of apps/v1: NONE: dependsOn does not have deployments.apps/v1',
      '│   ├── Bucket of storage.example.org/v1: depends on buckets.storage.example.org/v1',
      '│   ├── Secret of v1: granted to every package',
      String.raw`│   ├── Z\u001b[2J\u202e of v1: NONE: dependsOn does not have z\u001b[2j\u202es/v1`,
      '│   └── templates/more.yaml: unknown before rendering',
      '└── buckets.storage.example.org/v1: x/buckets:v1.0.0 in crossplane-system/x-buckets',
      '',
    ])
  })

  it('are the reason for a dependency', async () => {
    const report = await document('why', 'x/buckets', 'x/stack:v1.0.0', ...PACKAGES)
    expect(schemaViolations(schemaOf('install-reasons'), report)).toEqual([])
    const need = {need: 'buckets.storage.example.org/v1', package: 'x/buckets:v1.0.0'}
    const creates = [{apiVersion: 'storage.example.org/v1', kind: 'Bucket'}]
    expect({reasons: report.reasons, templates: report.templates}).toEqual({
      reasons: [
        {
          steps: [
            {need: 'x/stack:v1.0.0', package: 'x/stack:v1.0.0'},
            {...need, templates: {engine: 'helm3', for: FOR, creates}},
          ],
        },
      ],
      templates: undefined,
    })
    const {stdout} = await runCli('package', 'why', 'x/buckets', 'x/stack:v1.0.0', ...PACKAGES)
    expect(stdout).toContain(
      'requires buckets.storage.example.org/v1: x/buckets:v1.0.0 (its helm3 templates create Bucket of storage.example.org/v1)\n',
    )
  })

  it('are shown for the package that is explained', async () => {
    const report = await document('why', 'x/stack', 'x/stack:v1.0.0', ...PACKAGES)
    expect(schemaViolations(schemaOf('install-reasons'), report)).toEqual([])
    expect(report.templates).toEqual({engine: 'helm3', for: FOR, creates: CREATES})
  })

  it('are unknown without the folder of the templates, which is no failure', async () => {
    const unread = 'the package has no folder "chart"'
    const stack = {engine: 'helm3', for: FOR, unread}
    const tree = await document('tree', 'x/moved:v1.0.0', ...PACKAGES)
    const why = await document('why', 'x/moved', 'x/moved:v1.0.0', ...PACKAGES)
    expect({tree: tree.templates, why: why.templates}).toEqual({
      tree: [{package: 'x/moved', tag: 'v1.0.0', ...stack}],
      why: stack,
    })
  })

  it('are absent for other packages', async () => {
    const tree = await document('tree', 'x/buckets:v1.0.0', ...PACKAGES)
    const why = await document('why', 'x/buckets', 'x/buckets:v1.0.0', ...PACKAGES)
    expect([tree, why].map(report => 'templates' in report)).toEqual([false, false])
  })
})

describe('templates of the engine gotemplate', () => {
  const stack = writeTree(join(folder, 'named'), {
    '.registry/app.yaml': APP,
    '.registry/behavior.yaml': BEHAVIOR.replace('helm3', 'gotemplate').replace('chart', 'templates'),
    '.registry/widget.crd.yaml': widget,
    'templates/Widget.own.example.org_v1/a.yaml': object('v1', 'ConfigMap'),
  })
  const render = async (...args: readonly string[]) =>
    await runCli('package', 'render', stack, '--as-package', 'x/named:v1.0.0', '-o', 'name', ...args)

  it('are rendered with a warning for a controller that cannot read them', async () => {
    const {status, stderr} = await render()
    expect(status).toBe(0)
    expect(stderr).toContain(
      'crossplane/templating-controller:v0.4.0, which does not support the engine gotemplate',
    )
    expect(stderr).toContain('[controller-image-engine]')
  })

  it('are rendered without one for another controller', async () => {
    const {status, stderr} = await render('--controller-image', 'example.org/run:v1')
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
  })
})
