import {describe, expect, it, jest} from '@jest/globals'
import {existsSync, mkdtempSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {readYaml} from 'kubectl-crossplane/plugin'
import {type CliResult, runCliWith} from '../../../test/run-cli.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'
import {demoCrd} from './demo-crd.js'

// The first render compiles the engines, which takes long where every core is busy.
jest.setTimeout(240_000)

const SRC = join(import.meta.dirname, '../src')
const root = temporaryFolder()
/** A new folder. */
const newFolder = () => mkdtempSync(join(root, 'case-'))
const EXAMPLES = './examples/template-stacks'

async function render(...args: readonly string[]): Promise<CliResult> {
  return await runCliWith(SRC, 'template', 'render', ...args)
}

const CRD = demoCrd(
  '{type: object, properties: {spec: {type: object, properties: {size: {type: integer, default: 2}, unused: {type: string}}}}}',
)
const REGISTRY = {
  '.registry/app.yaml': 'title: Demo\nversion: v0.1.0\npermissionScope: Namespaced\n',
  '.registry/resources/demo.crd.yaml': CRD,
}
const behavior = (engine: string) =>
  `crd: {apiVersion: demo.example.org/v1, kind: Demo}\nsource: {path: files}\nengine: ${engine}\n`
const CR =
  'apiVersion: demo.example.org/v1\nkind: Demo\nmetadata: {name: demo, namespace: a}\nspec: {unused: x}\n'

function chart(template: string): string {
  return writeTree(newFolder(), {
    ...REGISTRY,
    '.registry/behavior.yaml': behavior('{type: helm3}'),
    'files/Chart.yaml': 'apiVersion: v1\nname: demo\nversion: 0.1.0\n',
    'files/values.yaml': 'color: red\n',
    'files/templates/a.yaml': template,
    'cr.yaml': CR,
  })
}

const CONFIG = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  size: {{ .Values.size | quote }}
  color: {{ .Values.color }}
`

describe('template render', () => {
  const tests = readdirSync(EXAMPLES, {withFileTypes: true})
    .filter(entry => entry.isDirectory() && existsSync(join(EXAMPLES, entry.name, 'tests')))
    .flatMap(({name}) => readdirSync(join(EXAMPLES, name, 'tests')).map(test => ({name, test})))

  it.each(tests)('of $name prints what its test $test has', async ({name, test}) => {
    const folder = join(EXAMPLES, name, 'tests', test)
    const state = join(folder, 'state.yaml')
    const {status, stdout, stderr} = await render(
      `${EXAMPLES}/${name}`,
      '-f',
      join(folder, 'cr.yaml'),
      ...(existsSync(state) ? ['--state', state] : []),
    )
    const want = join(folder, 'want.yaml')
    if (!existsSync(want)) {
      expect({status, stderr}).toEqual({
        status: 1,
        stderr: expect.stringContaining(readFileSync(join(folder, 'error.txt'), 'utf8').trim()),
      })
      return
    }
    const read = (bytes: Uint8Array) => readYaml(bytes, 'objects').map(({value}) => value)
    expect(read(Buffer.from(stdout))).toEqual(read(readFileSync(want)))
  })

  it('uses the defaults of the CRD, and lists names', async () => {
    const folder = chart(CONFIG)
    const {stdout} = await render(folder, '-f', join(folder, 'cr.yaml'))
    expect(stdout).toContain("size: '2'\n")
    expect(await render(folder, '-f', join(folder, 'cr.yaml'), '-o', 'name')).toMatchObject({
      status: 0,
      stdout: 'configmap/demo\n',
    })
  })

  it('explains what set each field, and what nothing reads', async () => {
    const folder = chart(CONFIG)
    const {stdout} = await render(folder, '-f', join(folder, 'cr.yaml'), '--explain-fields')
    expect(stdout).toMatch(
      /data\.size: "2" {2}# files\/templates\/a\.yaml:6, from spec\.size \(CRD default\)/,
    )
    expect(stdout).toMatch(/data\.color: "red" {2}# files\/templates\/a\.yaml:7/)
    expect(stdout).toMatch(/Fields of spec that nothing reads: spec\.unused\n$/)
  })

  it('writes a file for each object to an empty folder', async () => {
    const folder = chart(`${CONFIG}---\n${CONFIG.replace('ConfigMap', 'Secret')}`)
    const output = join(newFolder(), 'out')
    expect(await render(folder, '-f', join(folder, 'cr.yaml'), '--output-dir', output)).toMatchObject({
      status: 0,
    })
    expect(readdirSync(output).sort()).toEqual(['1-v1.Secret.a.demo.yaml', '2-v1.ConfigMap.a.demo.yaml'])
    expect(await render(folder, '-f', join(folder, 'cr.yaml'), '--output-dir', folder)).toMatchObject({
      status: 5,
    })
  })

  it.each([
    {
      name: 'an object without a name',
      template: 'apiVersion: v1\nkind: Secret\n\nmetadata: {}\n',
      want: 'files/templates/a.yaml:1: document 1 has no metadata.name',
    },
    {
      name: 'a label that is a number',
      template: CONFIG.replace('\ndata:', '\n  labels: {num: 1}\ndata:'),
      want: 'metadata.labels[num] is not a text',
    },
    {name: 'a random function', template: '\nx: {{ randAlphaNum 5 }}\n', want: 'files/templates/a.yaml:2'},
    {
      name: 'a cluster-scoped object',
      template: 'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n',
      want: 'the package is Namespaced',
    },
  ])('rejects $name with its place', async ({template, want}) => {
    const folder = chart(template)
    const {status, stderr} = await render(folder, '-f', join(folder, 'cr.yaml'))
    expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining(want)})
  })

  it('renders a kustomization with bound fields', async () => {
    const overlay = `{apiVersion: v1, kind: ConfigMap, name: c, bindings: [{from: spec.unused, to: data.x}]}`
    const folder = writeTree(newFolder(), {
      ...REGISTRY,
      '.registry/behavior.yaml': behavior(`{type: kustomize, kustomize: {overlays: [${overlay}]}}`),
      'files/kustomization.yaml': 'resources: [c.yaml]\n',
      'files/c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {x: base, y: kept}\n',
      'cr.yaml': CR,
    })
    const {stdout} = await render(folder, '-f', join(folder, 'cr.yaml'))
    expect(readYaml(Buffer.from(stdout), 'objects')[0]?.value).toMatchObject({
      metadata: {name: 'demo-c', namespace: 'a'},
      data: {x: 'x', y: 'kept'},
    })
  })
})
