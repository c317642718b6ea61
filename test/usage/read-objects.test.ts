import {describe, expect, it} from '@jest/globals'
import {readObjects} from '../../src/usage/objects/read-objects.js'

const DB = (name: string) =>
  `apiVersion: example.org/v1\nkind: Db\nmetadata: {name: ${name}}\nspec:\n  size: 5\n`

const flux = (spec: string) =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\nspec: {${spec}}\n`
const argo = (spec: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {${spec}}\n`

function filesOf(texts: Readonly<Record<string, string | Buffer>>) {
  return Object.entries(texts).map(([path, text]) => ({path, bytes: Buffer.from(text as string)}))
}

function read(files: Readonly<Record<string, string>>) {
  const {objects, unread} = readObjects(filesOf(files))
  return {
    objects: objects.map(
      ({file, line, kind, lineOf}) => `${file}:${line} ${kind} ${lineOf(['spec', 'size'])}`,
    ),
    unread: unread.map(({file, reason}) => `${file}: ${reason}`),
  }
}

describe('objects of files', () => {
  it('has the documents of a file and the items of Lists, with their lines', () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n- apiVersion: example.org/v1\n  kind: Db\n  spec:\n    size: 3\n`
    expect(read({'a.yaml': `# first\n${DB('a')}---\n${DB('b')}`, 'b.json': '[]', 'l.yaml': list})).toEqual({
      objects: ['a.yaml:2 Db 6', 'a.yaml:8 Db 12', 'l.yaml:4 Db 7'],
      unread: [],
    })
  })

  it.each([
    {
      name: 'a template of a Helm chart',
      in: {
        'c/Chart.yaml': 'apiVersion: v2\nname: c\n',
        'c/templates/a.yaml': DB('a'),
        'c/crds/b.yaml': DB('b'),
      },
      objects: ['c/crds/b.yaml:1 Db 5'],
      unread: ['c/templates/a.yaml: it is a template of a Helm chart'],
    },
    {
      name: 'another template',
      in: {'a.yaml': `{{ range . }}\n${DB('a')}{{ end }}\n`},
      objects: [],
      unread: ['a.yaml: it is a template'],
    },
    {
      name: 'a patch of kustomize',
      in: {
        'o/kustomization.yaml': 'resources: [../b]\npatches:\n- path: ../o/./p.yaml\n',
        'o/p.yaml': DB('a'),
        'b/a.yaml': DB('a'),
      },
      objects: ['b/a.yaml:1 Db 5'],
      unread: [
        'o/kustomization.yaml: kustomize changes objects by patches',
        'o/p.yaml: it is a patch of kustomize',
      ],
    },
    {
      name: 'a patch of a kustomization without an extension, at an absolute path',
      in: {'/o/Kustomization': 'patches:\n- path: p.yaml\n', '/o/p.yaml': DB('a')},
      objects: [],
      unread: [
        '/o/Kustomization: kustomize changes objects by patches',
        '/o/p.yaml: it is a patch of kustomize',
      ],
    },
    {
      name: 'what a kustomization reads elsewhere',
      in: {
        'o/kustomization.yaml': 'resources: [a.yaml, ../b, ../c, https://example.org/d.yaml]\n',
        'o/a.yaml': DB('a'),
        'b/b.yaml': DB('b'),
      },
      objects: ['o/a.yaml:1 Db 5', 'b/b.yaml:1 Db 5'],
      unread: [
        'o/kustomization.yaml: kustomize reads ../c, which was not read',
        'o/kustomization.yaml: kustomize reads https://example.org/d.yaml, which was not read',
      ],
    },
    {
      name: 'a chart whose templates and dependencies have no objects of their own, and its values',
      in: {
        'c/Chart.yaml': 'apiVersion: v2\nname: c\ndependencies:\n- {name: a, version: 1.0.0}\n',
        'c/templates/a.yaml': '{{ include "common.all" . }}\n',
        'c/templates/empty.yaml': '',
        'c/values.yaml': 'kind: Db\nmetadata: {name: a}\n',
        'c/values-prod.yaml': DB('a'),
      },
      objects: [],
      unread: [
        'c/Chart.yaml: Helm renders the dependencies of the chart',
        'c/templates/a.yaml: it is a template of a Helm chart',
      ],
    },
    {
      name: 'what a kustomization has besides objects and patches',
      in: {
        'o/kustomization.yaml': `configMapGenerator:\n- {name: a, files: [a.yaml, key=b.yaml]}
secretGenerator:\n- {name: s, env: s.yaml}\nopenapi: {path: api.json}\nconfigurations: [c.yaml]
transformers: [t.yaml, "inline: |\\n x"]\nreplacements:\n- path: r.yaml\nhelmCharts:\n- {name: h, valuesFile: v.yaml}\n`,
        ...Object.fromEntries(['a', 'b', 's', 'c', 't', 'r', 'v'].map(name => [`o/${name}.yaml`, DB(name)])),
        'o/api.json': '{"apiVersion": "a/v1", "kind": "Db"}',
        'o/d.yaml': DB('d'),
      },
      objects: ['o/d.yaml:1 Db 5'],
      unread: [
        'o/kustomization.yaml: kustomize changes objects by replacements',
        'o/kustomization.yaml: kustomize changes objects by transformers',
        'o/kustomization.yaml: kustomize changes objects by helmCharts',
        'o/kustomization.yaml: kustomize changes objects by configurations',
        'o/a.yaml: kustomize makes a ConfigMap or a Secret of it',
        'o/b.yaml: kustomize makes a ConfigMap or a Secret of it',
        'o/s.yaml: kustomize makes a ConfigMap or a Secret of it',
        ...['c', 't', 'r', 'v'].map(name => `o/${name}.yaml: it is a setting of kustomize`),
        'o/api.json: it is a setting of kustomize',
      ],
    },
    {
      name: 'what Flux and Argo CD render, change or read elsewhere',
      in: {
        'flux.yaml': [
          'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec: {chart: {}}\n',
          flux('sourceRef: {kind: GitRepository}, path: ./prod, patches: [{patch: a}]'),
          flux('sourceRef: {kind: GitRepository}, path: ./prod/, patches: []'),
          flux('sourceRef: {kind: GitRepository}, path: ./test'),
          flux('sourceRef: {kind: GitRepository}, path: ./'),
          flux('sourceRef: {kind: OCIRepository}'),
        ].join('---\n'),
        'argo.yaml': [
          argo('source: {path: clusters/prod}'),
          argo('source: {path: prod, kustomize: {patches: [{patch: a}]}}'),
          argo('sources: [{chart: a}, {path: a, plugin: {}}, {path: other}, {directory: {jsonnet: {}}}]'),
          'apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: a}\n',
        ].join('---\n'),
        'clusters/prod/a.yaml': DB('a'),
      },
      objects: [
        ...['HelmRelease', ...Array.from({length: 5}, () => 'Kustomization')].map(
          (kind, at) => `flux.yaml:${at === 0 ? 1 : at * 5 + 1} ${kind} ${at === 0 ? 4 : at * 5 + 4}`,
        ),
        ...['Application', 'Application', 'Application'].map(
          (kind, at) => `argo.yaml:${at * 5 + 1} ${kind} ${at * 5 + 4}`,
        ),
        'argo.yaml:16 ApplicationSet 16',
        'clusters/prod/a.yaml:1 Db 5',
      ],
      unread: [
        'flux.yaml: Flux renders a Helm chart',
        'flux.yaml: Flux changes objects by patches',
        'flux.yaml: Flux reads ./test, which was not read',
        'flux.yaml: Flux reads objects from another source: OCIRepository',
        'argo.yaml: Argo CD changes objects by patches',
        'argo.yaml: Argo CD renders a Helm chart',
        'argo.yaml: Argo CD runs a plugin',
        'argo.yaml: Argo CD reads other, which was not read',
        'argo.yaml: Argo CD evaluates Jsonnet',
        'argo.yaml: Argo CD makes Applications of it',
      ],
    },
    {
      name: 'a list that is no List',
      in: {'a.json': '[{"apiVersion": "example.org/v1", "kind": "Db"}]', 'b.json': '[{"apiVersion": "a"}]'},
      objects: [],
      unread: ['a.json: its objects are in a list without the kind List'],
    },
    {
      name: 'an object whose kind is a variable',
      in: {'a.yaml': DB('a').replace('kind: Db', 'kind: ${KIND}')},
      objects: [],
      unread: ['a.yaml: its kind is a variable or a template'],
    },
  ])('does not read $name', ({in: files, objects, unread}) => {
    expect(read(files as unknown as Readonly<Record<string, string>>)).toEqual({objects, unread})
  })

  it('reads JSON objects one after another as kubectl does', () => {
    const one = (name: string, pad = '') =>
      `${pad}{"apiVersion": "example.org/v1", "kind": "Db", "metadata": {"name": "${name} }{"},\n"spec": {"size": 1}}`
    const text = `\ufeff${one('a')}\n\n${one('b')}${one('c', ' ')}\n`
    expect(read({'a.json': text})).toEqual({
      objects: ['a.json:1 Db 2', 'a.json:4 Db 5', 'a.json:5 Db 6'],
      unread: [],
    })
    const {unreadable} = readObjects(filesOf({'a.json': `${one('a')}\n${one('b')}]`}))
    expect(unreadable).toHaveLength(1)
  })

  it.each([
    {name: 'an error', text: '{"apiVersion": "a/v1",\n"kind": "Db"}\n\n{"kind":\n"a" "b"}\n', line: 5},
    {
      name: 'a key that is given twice',
      text: '{"apiVersion": "a/v1",\n"kind": "Db"}\n{"apiVersion": "a/v1",\n"kind": "A",\n"kind": "B"}\n',
      line: 5,
    },
    {
      name: 'a list that is no List',
      text: '# first\n---\n- {apiVersion: a/v1, kind: Db}\n---\n- {apiVersion: a/v1, kind: Db}\n',
      line: [3, 5],
    },
  ])('has the line in the file of $name', ({text, line}) => {
    const {unread} = readObjects(filesOf({'a.json': text}))
    expect(unread.map(one => one.line)).toEqual([line].flat())
  })

  const FIRST = '{"apiVersion": "a/v1", "kind": "Db", "metadata": {}}\n'
  it.each([
    {name: 'strings without an end', text: `${FIRST}{${'\\"'.repeat(60_000)}`, want: 'unreadable'},
    {name: 'a long string', text: `${FIRST}{"a": "${'a'.repeat(120_000)}`, want: 'unreadable'},
    {name: 'actions without an end', text: `${DB('a')}  b: [${'{{'.repeat(60_000)}`, want: 'unreadable'},
    {name: 'tags without an end', text: `${DB('a')}  b: [${'{%'.repeat(60_000)}`, want: 'unreadable'},
    {
      name: 'branches within branches',
      text: `${DB('a')}${'{{if .a}}\n{{else}}\n'.repeat(5000)}  b: [\n${'{{end}}\n'.repeat(5000)}`,
      want: 'unread',
    },
    {name: 'empty lines', text: `${'\n'.repeat(120_000)}metadata kind`, want: undefined},
  ])('reads a file of a hundred kilobytes in linear time: $name', ({text, want}) => {
    const start = performance.now()
    const {unread, unreadable} = readObjects(filesOf({'a.yaml': text}))
    const part = unreadable.length > 0 ? 'unreadable' : unread.length > 0 ? 'unread' : undefined
    expect(part).toBe(want)
    // From each beginning to the end of the file, it took more than the limit.
    expect(performance.now() - start).toBeLessThan(2000)
  })

  it('has objects that a kustomization also names otherwise', () => {
    const CRD = 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\n'
    const kustomization = `resources: [g.yaml, t.yaml, ./r.yaml]\ncrds: [crd.yaml]
configMapGenerator:\n- {name: a, files: [g.yaml]}\ntransformers: [t.yaml, u.yaml]\nreplacements:\n- path: r.yaml\n`
    const {objects, unread} = read({
      'o/kustomization.yaml': kustomization,
      'o/crd.yaml': CRD,
      ...Object.fromEntries(['g', 't', 'r', 'u'].map(name => [`o/${name}.yaml`, DB(name)])),
    })
    expect(objects).toEqual([
      'o/crd.yaml:1 CustomResourceDefinition 1',
      ...['g', 't', 'r'].map(name => `o/${name}.yaml:1 Db 5`),
    ])
    expect(unread).toContain('o/u.yaml: it is a setting of kustomize')
  })

  it.each([
    {file: 'values.yaml', want: []},
    {file: 'values-prod.yml', want: []},
    {file: 'values.prod.json', want: []},
    {file: 'valuesets.yaml', want: ['c/valuesets.yaml:1 Db 5']},
  ])('has the objects beside a chart that are not its values: $file', ({file, want}) => {
    const files = {'c/Chart.yaml': 'apiVersion: v2\nname: c\n', [`c/${file}`]: DB('a')}
    expect(read(files).objects).toEqual(want)
  })

  it('reads the values of a chart that a user named', () => {
    const files = filesOf({'c/Chart.yaml': 'apiVersion: v2\nname: c\n', 'c/values.yaml': DB('a')})
    const inputs = ['c', 'c/values.yaml'].map(name => ({name, paths: files.map(({path}) => path)}))
    const {objects} = readObjects(files, {inputs, rendered: [], unread: [], unreadable: []})
    expect(objects.map(({file}) => file)).toEqual(['c/values.yaml'])
  })

  it('reads an object without what SOPS adds', () => {
    const text = `${DB('a')}sops:\n  mac: ENC[AES256_GCM,data:a]\n  version: 3.9.0\n`
    const [object] = readObjects(filesOf({'a.yaml': text})).objects
    expect(Object.keys(object?.value ?? {})).toEqual(['apiVersion', 'kind', 'metadata', 'spec'])
  })

  const LIST = 'apiVersion: v1\nkind: List\nitems:\n'
  const ITEM = '- {apiVersion: example.org/v1, kind: Db}\n'

  it.each([
    {name: 'broken YAML', text: `${DB('a')} b: [\n`, want: '6 it cannot be read: '},
    {
      name: 'a kind that is given twice',
      text: 'apiVersion: a/v1\nkind: X\nkind: Y\n',
      want: '3 kind is given twice',
    },
    {name: 'a key that is given twice', text: `${DB('a')}  size: 6\n`, want: '6 spec.size is given twice'},
    {
      name: 'items without a kind',
      text: `apiVersion: example.org/v1\nkind: DbList\nitems:\n- spec: {}\n- spec: {}\n`,
      want: '4 2 items of a List without a kind',
    },
    {
      name: 'UTF-16',
      text: Buffer.from(`\ufeff${DB('a')}`, 'utf16le'),
      want: '1 it cannot be read: the file is UTF-16',
    },
    {name: 'bytes that are not text', text: Buffer.from([0x80, 0, 1]), want: '1 it cannot be read: '},
    {name: 'a NUL', text: Buffer.from([0x61, 0]), want: '1 it cannot be read: '},
  ])('names what cannot be read: $name', ({text, want}) => {
    const {unread, unreadable, objects} = readObjects(filesOf({'a.yaml': text, 'b.yaml': DB('b')}))
    expect(unreadable.map(({file, line, reason}) => `${file} ${String(line)} ${reason}`)).toEqual([
      expect.stringContaining(`a.yaml ${want}`),
    ])
    expect(unread).toEqual(unreadable)
    expect(objects.map(({file}) => file)).toContain('b.yaml')
  })

  it.each([
    {name: 'a list of values', text: `${DB('a')}{{ toYaml .Values.more | nindent 2 }}\n`},
    {name: 'a value', text: DB('a').replace('size: 5', 'size: {{ .Values.size }}')},
    {
      name: 'a value of several lines',
      text: DB('a').replace('spec:', 'spec: {{- toYaml .spec | nindent 2 }}'),
    },
    {name: 'the name of a field', text: `${DB('a')}  {{ .key }}: x\n`},
    {
      name: 'branches of other depths',
      text: `${DB('a')}{{- if .a }}\n  a: 1\n{{- else }}\n      b: 1\n{{- end }}\n`,
    },
    {name: 'an action over lines', text: `{{- define\n  "a" }}\n${DB('a')}{{ end }}\n`},
    {name: 'Jinja', text: `{% for x in y %}\n${DB('{{ x }}')}---\n{% endfor %}\n`},
    {name: 'a variable within braces', text: DB('a').replace('{name: a}', '{name: ${NAME:=a}}')},
    {name: 'JSON', text: '{"apiVersion": "a/v1", "kind": "Db", "spec": {"a": {{ .a | toJson }} }}\n'},
  ])('takes a file for a template where braces are why it cannot be read: $name', ({text}) => {
    const {unread, unreadable} = readObjects(filesOf({'a.yaml': text}))
    expect({unread, unreadable}).toEqual({
      unread: [{file: 'a.yaml', reason: 'it is a template'}],
      unreadable: [],
    })
  })

  it.each([
    {name: 'elsewhere in the document', text: `${DB('{{ .name }}')}  zones: [a\n`, line: 7},
    {name: 'in another document', text: `${DB('{{ .name }}')}---\n${DB('b')}  - x\n`, line: 12},
    {name: 'behind an action', text: DB('a').replace('size: 5', 'size: [{{ .Values.size }}'), line: 6},
    {name: 'within branches', text: `${DB('a')}{{ if .a }}\n  b: "x\n{{ end }}\n`, line: 9},
    {name: 'in a comment only', text: `# {{ a }}\n${DB('a')}  b: [\n`, line: 8},
    {name: 'in a block scalar', text: `${DB('a')}  text: |\n    {{ .a }}\n zone: x\n`, line: 8},
    {name: 'without an end', text: `${DB('a')}  b: {{ .a }\n`, line: 7},
  ])('names the error of a file whose braces are not the reason: $name', ({text, line}) => {
    const {objects, unreadable} = readObjects(filesOf({'a.yaml': text}))
    expect({objects, unreadable}).toEqual({
      objects: [],
      unreadable: [{file: 'a.yaml', line, reason: expect.stringContaining('it cannot be read: ')}],
    })
  })

  it.each([
    {name: 'values of a chart', text: 'kind: DaemonSet\nmetadata:\n  labels: {}\nname: a\n'},
    {name: 'the metadata of a chart', text: 'apiVersion: v2\nname: c\n'},
    {name: 'a page', text: 'metadata:\n  name: a\n'},
  ])('has no objects in $name', ({text}) => {
    expect(read({'a.yaml': text})).toEqual({objects: [], unread: []})
  })

  it('has the items of Lists within Lists, with their lines', () => {
    const nested = `${LIST}- apiVersion: v1\n  kind: List\n  items:\n  - apiVersion: a/v1\n    kind: Db\n    spec:\n      size: 1\n`
    expect(read({'l.yaml': nested})).toEqual({objects: ['l.yaml:7 Db 10'], unread: []})
  })

  it('reads a List with more values than a file of a package can have', () => {
    const items = Array.from({length: 1500}, (_, at) => ({
      ...{apiVersion: 'example.org/v1', kind: 'Db', metadata: {name: `n${at}`}},
      spec: Object.fromEntries(Array.from({length: 150}, (_value, field) => [`f${field}`, field])),
    }))
    const json = JSON.stringify({apiVersion: 'v1', kind: 'List', items})
    const {objects, unread} = readObjects(filesOf({'l.json': json}))
    expect([objects.length, unread]).toEqual([1500, []])
  })

  it.each(['kind: [', 'a: b: c'])('cannot read a file that is named and has no object: %s', text => {
    const inputs = [{name: 'named.yaml', paths: ['named.yaml']}]
    const files = filesOf({'named.yaml': `${text}\n`, 'folder/other.yaml': `${text}\n`})
    const {unreadable} = readObjects(files, {...{inputs, rendered: [], unread: []}, unreadable: []})
    expect(unreadable.map(({file}) => file)).toEqual(['named.yaml'])
  })

  it('names inputs without objects', () => {
    const texts = {'a.yaml': `${LIST}${ITEM}`, 'b/c.yaml': 'a: 1\n'}
    const inputs = Object.entries({a: ['a.yaml'], b: ['b/c.yaml'], c: []}).map(([name, paths]) => ({
      name,
      paths,
    }))
    const {empty} = readObjects(filesOf(texts), {...{inputs, rendered: [], unread: []}, unreadable: []})
    expect(empty).toEqual(['b', 'c'])
  })
})
