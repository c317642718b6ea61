import {afterAll, describe, expect, it, jest} from '@jest/globals'
import type {HelmRequest} from '../../src/engines/engine.js'
import {startEngine} from '../../src/engines/start-engine.js'

// The first render compiles the engines, which takes long where every core is busy.
jest.setTimeout(240_000)

const engine = startEngine({timeLimit: 120_000})

afterAll(() => engine.close())

/** Like the charts of controllers: CRDs among the templates, which are long texts, and many objects of one loop. */
function largeChart(lines: number): HelmRequest {
  const field = (index: number) =>
    `            field${index}: {type: string, description: A field of a kind}\n`
  const crd = `{{- if .Values.crds }}
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: {{ .Release.Name }}
spec:
  schema:
${Array.from({length: lines}, (_, index) => field(index)).join('')}{{- end }}
`
  const objects = `{{- range $i := until ${lines / 10} }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ $.Release.Name }}-{{ $i }}
  labels: {{- include "labels" $ | nindent 4 }}
data:
  first: {{ $i | quote }}
  second: |
    one
    two
{{- end }}
`
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.2.3\n',
    'values.yaml': 'crds: true\n',
    'templates/_labels.tpl': '{{- define "labels" -}}\na: {{ .Release.Name }}\nb: c\n{{- end -}}\n',
    'templates/crd.yaml': crd,
    'templates/objects.yaml': objects,
  }
  return {
    engine: 'helm3',
    files: new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
    release: {name: 'demo', namespace: ''},
    values: '{}',
  }
}

/** The shortest of several times: what else runs on the machine only makes them longer. */
async function milliseconds(request: HelmRequest): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 4; run++) {
    const start = performance.now()
    await engine.render(request)
    times.push(performance.now() - start)
  }
  return Math.min(...times)
}

describe('a trace of a large chart', () => {
  it('takes at most three times as long as rendering, and grows with the chart', async () => {
    const [small, large] = [largeChart(2_500), largeChart(20_000)]
    const traced = async (request: HelmRequest) => await milliseconds({...request, trace: true})
    await milliseconds(small)
    const rendered = await milliseconds(large)
    const [ofSmall, ofLarge] = [await traced(small), await traced(large)]
    expect(ofLarge).toBeLessThan(3 * rendered)
    // Eight times the lines; before, it took sixty times as long.
    expect(ofLarge).toBeLessThan(24 * ofSmall)
  })

  it('knows the line of each line', async () => {
    const {templates} = await engine.render({...largeChart(1_000), trace: true})
    const [crd, objects] = templates.map(({text, sources = []}) => ({lines: text.split('\n'), sources}))
    if (crd === undefined || objects === undefined) throw new Error('no templates')
    const first = crd.lines.indexOf('  schema:')
    expect(crd.sources.slice(first, first + 3).map(({line}) => line)).toEqual([7, 8, 9])
    expect(crd.sources[first + 1_000]).toEqual({path: 'templates/crd.yaml', line: 1_007})
    const second = objects.lines.lastIndexOf('    two')
    expect(objects.sources[second]).toEqual({path: 'templates/objects.yaml', line: 12})
    expect(objects.sources.length).toBe(objects.lines.length - 1)
  })
})
