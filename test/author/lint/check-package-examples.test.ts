import {describe, expect, it} from '@jest/globals'
import {patternMatcher} from '../../../src/adapters/cel/match-pattern.js'
import {schemaRules} from '../../../src/adapters/cel/schema-rules.js'
import {lintXpkg} from '../../../src/author/lint/lint-xpkg.js'
import {metadata} from '../../../src/author/lint/rules/xpkg-examples.js'
import {crdSurface} from '../../../src/usage/package-surface.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'

const SPEC = {
  type: 'object',
  required: ['size'],
  properties: {
    size: {type: 'integer', maximum: 10},
    name: {type: 'string', pattern: String.raw`^[a-z]+(?:-[a-z]+)*$`},
    low: {type: 'integer'},
  },
  'x-kubernetes-validations': [
    {rule: '!has(self.low) || self.low <= self.size', message: 'low is too large'},
  ],
}
const XRD = `apiVersion: apiextensions.crossplane.io/v2
kind: CompositeResourceDefinition
metadata: {name: databases.example.org}
spec:
  group: example.org
  names: {kind: Database, plural: databases}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    referenceable: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: ${JSON.stringify(SPEC)}}}}
`

/** A package that the Configuration depends on, with the kind Widget. */
function dependency() {
  const names = {kind: 'Widget', plural: 'widgets'}
  const schema = {openAPIV3Schema: {type: 'object', properties: {spec: SPEC}}}
  const versions = [{name: 'v1', served: true, storage: true, schema}]
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'widgets.other.org'},
    spec: {group: 'other.org', names, scope: 'Cluster', versions},
  }
  const facts = {permission: [], image: [], capability: [], dependency: [], function: [], composition: []}
  return {
    package: 'r.example.org/other',
    version: 'v1.0.0',
    surface: {crds: [crdSurface(crd, 'crd')], facts, unread: []},
  }
}

const FILES = {'crossplane.yaml': metadata('Configuration'), 'definition.yaml': XRD}

function reported(
  example: string,
  {
    files = FILES,
    closure = [dependency()],
  }: {
    readonly files?: Readonly<Record<string, string>>
    readonly closure?: ReturnType<typeof dependency>[]
  } = {},
): readonly string[] {
  const read = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([path, text]) => ({path, bytes: Buffer.from(text)}))
  const examples = read({'examples/a.yaml': example})
  const judge = {match: patternMatcher(), rules: schemaRules()}
  return lintXpkg({files: read(files), examples, closure, ...judge})
    .filter(({rule}) => rule === 'xpkg-example-invalid')
    .map(({file, line, field = '', severity}) => `${severity} ${file}:${line} ${field}`)
}

const object = (spec: JsonObject, fields: JsonObject = {}) =>
  JSON.stringify(
    {apiVersion: 'example.org/v1', kind: 'Database', metadata: {name: 'a'}, spec, ...fields},
    null,
    2,
  )
const OF_OTHER = {apiVersion: 'other.org/v1', kind: 'Widget'}

describe('the examples of a Configuration', () => {
  it.each<{name: string; example: string; want: readonly string[]}>([
    {name: 'a valid one', example: object({size: 3, name: 'a-b', low: 1}), want: []},
    {name: 'a wrong type', example: object({size: 'large'}), want: ['spec.size']},
    {name: 'a missing field', example: object({}), want: ['spec.size']},
    {name: 'an unknown field', example: object({size: 3, colour: 'red'}), want: ['spec.colour']},
    {name: 'a pattern', example: object({size: 3, name: 'A'}), want: ['spec.name']},
    {name: 'a rule in CEL', example: object({size: 3, low: 4}), want: ['spec']},
    {
      name: 'a version that is not served',
      example: object({size: 3}, {apiVersion: 'example.org/v2'}),
      want: [''],
    },
    {name: 'no name', example: object({size: 3}, {metadata: {}}), want: ['metadata.name']},
    {name: 'a kind of a dependency', example: object({size: 11}, OF_OTHER), want: ['spec.size']},
    {name: 'an unknown kind', example: object({}, {apiVersion: 'unknown.org/v1'}), want: []},
    {name: 'a kind of Kubernetes', example: object({}, {apiVersion: 'v1', kind: 'Secret'}), want: []},
    {name: 'two documents', example: `${object({size: 3})}\n---\n${object({size: 11})}`, want: ['spec.size']},
  ])('are judged as an API server does: $name', ({example, want}) => {
    expect(reported(example).map(text => text.replace(/^warning examples\/a\.yaml:\d+ /, ''))).toEqual(want)
  })

  it('are judged whatever is written beside the kind of the package', () => {
    const files = {
      ...FILES,
      'crossplane.yaml': FILES['crossplane.yaml'].replace(/^kind: Configuration$/m, '$& # mine'),
    }
    expect(files['crossplane.yaml']).toContain('# mine')
    expect(reported(object({size: 11}), {files})).toHaveLength(1)
  })

  it('are not judged where they are Compositions', () => {
    const composition = {
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'Composition',
      metadata: {name: 'a'},
      spec: {
        compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'Database'},
        mode: 'Pipeline',
        colour: 'red',
      },
    }
    expect(reported(JSON.stringify(composition))).toEqual([])
  })

  it('have the line of the field', () => {
    expect(reported(object({size: 'large'}))).toEqual(['warning examples/a.yaml:8 spec.size'])
  })

  it('are not judged by packages that are not known, nor in a package that cannot be read', () => {
    expect(reported(object({size: 11}, OF_OTHER), {closure: []})).toEqual([])
    expect(reported(object({size: 11}), {files: {...FILES, 'definition.yaml': '{'}})).toEqual([])
  })

  it('are not judged for a Provider, whose CRDs would be read again', () => {
    const files = {'crossplane.yaml': metadata('Provider'), 'crd.yaml': XRD}
    expect(reported(object({size: 11}), {files})).toEqual([])
  })
})
