import {afterAll, describe, expect, it, jest} from '@jest/globals'
import {startEngine} from '../../src/engines/start-engine.js'

// The first render compiles the engines, which takes long where every core is busy.
jest.setTimeout(240_000)

const engine = startEngine()

afterAll(() => engine.close())

const filesOf = (texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]))

describe('the schemas that tell how lists are patched', () => {
  const LISTS: Readonly<Record<string, readonly [field: string, list: string, patch: string]>> = {
    'apps/v1 Deployment': [
      'spec: {template: {spec: {containers: %}}}',
      '[{name: a, image: a:1}, {name: b, image: b:1}]',
      '[{name: b, image: b:2}]',
    ],
    'batch/v1 CronJob': [
      'spec: {jobTemplate: {spec: {template: {spec: {volumes: %}}}}}',
      '[{name: a, emptyDir: {}}, {name: b, emptyDir: {}}]',
      '[{name: b, emptyDir: {medium: Memory}}]',
    ],
    'v1 Service': ['spec: {ports: %}', '[{port: 80, name: a}, {port: 81, name: b}]', '[{port: 81, name: c}]'],
    'example.org/v1 Own': [
      'spec: {ports: %}',
      '[{port: 80, name: a}, {port: 81, name: b}]',
      '[{port: 81, name: c}]',
    ],
  }
  const object = (kind: string, list: string) => {
    const [apiVersion, name] = kind.split(' ')
    const [field] = LISTS[kind]!
    return `apiVersion: ${apiVersion!}\nkind: ${name!}\nmetadata: {name: x}\n${field.replace('%', list)}\n`
  }
  const build = async (kind: string, more: Readonly<Record<string, string>> = {}, setting = '') => {
    const [, list, patch] = LISTS[kind]!
    const {text} = await engine.render({
      engine: 'kustomize',
      folder: 'top',
      files: filesOf({
        'top/kustomization.yaml': `resources: [a.yaml]\npatches: [{path: patch.yaml}]\n${setting}`,
        'top/a.yaml': object(kind, list),
        'top/patch.yaml': object(kind, patch),
        ...more,
      }),
    })
    return text.match(/(?:name|image|port|medium): .*/g)?.sort()
  }

  const cases = [
    {kind: 'apps/v1 Deployment', want: ['image: a:1', 'image: b:2', 'name: a', 'name: b', 'name: x']},
    {kind: 'batch/v1 CronJob', want: ['medium: Memory', 'name: a', 'name: b', 'name: x']},
    {kind: 'v1 Service', want: ['name: a', 'name: c', 'name: x', 'port: 80', 'port: 81']},
    {kind: 'example.org/v1 Own', want: ['name: c', 'name: x', 'port: 81']},
  ]
  it.each(cases)('are those of Kubernetes, for $kind', async ({kind, want}) => {
    expect(await build(kind)).toEqual(want)
  })

  it('are those of a kustomization for itself, and not for the next one', async () => {
    const own = JSON.stringify({
      definitions: {
        own: {
          properties: {spec: {properties: {ports: PORTS}}},
          'x-kubernetes-group-version-kind': [{group: 'example.org', version: 'v1', kind: 'Own'}],
        },
      },
    })
    const merged = await build('example.org/v1 Own', {'top/own.json': own}, 'openapi: {path: own.json}\n')
    expect(merged).toEqual(['name: a', 'name: c', 'name: x', 'port: 80', 'port: 81'])
    expect(await build('example.org/v1 Own')).toEqual(['name: c', 'name: x', 'port: 81'])
  })
})

const PORTS = {
  type: 'array',
  items: {properties: {port: {type: 'integer'}}},
  'x-kubernetes-patch-merge-key': 'port',
  'x-kubernetes-patch-strategy': 'merge',
}

describe('values.schema.json', () => {
  const validate = async (schema: unknown, values: unknown) =>
    await engine.render({
      engine: 'helm3',
      files: filesOf({
        'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
        'values.schema.json': JSON.stringify(schema),
      }),
      release: {name: 'demo', namespace: 'team-a'},
      values: JSON.stringify(values),
    })

  const DRAFTS = [
    'http://json-schema.org/draft-04/schema#',
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/2020-12/schema',
    undefined,
  ]
  it.each(DRAFTS)('is itself checked by its draft, %s', async draft => {
    const schema = {$schema: draft, properties: {size: {type: 'number'}}}
    await validate(schema, {size: 1})
    await expect(validate(schema, {size: 'a'})).rejects.toThrow(/at '\/size': got string, want number/)
    const invalid = {$schema: draft, properties: {size: {type: 'size'}}}
    await expect(validate(invalid, {size: 1})).rejects.toThrow(/is not valid against metaschema/)
  })

  it('can refer to the schema of its draft, and to its own definitions', async () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: {size: {type: 'integer'}},
      properties: {
        size: {$ref: '#/definitions/size'},
        schema: {$ref: 'http://json-schema.org/draft-07/schema#'},
      },
    }
    await validate(schema, {size: 1, schema: {type: 'object'}})
    await expect(validate(schema, {size: 1.5})).rejects.toThrow(/at '\/size': got number, want integer/)
    await expect(validate(schema, {schema: {type: 'size'}})).rejects.toThrow(/at '\/schema\/type'/)
  })
})
