import {afterAll, beforeAll, describe, expect} from '@jest/globals'
import {readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {readCustomResources} from '../../plugins/template-stacks/src/custom-resource.js'
import type {HelmRequest} from '../../plugins/template-stacks/src/engines/engine.js'
import {startEngine} from '../../plugins/template-stacks/src/engines/start-engine.js'
import {readLiveObjects} from '../../plugins/template-stacks/src/live-objects.js'
import {templatesOf} from '../../plugins/template-stacks/src/open-templates.js'
import {renderAll} from '../../plugins/template-stacks/src/render-all.js'
import {CrossplaneError} from '../../src/errors.js'
import {invalidPackage, examinePackage} from '../../src/unpack/read-package.js'
import {campaign, pick} from './campaign.js'
import {mutated} from './mutated.js'

const EXAMPLES = join(import.meta.dirname, '../../examples/template-stacks')
const LIMIT = 10_000
/** What may pass beside the engine on a busy machine. */
const REST = 60_000

type Texts = Readonly<Record<string, string>>

/** The files of a package with a test, by path. */
interface Sample {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly test: string
}

function example(folder: string, test: string): Sample {
  const root = join(EXAMPLES, folder)
  const paths = readdirSync(root, {recursive: true, encoding: 'utf8'}).filter(path =>
    statSync(join(root, path)).isFile(),
  )
  return {files: new Map(paths.map(path => [path, readFileSync(join(root, path))])), test: `tests/${test}`}
}

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.org}
spec:
  group: example.org
  names: {kind: App, plural: apps}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}
`

function sample(engine: string, templates: Texts): Sample {
  const texts: Texts = {
    '.registry/app.yaml': 'title: App\npermissionScope: Cluster\n',
    '.registry/crd.yaml': CRD,
    '.registry/behavior.yaml': `crd: {apiVersion: example.org/v1, kind: App}\nengine:\n  type: ${engine}\nsource: {path: templates}\n`,
    'tests/a/cr.yaml':
      'apiVersion: example.org/v1\nkind: App\nmetadata: {name: demo, namespace: team}\nspec:\n  size: 3\n  names: [a, b]\n  text: "{{ .Release.Name }}"\n',
    ...Object.fromEntries(Object.entries(templates).map(([path, text]) => [`templates/${path}`, text])),
  }
  const files = new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]))
  return {files, test: 'tests/a'}
}

const CONFIG_MAP =
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n  labels: {a: "1"}\ndata:\n  size: "1"\n'

const samples: readonly Sample[] = [
  example('caching-web-service', 'cache-is-known'),
  example('foo', 'second-pass'),
  example('merged-labels', 'kept'),
  sample('helm3', {
    'Chart.yaml':
      'apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies: [{name: sub, version: 1.0.0, alias: other, condition: other.on}]\n',
    'values.yaml': 'size: 1\nnames: []\nother: {on: true}\n',
    'values.schema.json': '{"type": "object", "properties": {"size": {"type": "integer", "maximum": 9}}}\n',
    'templates/_names.tpl': '{{ define "name" }}{{ .Release.Name | trunc 20 }}{{ end }}\n',
    'templates/a.yaml': `{{ range $i, $name := .Values.names }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "name" $ }}-{{ $name }}
data:
  text: {{ tpl (default "none" $.Values.text) $ | quote }}
  size: {{ mul $.Values.size 2 | quote }}
---
{{ end }}`,
    'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
    'charts/sub/templates/b.yaml': CONFIG_MAP,
  }),
  sample(
    'kustomize\n  kustomize:\n    kustomization: {kind: Kustomization}\n    overlays:\n    - {apiVersion: v1, kind: ConfigMap, name: web, bindings: [{from: spec.size, to: data.size}]}',
    {
      'kustomization.yaml':
        'resources: [base]\nconfigMapGenerator: [{name: more, literals: [a=b]}]\npatches:\n- target: {kind: ConfigMap}\n  patch: |-\n    - {op: add, path: /data/more, value: "2"}\n',
      'base/kustomization.yaml': 'resources: [a.yaml]\nlabels: [{pairs: {x: y}, includeSelectors: true}]\n',
      'base/a.yaml': CONFIG_MAP,
    },
  ),
]

const below = (files: Sample['files'], folder: string) =>
  [...files].flatMap(([path, bytes]) =>
    path.startsWith(`${folder}/`) ? [{path: path.slice(folder.length + 1), bytes}] : [],
  )

const harmless: HelmRequest = {
  engine: 'helm3',
  files: new Map([
    ['Chart.yaml', Buffer.from('apiVersion: v2\nname: app\nversion: 1.0.0\n')],
    ['templates/a.yaml', Buffer.from('a: {{ .Release.Name }}')],
  ]),
  release: {name: 'demo', namespace: ''},
  values: '{}',
}

describe('mutated packages of templates, and their custom resources', () => {
  const engine = startEngine({timeLimit: LIMIT})
  const codes = new Map<string, number>()

  // The first request compiles the engines.
  beforeAll(async () => {
    const patient = startEngine({timeLimit: 120_000})
    await patient.render(harmless)
    await patient.close()
  }, 180_000)
  afterAll(async () => await engine.close())

  async function rendered({files, test}: Sample): Promise<void> {
    const {package: read, errors} = examinePackage(below(files, '.registry'))
    if (read?.behavior === undefined) throw invalidPackage('sample', errors)
    const {behavior, crds, permissionScope: scope} = read
    const templates = new Map(below(files, behavior.source.path).map(({path, bytes}) => [path, bytes]))
    const state = files.get(`${test}/state.yaml`)
    const live = state === undefined ? [] : readLiveObjects({name: 'state.yaml', bytes: state})
    const opened = templatesOf(
      {name: 'sample', behavior, crds, scope, files: templates},
      {capabilities: {}, live},
    )
    const cr = {name: 'cr.yaml', bytes: files.get(`${test}/cr.yaml`) ?? new Uint8Array()}
    const {resources} = readCustomResources([cr], opened.kinds)
    await renderAll(opened.templates, resources, engine)
  }

  campaign('are rendered or rejected with a code', {short: 500, long: 10_000}, async ({random}) => {
    const {files, test} = pick(random, samples)
    const [path, bytes] = pick(
      random,
      [...files].filter(([name]) => !name.startsWith('tests/') || name.startsWith(test)),
    )
    const start = performance.now()
    const changed = {files: new Map([...files, [path, mutated(random, Buffer.from(bytes))]]), test}
    const code = await rendered(changed).then(
      () => 'rendered',
      (error: unknown) => {
        if (error instanceof CrossplaneError) return error.code
        throw error
      },
    )
    codes.set(code, (codes.get(code) ?? 0) + 1)
    // Templates of a kind are rendered for identities, twice for errors, and for the status.
    expect(performance.now() - start).toBeLessThan(6 * LIMIT + REST)
    if (code === 'timeout' || code === 'limit-exceeded')
      await expect(engine.render(harmless)).resolves.toMatchObject({templates: [{text: 'a: demo'}]})
  })

  campaign('leave an engine that renders', {short: 1, long: 1}, async () => {
    process.stderr.write(`${[...codes].map(([code, count]) => `${code}: ${count}`).join(', ')}\n`)
    await expect(engine.render(harmless)).resolves.toMatchObject({templates: [{text: 'a: demo'}]})
  })
})
