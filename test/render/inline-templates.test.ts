import {describe, expect, it} from '@jest/globals'
import {ERAS} from '../../src/render/era.js'
import {inlineTemplates} from '../../src/render/inline-templates.js'
import {packageRecords} from '../../src/render/package-record.js'
import type {Behavior} from '../../src/unpack/package.js'
import {asObject, asObjects} from '../../src/yaml/json-value.js'
import {installOf} from './sample-package.js'

const behaviorOf = (type: string): Behavior => ({
  crd: {apiVersion: 'blogs.example.org/v1', kind: 'Blog'},
  engine: {type},
  source: {path: 'blog'},
})
const file = (path: string, text: string | Uint8Array) => ({path, bytes: Buffer.from(text)})

describe('templates in a definition', () => {
  it('of gotemplate are those of the design, by kind and name', () => {
    const files = [
      file('Blog.blogs.example.org_v1/status.yaml', 'a: b\n'),
      file('Blog.blogs.example.org_v1/web.yaml', 'kind: Web\n'),
      file('labels/app.txt', 'app: a'),
    ]
    expect(inlineTemplates(behaviorOf('gotemplate'), files)).toEqual({
      source: {},
      spec: {
        templates: {'Blog.blogs.example.org/v1': {web: 'kind: Web\n'}, labels: {app: 'app: a'}},
        templateStatus: {'Blog.blogs.example.org/v1': 'a: b\n'},
      },
    })
  })

  it('of a chart are files by path', () => {
    expect(inlineTemplates(behaviorOf('helm3'), [file('templates/a.yaml', 'kind: A\n')])).toEqual({
      source: {files: {'templates/a.yaml': 'kind: A\n'}},
      spec: {},
    })
  })

  it.each([
    {name: 'a binary file', bytes: new Uint8Array([0, 1]), code: 'package-invalid'},
    {name: 'text that is not UTF-8', bytes: new Uint8Array([0xff]), code: 'package-invalid'},
    {name: 'more than 512 KiB', bytes: new Uint8Array(512 * 1024).fill(97), code: 'limit-exceeded'},
  ])('are rejected: $name', ({bytes, code}) => {
    expect(() => inlineTemplates(behaviorOf('helm3'), [file('a', bytes)])).toThrow(
      expect.objectContaining({code}),
    )
  })

  it.each(['packages', 'stacks'] as const)('run without an init container and a volume (%s)', name => {
    const install = {
      ...installOf({package: {behavior: behaviorOf('helm3')}}),
      templates: [file('Chart.yaml', 'name: blog\n')],
    }
    const runner = {controllerImage: 'example/runner:v1'}
    const [definition, record] = packageRecords(ERAS[name], install, runner)
    const podOf = (object: typeof record) => {
      const {deployment} = asObject(asObject(object?.spec).controller)
      return asObject(asObject(asObject(asObject(deployment).spec).template).spec)
    }
    expect(asObject(asObject(definition?.spec).behavior).source).toEqual({
      path: 'blog',
      files: {'Chart.yaml': 'name: blog\n'},
    })
    const pod = podOf(record)
    expect(pod).toEqual(podOf(definition))
    expect(Object.keys(pod).sort()).toEqual(['containers', 'restartPolicy'])
    expect(asObjects(pod.containers)).toMatchObject([
      {
        image: 'example/runner:v1',
        args: ['--stack-definition-namespace', '$(SD_NAMESPACE)', '--stack-definition-name', '$(SD_NAME)'],
      },
    ])
  })
})
