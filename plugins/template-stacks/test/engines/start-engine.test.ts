import {afterAll, describe, expect, it, jest} from '@jest/globals'
import type {HelmRequest} from '../../src/engines/engine.js'
import {startEngine} from '../../src/engines/start-engine.js'

// The first render compiles the engines, which takes long where every core is busy.
jest.setTimeout(240_000)

const engine = startEngine()

afterAll(() => engine.close())

const filesOf = (texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]))

const chart = (texts: Readonly<Record<string, string>>, values: unknown = {}): HelmRequest => ({
  engine: 'helm3',
  files: filesOf({'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.2.3\n', ...texts}),
  release: {name: 'demo', namespace: 'team-a'},
  values: JSON.stringify(values),
})

const rendered = async (request: HelmRequest) =>
  (await engine.render(request)).templates.map(({path, text}) => [path, text])

describe('helm3', () => {
  it('renders templates with the values and the release', async () => {
    const request = chart(
      {
        'values.yaml': 'size: 1\nimage: {name: web, tag: old}\n',
        'templates/_name.tpl': '{{ define "name" }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}',
        'templates/a.yaml':
          '{{ include "name" . }} {{ .Values.size }} {{ .Values.image.name }}:{{ .Values.image.tag }} {{ .Release.Namespace }}',
        'templates/NOTES.txt': '{{ fail "notes are not rendered" }}',
      },
      {size: 3, image: {tag: 'new'}},
    )
    expect(await rendered(request)).toEqual([['templates/a.yaml', 'demo-app 3 web:new team-a']])
  })

  it('keeps integers of 64 bits exact', async () => {
    const request = {...chart({'templates/a.yaml': '{{ .Values.n }}'}), values: '{"n":9007199254740993}'}
    expect(await rendered(request)).toEqual([['templates/a.yaml', '9007199254740993']])
  })

  it('tells documents, their lines and hooks', async () => {
    const text =
      '\n---\na: 1\n---\n# only a comment\n---\nkind: Job\nmetadata: {name: j, annotations: {"helm.sh/hook": "pre-install, test"}}\n'
    const {templates} = await engine.render(chart({'templates/a.yaml': text}))
    expect(templates[0]?.documents).toEqual([
      {text: 'a: 1', line: 3},
      {text: '# only a comment', line: 5},
      {
        text: 'kind: Job\nmetadata: {name: j, annotations: {"helm.sh/hook": "pre-install, test"}}',
        line: 7,
        hook: {kind: 'Job', name: 'j', events: ['pre-install', 'test']},
      },
    ])
  })

  it('finds nothing by lookup, and sorts keys', async () => {
    const text = '{{ lookup "v1" "Pod" "" "" }} {{ keys .Values }} {{ values .Values }}'
    const request = chart({'templates/a.yaml': text}, {b: 2, a: 1, d: 4, c: 3})
    expect(await rendered(request)).toEqual([['templates/a.yaml', 'map[] [a b c d] [1 2 3 4]']])
  })

  const failures: {name: string; files: Readonly<Record<string, string>>; want: readonly unknown[]}[] = [
    {
      name: 'a random function',
      files: {'templates/a.yaml': 'a: 1\n\n{{ if .Values.on }}{{ randAlphaNum 5 }}{{ end }}'},
      want: [
        'package-invalid',
        'cannot render templates/a.yaml:3: function "randAlphaNum" is not allowed: it returns another value at each call',
      ],
    },
    {
      name: 'a certificate in a partial',
      files: {
        'templates/_h.tpl': '{{ define "ca" }}\n{{ genCA "a" 365 }}{{ end }}',
        'templates/a.yaml': '{{ include "ca" . }}',
      },
      want: [
        'package-invalid',
        'cannot render templates/_h.tpl:2: function "genCA" is not allowed: it returns another value at each call',
      ],
    },
    {
      name: 'a lookup of a host',
      files: {'templates/a.yaml': '{{ getHostByName "example.org" }}'},
      want: [
        'package-invalid',
        'cannot render templates/a.yaml:1: function "getHostByName" is not allowed: it asks the network',
      ],
    },
    {
      name: 'a variable of the environment',
      files: {'templates/a.yaml': '{{ env "HOME" }}'},
      want: [
        'package-invalid',
        'cannot render templates/a.yaml:1: function "env" is not allowed: it reads the environment',
      ],
    },
    {
      name: 'a text formatted as a date, for which sprig takes the present time',
      files: {'templates/a.yaml': '{{ date "2006" "yesterday" }}'},
      want: [
        'package-invalid',
        'cannot render templates/a.yaml:1: function "date" is not allowed: its value depends on the time',
      ],
    },
    {
      name: 'a syntax error',
      files: {'templates/a.yaml': 'a\n{{ if }}'},
      want: ['package-invalid', 'cannot render templates/a.yaml:2: missing value for if'],
    },
    {
      name: 'a missing field of nothing',
      files: {'templates/a.yaml': '{{ .Values.a.b }}'},
      want: [
        'package-invalid',
        'cannot render templates/a.yaml:1: <.Values.a.b>: nil pointer evaluating interface {}.b',
      ],
    },
    {
      name: 'a required value',
      files: {'templates/a.yaml': '\n{{ required "give a size" .Values.size }}'},
      want: ['input-invalid', 'cannot render templates/a.yaml:2: give a size'],
    },
    {
      name: 'a value that the schema rejects',
      files: {'values.schema.json': '{"properties":{"on":{"type":"string"}}}'},
      want: ['input-invalid', expect.stringContaining("at '/on': got boolean, want string")],
    },
    {
      name: 'a schema elsewhere',
      files: {'values.schema.json': '{"$ref":"https://example.org/schema.json"}'},
      want: [
        'source-unsafe',
        expect.stringContaining('only references within values.schema.json are followed'),
      ],
    },
    {
      name: 'a schema in a file',
      files: {'values.schema.json': '{"$ref":"other.json"}', 'other.json': '{}'},
      want: [
        'source-unsafe',
        expect.stringContaining('only references within values.schema.json are followed'),
      ],
    },
    {
      name: 'a missing dependency',
      files: {
        'Chart.yaml':
          'apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies: [{name: db, version: 1.x.x, condition: db.on}]\n',
      },
      want: [
        'package-invalid',
        'cannot render Chart.yaml: the folder charts/ lacks dependencies that the chart names: db',
      ],
    },
    {
      name: 'a library chart',
      files: {'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\ntype: library\n'},
      want: ['package-invalid', 'cannot render Chart.yaml: a library chart renders nothing by itself'],
    },
    {
      name: 'a chart for other clusters',
      files: {'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\nkubeVersion: ">=1.99"\n'},
      want: ['package-invalid', expect.stringContaining('the chart requires Kubernetes >=1.99')],
    },
    {
      name: 'no chart',
      files: {'Chart.yaml': 'name: app\n'},
      want: ['package-invalid', 'cannot render the chart: validation: chart.metadata.version is required'],
    },
  ]
  it.each(failures)('rejects $name', async ({files, want}) => {
    const failure = engine.render(chart(files, {on: true}))
    await expect(failure).rejects.toMatchObject({code: want[0], message: want[1]})
  })

  it('rejects a name that is too long for a release', async () => {
    const request = {...chart({}), release: {name: 'a'.repeat(54), namespace: ''}}
    await expect(engine.render(request)).rejects.toMatchObject({code: 'input-invalid'})
  })

  it('reports the file and the line of an error', async () => {
    const failure = engine.render(chart({'templates/a.yaml': '\n{{ randInt 1 9 }}'}))
    await expect(failure).rejects.toMatchObject({
      diagnostics: [{severity: 'error', rule: 'template-error', file: 'templates/a.yaml', line: 2}],
    })
  })

  it('traces where lines are from and which branches ran, with the same text', async () => {
    const text =
      '{{- $x := 1 }}\na: {{ .Values.a }}\n{{- if .Values.a }}\nb:\n  c: 1\n{{- else }}\nd: 1\n{{- end }}\n{{- range .Values.l }}\n- {{ . }}\n{{- end }}\n'
    const request = chart({'templates/a.yaml': text}, {a: 1, l: [1, 2]})
    const plain = await engine.render(request)
    const traced = await engine.render({...request, trace: true})
    expect(traced.templates[0]?.text).toBe(plain.templates[0]?.text)
    expect(traced.templates[0]?.sources?.map(({line}) => line)).toEqual([1, 2, 4, 5, 10, 10])
    expect(traced.branches).toHaveLength(2)
  })
})

describe('inspect', () => {
  it('reads the values of subcharts by their aliases, also those that decide about them', async () => {
    const {files} = chart({
      'Chart.yaml': `apiVersion: v2
name: app
version: 1.2.3
dependencies:
- {name: store, version: 1.0.0, alias: one, condition: "one.enabled,global.one"}
- {name: store, version: 1.0.0, alias: two, tags: [all], import-values: [port]}
`,
      'charts/store/Chart.yaml': 'apiVersion: v2\nname: store\nversion: 1.0.0\n',
      'charts/store/values.yaml': 'exports: {port: {port: 80}}\n',
      'charts/store/templates/a.yaml': '{{ .Values.size }}',
    })
    const facts = await engine.inspect({engine: 'helm3', files})
    expect(facts.templates.map(({path, source, reads}) => [path, source, reads])).toEqual(
      ['one', 'two'].map(alias => [
        `charts/${alias}/templates/a.yaml`,
        'charts/store/templates/a.yaml',
        [{field: ['Values', alias, 'size'], line: 1, whole: true}],
      ]),
    )
    expect(facts.chart?.reads).toEqual([
      ['one', 'enabled'],
      ['global', 'one'],
      ['tags', 'all'],
      ['two', 'exports', 'port'],
    ])
    expect(JSON.parse(facts.defaults)).toMatchObject({port: 80})
  })

  it('tells what templates read, which functions they use and which branches they have', async () => {
    const request = chart({
      'values.yaml': 'size: 1\n',
      'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'charts/db/values.yaml': 'port: 1\n',
      'charts/db/templates/d.yaml': '{{ .Values.port }} {{ .Values.global.zone }}',
      'templates/_h.tpl':
        '{{ define "labels" }}\n{{ .Values.labels | toYaml }} {{ .top.Values.deep }}{{ end }}',
      'templates/a.yaml': `{{ include "labels" . }}
{{- with .Values.image }}
image: {{ .name }}:{{ $.Values.tag }}
{{- end }}
{{ if .Values.on }}{{ randAlphaNum 5 }}{{ else }}{{ index .Values "other" "key" }}{{ end }}
{{ include "labels" (dict "top" $) }}`,
      'templates/b.yaml': '{{ if }}',
      'templates/c.yaml': '{{ tpl .Values.text . }}',
    })
    const facts = await engine.inspect({engine: 'helm3', files: request.files})
    const byPath = new Map(facts.templates.map(template => [template.path, template]))
    const reads = (path: string) =>
      byPath
        .get(path)
        ?.reads.map(({field, line, whole}) => `${field.join('.')} ${String(line)} ${String(whole)}`)
    expect([...byPath.keys()]).toEqual([
      'charts/db/templates/d.yaml',
      'templates/_h.tpl',
      'templates/a.yaml',
      'templates/b.yaml',
      'templates/c.yaml',
    ])
    expect(reads('charts/db/templates/d.yaml')).toEqual([
      'Values.db.port 1 true',
      'Values.global.zone 1 true',
    ])
    expect(reads('templates/_h.tpl')).toEqual(
      expect.arrayContaining(['Values.labels 2 true', 'Values.deep 2 true']),
    )
    expect(reads('templates/a.yaml')).toEqual([
      'Values.image 2 false',
      'Values.image.name 3 true',
      'Values.tag 3 true',
      'Values.on 5 true',
      'Values.other.key 5 true',
    ])
    expect(byPath.get('templates/a.yaml')?.functions).toContainEqual({
      name: 'randAlphaNum',
      line: 5,
      rejected: 'random',
    })
    expect(byPath.get('templates/a.yaml')?.branches.map(({kind, line, text}) => [kind, line, text])).toEqual([
      ['with', 2, 'with .Values.image'],
      ['if', 5, 'if .Values.on'],
      ['else', 5, 'else'],
    ])
    expect(byPath.get('templates/_h.tpl')?.defines).toEqual([{name: 'labels', line: 1}])
    expect(byPath.get('templates/a.yaml')?.uses.map(({name}) => name)).toEqual(['labels', 'labels'])
    expect(byPath.get('templates/b.yaml')?.fault).toMatchObject({path: 'templates/b.yaml', line: 1})
    expect(byPath.get('templates/c.yaml')?.dynamic).toBe(true)
    expect(facts.chart).toMatchObject({
      name: 'app',
      library: false,
      subcharts: ['db'],
      missingDependencies: [],
    })
    expect(JSON.parse(facts.defaults)).toMatchObject({size: 1, db: {port: 1}})
  })

  it('names the branches that ran as inspect does', async () => {
    const request = chart({'templates/a.yaml': '{{ if .Values.on }}a{{ else }}b{{ end }}'}, {on: true})
    const facts = await engine.inspect({engine: 'helm3', files: request.files})
    const {branches} = await engine.render({...request, trace: true})
    expect(branches).toEqual([{path: 'templates/a.yaml', id: facts.templates[0]?.branches[0]?.id}])
  })
})

describe('kustomize', () => {
  const kustomization = (texts: Readonly<Record<string, string>>) =>
    ({engine: 'kustomize', folder: 'top', files: filesOf(texts)}) as const

  it('builds a folder in the order of kinds', async () => {
    const request = kustomization({
      'top/kustomization.yaml': 'namePrefix: demo-\nresources: [../base]\n',
      'base/kustomization.yaml': 'resources: [a.yaml]\n',
      'base/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {n: "1"}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: b}\n',
    })
    const {text} = await engine.render(request)
    expect(text).toBe(
      'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: b\n---\napiVersion: v1\ndata:\n  "n": "1"\nkind: ConfigMap\nmetadata:\n  name: demo-a\n',
    )
  })

  const unsafe = [
    {name: 'a remote folder', resource: 'https://github.com/example/base?ref=v1'},
    {name: 'a remote file', resource: 'https://example.org/a.yaml'},
    {name: 'a repository by SSH', resource: 'git@github.com:example/base.git'},
    {name: 'an absolute file', resource: '/etc/passwd'},
  ]
  it('finds nothing above the root', async () => {
    const files = {'top/kustomization.yaml': 'resources: [../../../etc/passwd]\n'}
    await expect(engine.render(kustomization(files))).rejects.toMatchObject({code: 'package-invalid'})
  })

  it.each(unsafe)('does not read $name', async ({resource}) => {
    const failure = engine.render(
      kustomization({'top/kustomization.yaml': `resources: [${JSON.stringify(resource)}]\n`}),
    )
    await expect(failure).rejects.toMatchObject({code: 'source-unsafe'})
  })
})

describe('gotemplate', () => {
  it('renders each template on its own, with partials and errors', async () => {
    const {results} = await engine.render({
      engine: 'gotemplate',
      templates: [
        {
          name: 'a',
          text: '{{ include "names" "full" }} {{ .metadata.name | upper }} {{ if .redis }}{{ end }}',
        },
        {name: 'b', text: '\n{{ uuidv4 }}', path: 'Kind.example.org_v1/b.yaml'},
        {name: 'c', text: '{{ include "names" "loop" }}'},
        {name: 'd', text: '{{ required "no size" .spec.size }}'},
        {name: 'e', text: '{{ .absent }}{{ .spec.n }}'},
      ],
      partials: [
        {key: 'names', name: 'full', text: 'full-{{ .metadata.name }}'},
        {key: 'names', name: 'loop', text: '{{ include "names" "loop" }}'},
      ],
      variables: '{"metadata":{"name":"x"},"spec":{"n":9007199254740993}}',
    })
    expect(results).toEqual([
      {name: 'a', text: 'full-x X '},
      {
        name: 'b',
        fault: expect.objectContaining({function: 'uuidv4', path: 'Kind.example.org_v1/b.yaml', line: 2}),
      },
      {name: 'c', fault: expect.objectContaining({code: 'limit-exceeded'})},
      {name: 'd', fault: {code: 'input-invalid', message: 'no size', path: 'd', line: 1}},
      {name: 'e', text: '9007199254740993'},
    ])
  })
})
