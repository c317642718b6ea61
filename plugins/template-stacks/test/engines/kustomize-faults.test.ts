import {afterAll, describe, expect, it, jest} from '@jest/globals'
import type {CrossplaneError} from 'kubectl-crossplane/plugin'
import {startEngine} from '../../src/engines/start-engine.js'
import {kustomizeRequest} from '../../src/kustomize/kustomize-request.js'

// The first render compiles the engines, which takes long where every core is busy.
jest.setTimeout(240_000)

const engine = startEngine()

afterAll(() => engine.close())

const behavior = {source: {path: 'base'}, engine: {type: 'kustomize'}} as never
const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'

async function failure(texts: Readonly<Record<string, string>>): Promise<CrossplaneError> {
  const files = new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]))
  const request = kustomizeRequest({behavior, files, name: 'demo', patches: []})
  return (await engine.render(request).catch((error: unknown) => error)) as CrossplaneError
}

interface Row {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly want: string
  readonly code?: string
}

const rows: readonly Row[] = [
  {
    name: 'a file that is missing in a base of a base',
    files: {'kustomization.yaml': 'resources: [x]\n', 'x/kustomization.yml': 'resources: [y.yaml]\n'},
    want: 'cannot render base/x/kustomization.yml: y.yaml does not exist in the package',
  },
  {
    name: 'an object twice',
    files: {'kustomization.yaml': 'resources: [a.yaml, b.yaml]\n', 'a.yaml': object, 'b.yaml': object},
    want: 'cannot render base/b.yaml: may not add resource with an already registered id: ConfigMap.v1.[noGrp]/a.[noNs]',
  },
  {
    name: 'invalid YAML',
    files: {'kustomization.yaml': 'resources: [a.yaml]\n', 'a.yaml': 'apiVersion: v1\nkind: [\n'},
    want: 'cannot render base/a.yaml:2: invalid YAML: did not find expected node content',
  },
  {
    name: 'an unknown field',
    files: {'kustomization.yaml': 'resorces: []\n'},
    want: 'cannot render base/kustomization.yaml: invalid Kustomization: json: unknown field "resorces"',
  },
  {
    name: 'a remote folder',
    files: {'kustomization.yaml': 'resources: ["github.com/o/r//base?ref=v1"]\n'},
    want: 'cannot render base/kustomization.yaml: github.com/o/r//base?ref=v1 is a remote folder',
    code: 'source-unsafe',
  },
  {
    name: 'a remote file',
    files: {'kustomization.yaml': 'resources: ["https://example.org/a.yaml"]\n'},
    want: 'cannot render base/kustomization.yaml: https://example.org/a.yaml is a remote file',
    code: 'source-unsafe',
  },
  {
    name: 'a chart',
    files: {'kustomization.yaml': 'helmCharts: [{name: a, repo: "https://example.org"}]\n'},
    want: 'cannot render base/kustomization.yaml: charts in a kustomization are not rendered: add the output of helm template to its resources',
    code: 'unsupported',
  },
  {
    name: 'a plugin',
    files: {
      'kustomization.yaml': 'resources: [a.yaml]\ntransformers: [t.yaml]\n',
      'a.yaml': object,
      't.yaml': 'apiVersion: example.org/v1\nkind: Sed\nmetadata: {name: t}\n',
    },
    want: 'cannot render base/kustomization.yaml: plugins that are programs or images are not run: Sed',
    code: 'unsupported',
  },
]

describe('an error of kustomize', () => {
  it.each(rows)('names the file and the cause: $name', async ({files, want, code = 'package-invalid'}) => {
    const {message, code: got} = await failure(files)
    expect({message, code: got}).toEqual({message: want, code})
  })
})

describe('inspect of a chart', () => {
  it('does not take the keys of a map for values, in a named template that only a value uses', async () => {
    const texts = {
      'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
      'values.yaml': `text: '{{ include "name" (dict "root" . "size" 1) }}'\n`,
      'templates/_name.tpl':
        '{{ define "name" }}{{ .root.Release.Name }}{{ .size }}{{ .Values.other }}{{ end }}',
      'templates/a.yaml': '{{ tpl .Values.text . }}',
    }
    const files = new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]))
    const {templates} = await engine.inspect({engine: 'helm3', files})
    const reads = templates.flatMap(({reads: all}) => all.map(({field}) => field.join('.')))
    expect(reads.filter((field, index) => reads.indexOf(field) === index)).toEqual([
      'Values.other',
      'Values.text',
    ])
  })
})
