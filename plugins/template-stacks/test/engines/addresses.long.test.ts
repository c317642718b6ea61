import {afterAll, describe, expect, it, jest} from '@jest/globals'
import {startEngine} from '../../src/engines/start-engine.js'

// The first render compiles the engines, which takes long where every core is busy.
jest.setTimeout(240_000)

const engine = startEngine()

afterAll(() => engine.close())

const CHART = 'apiVersion: v2\nname: app\nversion: 1.2.3\nmaintainers: [{name: a}]\n'

async function chart(text: string): Promise<string | undefined> {
  const files = {'Chart.yaml': CHART, 'templates/a.yaml': 'a: 1', 'templates/b.yaml': text}
  const {templates} = await engine.render({
    engine: 'helm3',
    files: new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)])),
    release: {name: 'demo', namespace: ''},
    values: '{}',
  })
  return templates[1]?.text
}

async function named(text: string): Promise<unknown> {
  const templates = [{name: 'a', text}]
  const {results} = await engine.render({
    engine: 'gotemplate',
    templates,
    partials: [],
    variables: '{"spec": {"a": 1}}',
  })
  return results[0]
}

const MESSAGE =
  'it prints the address of a value, which is another at each call: as printf "%p" does, or printing .Chart.Maintainers as a whole'

describe('a template that prints an address in memory', () => {
  it.each([
    'a: {{ printf "%p" .Values }}',
    '{{ .Chart.Maintainers }}',
    '{{ . | toString | sha256sum }}',
    '{{ printf "%v" (dict "a" .Capabilities) }}',
    '{{ printf "%#v" .Chart.Maintainers | quote }}',
  ])('is rejected: %s', async text => {
    const message = `cannot render templates/b.yaml: ${MESSAGE}`
    await expect(chart(text)).rejects.toMatchObject({code: 'package-invalid', message})
  })

  it('is rejected as a named template, and the next one is not', async () => {
    expect(await named('{{ printf "%p" .spec }}')).toMatchObject({fault: {message: MESSAGE}})
    expect(await named('{{ .spec }}')).toMatchObject({text: 'map[a:1]'})
  })

  it('is not one that prints nil, lists and maps', async () => {
    const text = '{{ .Chart.Name }} {{ list nil 1 "a" (dict "k" 2) }} {{ .Capabilities.KubeVersion }}'
    expect(await chart(text)).toMatch(/^app \[<nil> 1 a map\[k:2\]\] v1\.\d+\.\d+$/)
  })
})
