import {describe, expect, it, jest} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {type CliResult, runCli, runCliWith} from '../../../test/run-cli.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'
import {demoCrd} from './demo-crd.js'

// The first render compiles the engines, which takes long where every core is busy.
jest.setTimeout(240_000)

const SRC = join(import.meta.dirname, '../src')
const root = temporaryFolder()
const newFolder = () => mkdtempSync(join(root, 'case-'))

async function render(folder: string, ...args: readonly string[]): Promise<CliResult> {
  return await runCliWith(SRC, 'template', 'render', folder, '-f', join(folder, 'cr.yaml'), ...args)
}

const CRD = demoCrd('{type: object, x-kubernetes-preserve-unknown-fields: true}')
const KIND = 'templates/Demo.demo.example.org_v1'
const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .metadata.name }}\n'
const BEHAVIOR =
  'crd: {apiVersion: demo.example.org/v1, kind: Demo}\nengine: {type: gotemplate}\nsource: {path: templates}\n'

function packageOf(files: Readonly<Record<string, string>>, behavior = BEHAVIOR): string {
  return writeTree(newFolder(), {
    '.registry/app.yaml': 'title: Demo\nversion: v0.1.0\npermissionScope: Namespaced\n',
    '.registry/behavior.yaml': behavior,
    '.registry/resources/demo.crd.yaml': CRD,
    'cr.yaml':
      'apiVersion: demo.example.org/v1\nkind: Demo\nmetadata: {name: a, namespace: b}\nspec: {size: 1}\n',
    ...files,
  })
}

describe('named templates', () => {
  it.each<{name: string; files: Record<string, string>; message: string}>([
    {
      name: 'several objects',
      files: {
        [`${KIND}/one.yaml`]: `${CONFIG}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n`,
      },
      message: 'the template makes several objects; write one per template',
    },
    {
      name: 'another name than its metadata',
      files: {[`${KIND}/one.yaml`]: `${CONFIG}{{ "---" | replace "---" "" }}\nkind: Secret\n`},
      message: 'the template makes Secret a of v1, but ConfigMap a of v1 by its metadata alone',
    },
    {
      name: 'a name by a field of spec',
      files: {[`${KIND}/one.yaml`]: CONFIG.replace('.metadata.name', '.spec.size')},
      message: 'apiVersion, kind and metadata.name must be known before anything is read',
    },
    {
      name: 'a status that is a list',
      files: {[`${KIND}/one.yaml`]: CONFIG, [`${KIND}/status.yaml`]: '- a\n'},
      message: 'the status is not a map of fields',
    },
    {
      name: 'a status that fails',
      files: {[`${KIND}/one.yaml`]: CONFIG, [`${KIND}/status.yaml`]: '{{ fail "no status" }}'},
      message: 'no status',
    },
    {
      name: 'a status that is not YAML',
      files: {[`${KIND}/one.yaml`]: CONFIG, [`${KIND}/status.yaml`]: 'a: [\n'},
      message: `${KIND}/status.yaml`,
    },
    {
      name: 'a reserved name',
      files: {[`${KIND}/spec.yaml`]: CONFIG},
      message: 'spec is a variable: rename the template',
    },
    {
      name: 'a file in no folder',
      files: {'templates/one.yaml': CONFIG, [`${KIND}/one.yaml`]: CONFIG},
      message: 'the file is in no folder',
    },
    {
      name: 'another kind alone',
      files: {'templates/Other.demo.example.org_v1/one.yaml': CONFIG},
      message: 'this is a Demo of demo.example.org/v1; the package renders Other',
    },
  ])('report $name', async ({files, message}) => {
    const {status, stderr} = await render(packageOf(files))
    expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining(message)})
  })

  it('report objects that exist and whose template has become empty', async () => {
    const folder = packageOf({
      [`${KIND}/one.yaml`]: `{{ if .spec.absent }}\n${CONFIG}{{ end }}`,
      'state.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n',
    })
    const {status, stdout, stderr} = await render(folder, '--state', join(folder, 'state.yaml'))
    expect({status, stdout}).toEqual({status: 0, stdout: ''})
    expect(stderr).toContain('ConfigMap a of v1 is deleted: its template one is empty')
  })

  it('get a fixed UID from a custom resource without one', async () => {
    const {stdout, stderr} = await render(
      packageOf({[`${KIND}/one.yaml`]: `${CONFIG}data: {uid: {{ .metadata.uid }}}\n`}),
    )
    expect(stdout).toContain('uid: 00000000-0000-0000-0000-000000000000\n')
    expect(stderr).toContain('a has no metadata.uid')
  })
})

describe('templates of another image', () => {
  const behavior = BEHAVIOR.replace(
    'path: templates',
    'path: templates, image: registry.example.org/other:v1',
  )
  const files = {[`${KIND}/one.yaml`]: CONFIG}

  it('are those of the folder, with a note', async () => {
    const {status, stderr} = await render(packageOf(files, behavior))
    expect(status).toBe(0)
    expect(stderr).toContain('in a cluster, the templates are from the image registry.example.org/other:v1')
  })

  it('are not read for a package that was pulled', async () => {
    const folder = packageOf(files, behavior)
    const layout = `oci:${join(folder, 'image')}:v0.1.0`
    expect(await runCli('package', 'build', layout, folder, '--no-lint')).toMatchObject({status: 0})
    const cr = join(folder, 'cr.yaml')
    const args = ['template', 'render', layout, '-f', cr, '--as-package', 'registry.example.org/demo:v0.1.0']
    const {status, stderr} = await runCliWith(SRC, ...args)
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringContaining('they are in the image registry.example.org/other:v1'),
    })
  })
})

describe('template render --explain-fields', () => {
  it('names the fields that named templates read, and those that nothing reads', async () => {
    const folder = packageOf({
      [`${KIND}/one.yaml`]: `${CONFIG}data: {size: "{{ .spec.size }}", ok: "{{ .spec.enabled }}", none: "{{ .spec.none }}"}\n`,
      [`${KIND}/status.yaml`]: 'seen: {{ .spec.big }}\n',
      'cr.yaml':
        'apiVersion: demo.example.org/v1\nkind: Demo\nmetadata: {name: a, namespace: b}\nspec: {size: 1, enabled: true, none: null, big: 12345678901234567890, list: [x], map: {}}\n',
    })
    const {stdout} = await render(folder, '--explain-fields')
    expect(stdout).toContain(`data.size: "1"  # ${KIND}/one.yaml:5, from`)
    expect(stdout).toContain('spec.size (custom resource)')
    expect(stdout).toContain('Fields of spec that nothing reads: spec.list.0, spec.map\n')
  })

  it('does not name a default of a chart for a field without a value', async () => {
    const folder = packageOf({[`${KIND}/one.yaml`]: `${CONFIG}data: {zone: "{{ .spec.zone }}"}\n`})
    const {stdout} = await render(folder, '--explain-fields')
    expect(stdout).toContain(`# ${KIND}/one.yaml:5, from spec.zone (not set)\n`)
  })

  it('names the bindings of a kustomization', async () => {
    const overlays =
      '[{apiVersion: x.example.org/v1, kind: Bucket, name: main, bindings: [{from: spec.size, to: spec.size}]}]'
    const folder = packageOf(
      {
        'templates/kustomization.yaml': 'resources: [bucket.yaml]\n',
        'templates/bucket.yaml':
          'apiVersion: x.example.org/v1\nkind: Bucket\nmetadata: {name: main}\nspec: {size: 2}\n',
      },
      BEHAVIOR.replace('{type: gotemplate}', `{type: kustomize, kustomize: {overlays: ${overlays}}}`),
    )
    const {stdout} = await render(folder, '--explain-fields')
    expect(stdout).toContain('spec.size: 1  # spec.size (custom resource)\n')
    expect(stdout).toContain('All fields of spec are read.')
  })
})
