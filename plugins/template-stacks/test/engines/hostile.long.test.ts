import {afterAll, describe, expect, it} from '@jest/globals'
import type {RenderRequest} from '../../src/engines/engine.js'
import {startEngine} from '../../src/engines/start-engine.js'

/** Enough for what is not endless, on a machine that does other work. */
const engine = startEngine({timeLimit: 60_000})
const impatient = startEngine({timeLimit: 3000})

afterAll(() => Promise.all([engine.close(), impatient.close()]))

const filesOf = (texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]))

const chart = (template: string, others: Readonly<Record<string, string>> = {}): RenderRequest => ({
  engine: 'helm3',
  files: filesOf({
    'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.2.3\n',
    'templates/a.yaml': template,
    ...others,
  }),
  release: {name: 'demo', namespace: ''},
  values: '{}',
})

const kustomization = (texts: Readonly<Record<string, string>>): RenderRequest => ({
  engine: 'kustomize',
  folder: 'top',
  files: filesOf(texts),
})

const doubled = (times: number) => `{{ $x := "0123456789abcdef" }}${'{{ $x = print $x $x }}'.repeat(times)}`

const hostile: readonly {name: string; request: RenderRequest; code: string}[] = [
  {
    name: 'a named template that includes itself',
    request: chart('{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}'),
    code: 'package-invalid',
  },
  {
    name: 'a named template that executes itself',
    request: chart('{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}'),
    code: 'package-invalid',
  },
  {name: 'a text of 4 GB', request: chart(doubled(28)), code: 'limit-exceeded'},
  {name: 'repeat 4 GB', request: chart('{{ repeat 4294967296 "x" }}'), code: 'limit-exceeded'},
  {
    name: 'an output of 1 GB',
    request: chart(`${doubled(16)}{{ range until 1024 }}{{ $x }}{{ end }}`),
    code: 'limit-exceeded',
  },
  {
    name: 'an output that only the host refuses',
    request: chart(`${doubled(16)}{{ range until 80 }}{{ $x }}{{ end }}`),
    code: 'limit-exceeded',
  },
  {
    name: 'an alias bomb in values.yaml',
    request: chart('', {
      'values.yaml': `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
        .split('')
        .map(
          (key, at) =>
            `${key}: &${key} [${Array.from({length: 9}, () => `*${'abcdefghi'[at] ?? ''}`).join(',')}]`,
        )
        .join('\n')}\n`,
    }),
    code: 'package-invalid',
  },
  {
    name: 'a kustomization of itself',
    request: kustomization({'top/kustomization.yaml': 'resources: [../top]\n'}),
    code: 'package-invalid',
  },
  {
    name: 'kustomizations in a circle',
    request: kustomization({
      'top/kustomization.yaml': 'resources: [../base]\n',
      'base/kustomization.yaml': 'resources: [../top]\n',
    }),
    code: 'package-invalid',
  },
  {
    name: 'a generator of a file outside of its folder',
    request: kustomization({
      'top/kustomization.yaml': 'configMapGenerator: [{name: a, files: [../secret]}]\n',
      secret: 'x',
    }),
    code: 'source-unsafe',
  },
  {
    name: 'a plugin',
    request: kustomization({
      'top/kustomization.yaml': 'generators: [g.yaml]\n',
      'top/g.yaml':
        'apiVersion: v1\nkind: G\nmetadata:\n  name: g\n  annotations:\n    config.kubernetes.io/function: "exec: {path: /bin/true}"\n',
    }),
    code: 'package-invalid',
  },
  {
    name: 'a Helm chart in a kustomization',
    request: kustomization({
      'top/kustomization.yaml': 'helmCharts: [{name: a, repo: "https://example.org"}]\n',
    }),
    code: 'unsupported',
  },
]

const harmless = chart('a: {{ .Release.Name }}')

describe('hostile templates', () => {
  it.each(hostile)('ends $name with a code, and the engine stays usable', async ({request, code}) => {
    await expect(engine.render(request)).rejects.toMatchObject({code})
    await expect(engine.render(harmless)).resolves.toMatchObject({templates: [{text: 'a: demo'}]})
  })

  const endless: readonly {name: string; request: RenderRequest}[] = [
    {
      name: 'tpl of its own text',
      request: chart('{{ tpl .Values.t . }}', {'values.yaml': 't: "{{ tpl .Values.t . }}"\n'}),
    },
    {
      name: 'a loop of loops',
      request: chart(`${'{{ range until 100000 }}'.repeat(4)}${'{{ end }}'.repeat(4)}`),
    },
  ]
  it.each(endless)('ends $name after the limit of time', async ({request}) => {
    await impatient.render(harmless)
    await expect(impatient.render(request)).rejects.toMatchObject({code: 'timeout'})
    await expect(impatient.render(harmless)).resolves.toMatchObject({templates: [{text: 'a: demo'}]})
  })

  it('renders templates that include one another 900 times', async () => {
    const text =
      '{{ define "a" }}{{ if lt . 900 }}{{ include "a" (int (add . 1)) }}{{ else }}end{{ end }}{{ end }}{{ include "a" 0 }}'
    await expect(engine.render(chart(text))).resolves.toMatchObject({templates: [{text: 'end'}]})
  })

  it('renders 1,000 times in 250 MB more than the process had', async () => {
    const before = process.memoryUsage().rss
    for (let times = 0; times < 1000; times++) await engine.render(harmless)
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(250)
  }, 300_000)
})
