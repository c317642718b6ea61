import {describe, expect, it, jest} from '@jest/globals'
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type CliResult, runCli, runCliWith} from '../../../test/run-cli.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'
import {demoCrd} from './demo-crd.js'

// The first render compiles the engines, which takes long where every core is busy.
jest.setTimeout(240_000)

const SRC = join(import.meta.dirname, '../src')
const root = temporaryFolder()
const newFolder = () => mkdtempSync(join(root, 'case-'))

async function template(...args: readonly string[]): Promise<CliResult> {
  return await runCliWith(SRC, 'template', ...args)
}

const CHART = {
  'blog/Chart.yaml': 'apiVersion: v2\nname: blog\nversion: 1.2.0+7\ndescription: A blog\n',
  'blog/crds/themes.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: themes.blogs.example.org}
spec:
  group: blogs.example.org
  names: {kind: Theme, plural: themes}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`,
  'blog/values.yaml': `# Number of Pods
replicas: 2
# -- Text on the first page
message: Hello
ingress:
  enabled: false
`,
  'blog/templates/deployment.yaml': `apiVersion: apps.example.org/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
`,
  'blog/templates/tests/works.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ randAlphaNum 5 }}\n  annotations: {helm.sh/hook: test}\n',
  'blog/templates/prepare.yaml':
    'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: prepare\n  annotations:\n    helm.sh/hook: pre-install\n',
  'blog/templates/ingress.yaml': `{{ if .Values.ingress.enabled }}
apiVersion: networking.example.org/v1
kind: Route
metadata:
  name: {{ .Release.Name }}
{{ end }}
`,
}

describe('a package from a chart', () => {
  const folder = writeTree(newFolder(), CHART)
  const target = join(folder, 'package')
  const read = (path: string) => readFileSync(join(target, path), 'utf8')

  it('is created with its schema, its dependencies and a test', async () => {
    const created = await template(
      'init',
      target,
      '--from-chart',
      join(folder, 'blog'),
      '--kind',
      'Blog.blogs.example.org/v1',
    )
    expect(created).toMatchObject({status: 0})
    expect(created.stdout).toContain('tests/example/want.yaml')
    expect(created.stderr).toContain('the plurals of Deployment in dependsOn')
    expect(created.stderr).toContain('add to dependsOn: routes.networking.example.org/v1')
    expect(created.stderr).toContain('the CRDs in crds are CRDs of the package')
    expect(created.stderr).toContain('the files in templates/tests are left out')
    expect(read('.registry/app.yaml')).not.toMatch(/pods|jobs/)
    expect(read('.registry/app.yaml')).toContain('version: v1.2.0\n')
    expect(read('.registry/app.yaml')).toContain(
      'dependsOn:\n- crd: deployments.apps.example.org/v1\noverview',
    )
    expect(read('.registry/resources/blogs.example.org/theme/theme.crd.yaml')).toContain('kind: Theme')
    const crd = read('.registry/resources/blogs.example.org/blog/blog.crd.yaml')
    expect(crd).toContain('description: Text on the first page\n')
    expect(crd).toContain('plural: blogs\n')
  })

  it('has no errors and passes its test, which leaves a branch untested', async () => {
    expect(await runCli('package', 'lint', target)).toMatchObject({
      status: 0,
      stdout: `chart/templates/ingress.yaml:3: warning: the controller has no permissions on Route of networking.example.org/v1: dependsOn does not have routes.networking.example.org/v1 [template-permission-optional]
chart/templates/prepare.yaml:6: warning: the hook pre-install is left out: a controller applies no hooks [chart-hooks]
`,
    })
    const tested = await template('test', target)
    expect(tested).toMatchObject({status: 0})
    expect(tested.stdout).toContain('PASS example\n')
    expect(tested.stdout).toMatch(/templates +2\/3 +templates\/ingress\.yaml/)
    expect(tested.stdout).toMatch(/branches +0\/1 /)
  })

  it('fails its test after a change, by field, until the test is updated', async () => {
    writeFileSync(
      join(target, 'chart/values.yaml'),
      'replicas: 3\nmessage: Hello\ningress: {enabled: false}\n',
    )
    const failed = await template('test', target)
    expect(failed).toMatchObject({status: 1})
    expect(failed.stdout).toContain('Deployment default/example: spec.replicas: want 2, got 3\n')
    expect(await template('test', target, '--update')).toMatchObject({
      status: 0,
      stdout: `${join(target, 'tests/example/want.yaml')}\n`,
    })
    expect(await template('test', target)).toMatchObject({status: 0})
  })

  it('writes errors that are expected to error.txt, and JUnit reports', async () => {
    writeTree(target, {
      'tests/wrong/cr.yaml':
        'apiVersion: blogs.example.org/v1\nkind: Blog\nmetadata: {name: a}\nspec: {ingress: none}\n',
    })
    expect((await template('test', target, 'wrong')).stdout).toContain('neither want.yaml nor error.txt')
    const refused = await template('test', target, 'wrong', '--update')
    expect(refused).toMatchObject({status: 1, stdout: ''})
    expect(refused.stderr).toMatch(
      /tests\/wrong\/cr\.yaml.*cannot be rendered:.*can't evaluate field enabled/,
    )
    expect(existsSync(join(target, 'tests/wrong/error.txt'))).toBe(false)
    await template('test', target, 'wrong', '--update', '--allow-errors')
    expect(read('tests/wrong/error.txt')).toContain("can't evaluate field enabled")
    const report = await template('test', target, '--output', 'junit')
    expect(report.stdout).toContain('<testsuites tests="2" failures="0">')
  })

  it('is built with its templates, which render from the image', async () => {
    const image = `oci:${join(folder, 'image')}:v1.2.0`
    expect(await runCli('package', 'build', image, target)).toMatchObject({status: 0})
    const cr = join(target, 'tests/example/cr.yaml')
    const [one, other] = [
      await template('render', image, '-f', cr),
      await template('render', target, '-f', cr),
    ]
    expect(one).toMatchObject({status: 0, stdout: other.stdout})
    // Nothing but the package is in the image: the init container of the original cannot copy the templates.
    const {status, stdout} = await template('lint', image)
    expect([status, stdout.match(/\[template-image-[a-z]+\]/g)]).toEqual([
      0,
      ['[template-image-copy]', '[template-image-user]'],
    ])
  })

  it('is not overwritten', async () => {
    const again = await template('init', target, '--from-chart', join(folder, 'blog'))
    expect(again).toMatchObject({status: 5})
    expect(again.stderr).toContain('.registry/app.yaml: the file exists')
  })
})

describe('a package from a kustomization', () => {
  it('binds fields of spec with the types and values of its objects', async () => {
    const folder = writeTree(newFolder(), {
      'base/kustomization.yaml': 'resources: [bucket.yaml]\n',
      'base/bucket.yaml':
        'apiVersion: storage.example.org/v1\nkind: Bucket\nmetadata: {name: main}\nspec: {region: eu, size: 3}\n',
    })
    const target = join(folder, 'storage')
    const bind = [
      '--bind',
      'spec.region=Bucket/main:spec.region',
      '--bind',
      'spec.size=Bucket/main:spec.size',
    ]
    const base = join(folder, 'base')
    expect(await template('init', target, '--from-kustomization', base, ...bind)).toMatchObject({status: 0})
    expect(readFileSync(join(target, 'tests/example/cr.yaml'), 'utf8')).toContain(
      'spec:\n  region: eu\n  size: 3\n',
    )
    const tested = await template('test', target)
    expect(tested).toMatchObject({status: 0})
    expect(tested.stdout).toMatch(/bindings +2\/2/)
  })

  it('rejects bindings to objects that do not exist', async () => {
    const folder = writeTree(newFolder(), {'base/kustomization.yaml': 'resources: []\n'})
    const result = await template(
      'init',
      join(folder, 'a'),
      '--from-kustomization',
      join(folder, 'base'),
      '--bind',
      'spec.a=B/c:spec.a',
    )
    expect(result).toMatchObject({status: 2})
    expect(result.stderr).toContain('B/c')
  })
})

const CONFIG = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .metadata.name }}
data:
  size: {{ .spec.size | quote }}
  {{- range $index, $name := .spec.names }}
  name{{ $index }}: {{ $name | quote }}
  {{- end }}
  host: {{ .spec.web.host | quote }}
`

describe('a package from named templates', () => {
  const folder = writeTree(newFolder(), {
    'flat/config.yaml': CONFIG,
    'named/Cache.caches.example.org_v1/config.yaml': CONFIG,
    'named/Web.webs.example.org_v1/bucket.yaml': CONFIG.replace('v1', 'storage.example.org/v1').replace(
      'ConfigMap',
      'Bucket',
    ),
    'named/Web.webs.example.org_v1/status.yaml': 'ready: {{ .status.ready | toString }}\n',
    'named/labels/app.txt': 'app: {{ .metadata.name }}\n',
  })
  const isClean = async (target: string) => {
    expect(await template('lint', target)).toMatchObject({status: 0, stdout: ''})
    expect(await template('test', target)).toMatchObject({status: 0})
  }

  it('has the fields that the templates of one kind read', async () => {
    const target = join(folder, 'cache')
    const created = await template('init', target, '--from-templates', join(folder, 'flat'))
    expect(created).toMatchObject({status: 0})
    expect(created.stdout).toContain('templates/Cache.cache.example.org_v1alpha1/config.yaml')
    const resource = readFileSync(join(target, 'tests/example/cr.yaml'), 'utf8')
    expect(resource).toContain('spec:\n  names: []\n  size: size\n  web:\n    host: host\n')
    await isClean(target)
  })

  it('has the kinds of the folders, of which behavior.yaml names the requested one', async () => {
    const target = join(folder, 'both')
    const from = ['--from-templates', join(folder, 'named')]
    expect(await template('init', target, ...from, '--kind', 'Web.webs.example.org/v1')).toMatchObject({
      status: 0,
    })
    const read = (path: string) => readFileSync(join(target, path), 'utf8')
    expect(read('.registry/behavior.yaml')).toContain('kind: Web\n')
    expect(read('.registry/app.yaml')).toContain('- crd: buckets.storage.example.org/v1\n')
    expect(read('tests/cache/want.yaml')).toContain('kind: ConfigMap\n')
    expect(read('tests/web/want.yaml')).toContain('kind: Bucket\n')
    await isClean(target)
  })

  it('is rejected for a kind without templates, and for templates that would have to move', async () => {
    const other = ['--from-templates', join(folder, 'named'), '--kind', 'Other.x.example.org/v1']
    const rejected = await template('init', join(folder, 'other'), ...other)
    expect(rejected).toMatchObject({status: 2})
    expect(rejected.stderr).toContain('Leave out --kind: the folder has Cache.caches.example.org/v1')
    const inside = await template('init', folder, '--from-templates', join(folder, 'flat'))
    expect(inside).toMatchObject({status: 2})
    expect(inside.stderr).toContain(`Move the templates to ${join(folder, 'flat')}/`)
  })
})

describe('a package of early 2020', () => {
  const OLD = {
    '.registry/app.yaml': 'title: Blog\nversion: v0.1.0\npermissionScope: Namespaced\n',
    '.registry/resources/blog.crd.yaml': demoCrd(
      '{type: object, properties: {spec: {type: object, required: [size], properties: {size: {type: integer}}}, status: {type: object, x-kubernetes-preserve-unknown-fields: true}}}',
    ),
    'helm/Chart.yaml': 'apiVersion: v1\nname: blog\nversion: 0.1.0\n',
    'helm/templates/bucket.yaml':
      'apiVersion: storage.example.org/v1\nkind: Bucket\nmetadata: {name: "{{ .Release.Name }}"}\nspec: {size: {{ .Values.size }}}\n',
  }
  const STACK = `behaviors:
  crds:
    demos.demo.example.org:
      hooks:
        reconcile:
        - directory: helm
  engine: {type: helm2}
`
  const BEHAVIOR = `# Blogs
crd: {apiVersion: demo.example.org/v1, kind: Demo}
engine:
  type: helm2 # with Tiller
source: {path: helm}
`

  it.each([
    {from: 'stack.yaml', path: '.registry/stack.yaml', text: STACK},
    {from: 'the engine helm2', path: '.registry/behavior.yaml', text: BEHAVIOR},
  ])('is converted from $from', async ({path, text}) => {
    const folder = newFolder()
    const [old, target] = [writeTree(join(folder, 'old'), {...OLD, [path]: text}), join(folder, 'new')]
    const converted = await template('init', target, '--from-package', old)
    expect(converted).toMatchObject({status: 0})
    const files = converted.stdout.split('\n').map(file => file.slice(target.length + 1))
    expect(files).toEqual(expect.arrayContaining(['helm/Chart.yaml', 'tests/example/want.yaml']))
    expect(files).not.toContain('.registry/stack.yaml')
    expect(readFileSync(join(target, '.registry/app.yaml'), 'utf8')).toBe(
      `${OLD['.registry/app.yaml']}dependsOn:\n- crd: buckets.storage.example.org/v1\n`,
    )
    expect(await template('lint', target)).toMatchObject({status: 0})
    expect(await template('test', target)).toMatchObject({status: 0})
  })

  it('is rejected if it needs no conversion', async () => {
    const folder = newFolder()
    const old = writeTree(join(folder, 'old'), OLD)
    const rejected = await template('init', join(folder, 'new'), '--from-package', old)
    expect(rejected).toMatchObject({status: 2})
    expect(rejected.stderr).toContain('neither a stack.yaml that names a CRD nor the engine helm2')
  })
})

describe('a build of a package with templates', () => {
  it('does not read folders outside of the package', async () => {
    const folder = writeTree(newFolder(), CHART)
    const target = join(folder, 'package')
    await template('init', target, '--from-chart', join(folder, 'blog'))
    const behavior = join(target, '.registry/behavior.yaml')
    writeFileSync(behavior, readFileSync(behavior, 'utf8').replace('path: chart', 'path: ../blog'))
    const built = await runCli('package', 'build', `oci:${join(folder, 'image')}`, target)
    expect(built).toMatchObject({status: 4})
    expect(built.stderr).toContain('it is not in the package')
  })
})

describe('a package without the folder of its templates', () => {
  it('is rejected by template lint', async () => {
    const folder = join(newFolder(), 'package')
    await template('init', folder)
    rmSync(join(folder, 'chart'), {recursive: true})
    const linted = await template('lint', folder)
    expect(linted).toMatchObject({status: 7, stdout: ''})
    expect(linted.stderr).toContain('no folder "chart"')
  })
})

describe('the examples', () => {
  it.each(['caching-web-service', 'foo', 'hello-world', 'merged-labels', 'plus-one'])(
    'pass their tests: %s',
    async name => {
      const tested = await template('test', `./examples/template-stacks/${name}`, '--output', 'json')
      expect(tested).toMatchObject({status: 0})
      const {cases, coverage} = JSON.parse(tested.stdout) as {
        cases: readonly {passed: boolean}[]
        coverage: readonly {missing: readonly string[]}[]
      }
      expect(coverage.flatMap(({missing}) => missing)).toEqual([])
      expect(cases.length).toBeGreaterThan(0)
      expect(cases.filter(({passed}) => !passed)).toEqual([])
    },
  )

  it('have no other tests than these', async () => {
    const tested = await template('test', './examples/template-stacks/foo', 'other')
    expect(tested).toMatchObject({status: 7})
    expect(tested.stderr).toContain('Error: test "other" not found in ./examples/template-stacks/foo\n')
  })

  it('are not updated where they are not in a folder', async () => {
    const layout = `oci:${join(newFolder(), 'image')}:v0.1.0`
    await runCli('package', 'build', layout, 'examples/template-stacks/foo', '--no-lint')
    expect(await template('test', layout, '--update')).toMatchObject({status: 7})
  })
})

describe('named templates of which one fails', () => {
  it('render the others, and the status from their errors', async () => {
    const folder = join(newFolder(), 'package')
    await template('init', folder, '--kind', 'Demo.demo.example.org/v1')
    const behavior = join(folder, '.registry/behavior.yaml')
    writeFileSync(
      behavior,
      readFileSync(behavior, 'utf8').replace('helm3', 'gotemplate').replace('chart', 'templates'),
    )
    writeTree(folder, {
      'templates/Demo.demo.example.org_v1/bad.yaml': '{{ fail "too small" }}',
      'templates/Demo.demo.example.org_v1/good.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .metadata.name }}"}\n',
      'templates/Demo.demo.example.org_v1/none.yaml': '{{ if .spec.absent }}x{{ end }}',
      'templates/Demo.demo.example.org_v1/status.yaml': 'reason: {{ .errors.bad | quote }}\n',
    })
    const rendered = await template('render', folder, '-f', join(folder, 'tests/example/cr.yaml'))
    expect(rendered.stdout).toContain('kind: ConfigMap\n')
    expect(rendered.stdout).toContain('too small')
    expect(rendered.status).toBe(1)
  })
})
