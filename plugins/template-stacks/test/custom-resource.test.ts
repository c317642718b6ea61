import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from 'kubectl-crossplane/plugin'
import type {JsonObject} from 'kubectl-crossplane/plugin'
import {readCustomResources} from '../src/custom-resource.js'
import type {WatchedKind} from '../src/watched-kind.js'

const schema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {size: {type: 'integer'}, color: {type: 'string', default: 'red'}},
    },
  },
}
const watched: WatchedKind = {
  apiVersion: 'demo.example.org/v1',
  group: 'demo.example.org',
  kind: 'Demo',
  versions: ['v1', 'v1beta1'],
  scope: 'Namespaced',
  schema,
}

const cr = (spec: string, metadata = 'name: demo', apiVersion = 'demo.example.org/v1', kind = 'Demo') =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {${metadata}}\nspec: {${spec}}\n`
const read = (text: string, kind = watched, namespace?: string) =>
  readCustomResources([{name: 'cr.yaml', bytes: Buffer.from(text)}], [kind], namespace)

function errorsOf(text: string, kind = watched): readonly (readonly [string, number | undefined])[] {
  try {
    read(text, kind)
    return []
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return error.diagnostics.map(({rule, line}) => [rule, line])
  }
}

describe('custom resources', () => {
  it('are defaulted, and pruned with a warning', () => {
    const {resources, warnings} = read(cr('size: 1, other: 2', 'name: demo, namespace: team-a'))
    expect(resources[0]?.object.spec).toEqual({size: 1, color: 'red'})
    expect(warnings.map(({rule, line, field}) => [rule, line, field])).toEqual([
      ['cr-pruned', 4, 'spec.other'],
    ])
  })

  it('of another served version are read as the watched one', () => {
    const {resources, notes} = read(cr('size: 1', 'name: demo, namespace: a', 'demo.example.org/v1beta1'))
    expect(resources[0]?.object.apiVersion).toBe('demo.example.org/v1')
    expect(notes.map(({rule}) => rule)).toEqual(['cr-converted'])
  })

  it.each([
    {name: 'without a flag', flag: undefined, want: 'default', notes: ['cr-default-namespace']},
    {name: 'with a flag', flag: 'team-b', want: 'team-b', notes: []},
  ])('have a namespace $name', ({flag, want, notes}) => {
    const {resources, notes: found} = read(cr('size: 1'), watched, flag)
    expect([resources[0]?.namespace, found.map(({rule}) => rule)]).toEqual([want, notes])
  })

  it('are left as they are without a CRD', () => {
    const {resources} = read(cr('other: 2'), {...watched, schema: undefined, scope: undefined})
    expect([resources[0]?.object.spec, resources[0]?.namespace]).toEqual([{other: 2}, undefined])
  })

  it.each([
    {
      name: 'another kind',
      in: cr('size: 1', 'name: a', 'demo.example.org/v1', 'Other'),
      want: [['cr-kind', 2]],
    },
    {name: 'another group', in: cr('size: 1', 'name: a', 'other.example.org/v1'), want: [['cr-kind', 2]]},
    {
      name: 'a version that is not served',
      in: cr('size: 1', 'name: a', 'demo.example.org/v2'),
      want: [['cr-version', 1]],
    },
    {name: 'a value of another type', in: cr('size: big'), want: [['cr-invalid', 4]]},
    {name: 'a required field that is missing', in: cr(''), want: [['cr-invalid', 4]]},
    {name: 'no name', in: cr('size: 1', ''), want: [['cr-name', 3]]},
    {name: 'the same name twice', in: `${cr('size: 1')}---\n${cr('size: 2')}`, want: [['cr-duplicate', 6]]},
    {name: 'an empty file', in: '# nothing', want: [['cr-missing', undefined]]},
  ])('with $name are an error', ({in: text, want}) => {
    expect(errorsOf(text)).toEqual(want)
  })

  it('without a namespace must not have one', () => {
    expect(errorsOf(cr('size: 1', 'name: a, namespace: b'), {...watched, scope: 'Cluster'})).toEqual([
      ['cr-namespace', 3],
    ])
  })
})
