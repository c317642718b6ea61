import {describe, expect, it} from '@jest/globals'
import {DEFINITION_KINDS, type JsonObject, type KubernetesObject} from 'kubectl-crossplane/plugin'
import {stackName} from '../../src/run/stack-definition.js'
import {stackOf} from '../../src/run/stack.js'

const crd = {apiVersion: 'demo.example.org/v1', kind: 'Demo'}
const facts = {capabilities: {}, scopeOf: () => undefined}

function definition(spec: JsonObject): KubernetesObject {
  const [kind = {apiVersion: '', kind: ''}] = DEFINITION_KINDS
  return {...kind, metadata: {name: 'demo', namespace: 'team'}, spec}
}

describe('the definition of a stack', () => {
  it('has named templates, statuses and texts to include as files', () => {
    const stack = stackOf(
      definition({
        behavior: {crd, engine: {type: 'gotemplate'}, source: {path: 'templates'}},
        permissionScope: 'Cluster',
        templates: {
          'Demo.demo.example.org/v1': {a: 'kind: A'},
          'Other.demo.example.org/v1': {b: 'kind: B'},
          parts: {part: 'text'},
        },
        templateStatus: {'Demo.demo.example.org/v1': 'ready: true'},
      }),
      facts,
    )
    const {kinds, scope, manager, templates} = stack
    expect({kinds, scope, manager, files: [...templates.files.keys()].sort()}).toEqual({
      kinds: [crd, {...crd, kind: 'Other'}],
      scope: 'Cluster',
      manager: 'crossplane-templates:team/demo',
      files: [
        'Demo.demo.example.org_v1/a.yaml',
        'Demo.demo.example.org_v1/status.yaml',
        'Other.demo.example.org_v1/b.yaml',
        'parts/part.yaml',
      ],
    })
    expect(templates.sets.partials.map(({key, name}) => [key, name])).toContainEqual(['parts', 'part'])
  })

  it('can name a kind by its API version alone, as in the design', () => {
    const stack = stackOf(
      definition({
        behavior: {crd, engine: {type: 'gotemplate'}, source: {path: 'x'}},
        templates: {'demo.example.org/v1': {a: 'kind: A'}},
      }),
      facts,
    )
    expect(stack.kinds).toEqual([crd])
  })

  it.each([
    {name: 'the files in it', folder: undefined, want: ['Chart.yaml']},
    {
      name: 'those of a folder instead',
      folder: new Map([['other.yaml', Buffer.from('')]]),
      want: ['other.yaml'],
    },
  ])('has $name for other engines', ({folder, want}) => {
    const behavior = {crd, engine: {type: 'helm3'}, source: {path: 'chart', files: {'Chart.yaml': 'name: x'}}}
    const given = folder === undefined ? facts : {...facts, folder}
    expect([...stackOf(definition({behavior}), given).templates.files.keys()]).toEqual(want)
  })

  it.each<{readonly name: string; readonly behavior: JsonObject}>([
    {name: 'an unknown engine', behavior: {crd, engine: {type: 'helm2'}, source: {path: 'x'}}},
    {name: 'no kind', behavior: {engine: {type: 'helm3'}, source: {path: 'x'}}},
    {
      name: 'templates that are in an image',
      behavior: {crd, engine: {type: 'helm3'}, source: {path: 'x', image: 'a/b'}},
    },
  ])('with $name is rejected', ({behavior}) => {
    expect(() => stackOf(definition({behavior}), facts)).toThrow(
      expect.objectContaining({code: 'input-invalid'}),
    )
  })
})

describe('the name of a stack', () => {
  it.each([
    {flags: {stack: 'a/b'}, want: {namespace: 'a', name: 'b'}},
    {flags: {stack: 'b'}, want: {namespace: 'default', name: 'b'}},
    {
      flags: {'stack-definition-name': 'b', 'stack-definition-namespace': 'a'},
      want: {namespace: 'a', name: 'b'},
    },
    {flags: {'stack-definition-name': 'b'}, want: {namespace: 'default', name: 'b'}},
  ])('is read from $flags', ({flags, want}) => {
    expect(stackName(flags, 'default')).toEqual(want)
  })

  it.each([{}, {stack: 'a/b/c'}, {stack: ''}, {stack: 'a/'}])('is required: %j', flags => {
    expect(() => stackName(flags, 'default')).toThrow(expect.objectContaining({code: 'usage'}))
  })
})
