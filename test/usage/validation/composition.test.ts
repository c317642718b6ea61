import {describe, expect, it} from '@jest/globals'
import {readObjects} from '../../../src/usage/objects/read-objects.js'
import {validateObjects} from '../../../src/usage/validation/validate-objects.js'
import type {Validation} from '../../../src/usage/validation/validation.js'

const DEFINITIONS = `apiVersion: apiextensions.crossplane.io/v2
kind: CompositeResourceDefinition
metadata: {name: shops.town.example}
spec:
  group: town.example
  scope: Namespaced
  names: {kind: Shop, plural: shops}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer}
              name: {type: string}
              names: {type: array, items: {type: string}}
              open: {type: boolean}
          status: {type: object, properties: {address: {type: string}, size: {type: integer}}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ovens.kit.example}
spec:
  group: kit.example
  scope: Namespaced
  names: {kind: Oven, plural: ovens, singular: oven, listKind: OvenList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [model]
            properties:
              model: {type: string, enum: [deck, rack]}
              trays: {type: integer}
              label: {type: string}
              either: {x-kubernetes-int-or-string: true}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
              racks: {type: array, items: {type: object, properties: {slots: {type: integer}}}}
          status: {type: object, properties: {address: {type: string}, temp: {type: integer}}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lots.kit.example}
spec:
  group: kit.example
  scope: Cluster
  names: {kind: Lot, plural: lots, singular: lot, listKind: LotList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
---
`

const composition = (steps: string, ref = 'Shop') => `${DEFINITIONS}apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: plan}
spec:
  compositeTypeRef: {apiVersion: town.example/v1, kind: ${ref}}
  mode: Pipeline
  pipeline: [${steps}]
`

const step = (input: string, name = 'parts') =>
  `{step: ${name}, functionRef: {name: fn-pt}, input: {apiVersion: pt.fn.crossplane.io/v1beta1, kind: Resources, ${input}}}`

const BASE = '{apiVersion: kit.example/v1, kind: Oven, spec: {model: deck}}'

/** A Composition of one resource. */
const resource = (more: string, base = BASE) =>
  composition(step(`resources: [{name: oven, base: ${base}, ${more}}]`))
const patch = (text: string) => resource(`patches: [{${text}}]`)
const moved = (from: string, to: string, more = '') =>
  patch(`type: FromCompositeFieldPath, fromFieldPath: ${from}, toFieldPath: ${to}${more}`)

function validated(text: string): Validation {
  const objects = readObjects([{path: 'a.yaml', bytes: Buffer.from(text)}])
  return validateObjects([], objects, {allowUnknown: []})
}

/** Rule and path within the resource of each finding. */
function rulesOf({findings}: Validation): readonly string[] {
  return findings.map(({rule, path = ''}) =>
    `${rule} ${path.replace(/^spec\.pipeline\[0\]\.input\.?(?:resources\[0\]\.?)?/, '')}`.trim(),
  )
}

interface Case {
  readonly name: string
  readonly in: string
  readonly want: readonly string[]
}

const TRANSFORMS = ', transforms: '
const WORKING: readonly Omit<Case, 'want'>[] = [
  {name: 'a value of the same type', in: moved('spec.size', 'spec.trays')},
  {
    name: 'a converted value',
    in: moved('spec.size', 'spec.label', `${TRANSFORMS}[{type: convert, convert: {toType: string}}]`),
  },
  {
    name: 'a formatted value',
    in: moved('spec.size', 'spec.label', `${TRANSFORMS}[{type: string, string: {type: Format, fmt: "%v"}}]`),
  },
  {name: 'a map', in: moved('spec.name', 'spec.model', `${TRANSFORMS}[{type: map, map: {a: deck}}]`)},
  {name: 'any value in a free field', in: moved('spec.names', 'spec.free.a.b[0]')},
  {name: 'either type', in: moved('spec.name', 'spec.either')},
  {name: 'metadata', in: moved('metadata.labels[a.b/c]', 'metadata.annotations[a.b/c]')},
  {name: 'no target', in: patch('type: FromCompositeFieldPath, fromFieldPath: spec.size, toFieldPath: ""')},
  {
    name: 'the status of the composite',
    in: patch('type: ToCompositeFieldPath, fromFieldPath: status.address, toFieldPath: status.address'),
  },
  {name: 'a field that Crossplane adds', in: moved('spec.crossplane.compositionRef.name', 'spec.label')},
  {
    name: 'a required field that a patch sets',
    in: resource(
      'patches: [{type: FromCompositeFieldPath, fromFieldPath: spec.name, toFieldPath: spec.model}]',
      '{apiVersion: kit.example/v1, kind: Oven, spec: {}}',
    ),
  },
  {
    name: 'a combined value',
    in: patch(
      'type: CombineFromComposite, toFieldPath: spec.label, combine: {strategy: string, variables: [{fromFieldPath: spec.name}], string: {fmt: "%s"}}',
    ),
  },
  {
    name: 'a readiness check',
    in: resource('readinessChecks: [{type: MatchString, fieldPath: status.address, matchString: a}]'),
  },
  {
    name: 'items of the base',
    in: resource(
      'patches: [{type: FromCompositeFieldPath, fromFieldPath: spec.size, toFieldPath: "spec.racks[*].slots"}]',
      '{apiVersion: kit.example/v1, kind: Oven, spec: {model: deck, racks: [{slots: 1}]}}',
    ),
  },
  {name: 'a kind of Kubernetes', in: resource('patches: []', '{apiVersion: v1, kind: ConfigMap}')},
]

const FAILING: readonly Case[] = [
  {
    name: 'a source that does not exist',
    in: moved('spec.Size', 'spec.trays'),
    want: ['path-unknown patches[0].fromFieldPath'],
  },
  {
    name: 'a target that does not exist',
    in: moved('spec.size', 'spec.tray'),
    want: ['path-unknown patches[0].toFieldPath'],
  },
  {
    name: 'a malformed path',
    in: moved('.spec.size', 'spec.trays'),
    want: ['path-unknown patches[0].fromFieldPath'],
  },
  {
    name: 'a path into a text',
    in: moved('spec.name.a', 'spec.label'),
    want: ['path-unknown patches[0].fromFieldPath'],
  },
  {
    name: 'an index with a dot',
    in: moved('spec.names.0', 'spec.label'),
    want: ['path-unknown patches[0].fromFieldPath'],
  },
  {
    name: 'all items as a source',
    in: moved('"spec.names[*]"', 'spec.label'),
    want: ['path-unknown patches[0].fromFieldPath'],
  },
  {
    name: 'a large index',
    in: moved('spec.size', '"spec.racks[2000].slots"'),
    want: ['path-unknown patches[0].toFieldPath'],
  },
  {
    name: 'items before that are null',
    in: moved('spec.size', '"spec.racks[1].slots"'),
    want: ['path-unknown patches[0].toFieldPath'],
  },
  {name: 'a text in an integer', in: moved('spec.name', 'spec.trays'), want: ['type-mismatch patches[0]']},
  {
    name: 'a number as a label',
    in: moved('spec.size', 'metadata.labels.size'),
    want: ['type-mismatch patches[0]'],
  },
  {
    name: 'a map of a number',
    in: moved('spec.size', 'spec.model', `${TRANSFORMS}[{type: map, map: {a: deck}}]`),
    want: ['type-mismatch patches[0].transforms[0]'],
  },
  {
    name: 'a conversion of a list',
    in: moved('spec.names', 'spec.label', `${TRANSFORMS}[{type: convert, convert: {toType: string}}]`),
    want: ['type-mismatch patches[0].transforms[0]'],
  },
  {
    name: 'a type after transforms',
    in: moved('spec.size', 'spec.trays', `${TRANSFORMS}[{type: convert, convert: {toType: string}}]`),
    want: ['type-mismatch patches[0]'],
  },
  {
    name: 'a field of the composite that is not written',
    in: patch('type: ToCompositeFieldPath, fromFieldPath: status.address, toFieldPath: spec.name'),
    want: ['path-unknown patches[0].toFieldPath'],
  },
  {
    name: 'a status of another type',
    in: patch('type: ToCompositeFieldPath, fromFieldPath: status.address, toFieldPath: status.size'),
    want: ['type-mismatch patches[0]'],
  },
  {
    name: 'a misspelled field of a patch',
    in: patch('type: FromCompositeFieldPath, fromFieldPath: spec.name, toFieldpath: spec.label'),
    want: ['path-unknown patches[0].fromFieldPath', 'input-invalid patches[0].toFieldpath'],
  },
  {
    name: 'an unknown patch set',
    in: patch('type: PatchSet, patchSetName: a'),
    want: ['input-invalid patches[0].patchSetName'],
  },
  {
    name: 'an unknown policy',
    in: moved('spec.size', 'spec.trays', ', policy: {toFieldPath: Merge}'),
    want: ['input-invalid patches[0].policy'],
  },
  {
    name: 'a transform without settings',
    in: moved('spec.name', 'spec.label', `${TRANSFORMS}[{type: string}]`),
    want: ['input-invalid patches[0].transforms[0].string'],
  },
  {
    name: 'a regular expression that Go cannot read',
    in: moved(
      'spec.name',
      'spec.label',
      `${TRANSFORMS}[{type: string, string: {type: Regexp, regexp: {match: "(?=a)"}}}]`,
    ),
    want: ['input-invalid patches[0].transforms[0].string.regexp.match'],
  },
  {
    name: 'an unknown field of the base',
    in: resource('', '{apiVersion: kit.example/v1, kind: Oven, spec: {model: deck, x: 1}}'),
    want: ['unknown-field base.spec.x'],
  },
  {
    name: 'a wrong type in the base',
    in: resource('', '{apiVersion: kit.example/v1, kind: Oven, spec: {model: deck, trays: "3"}}'),
    want: ['invalid base.spec.trays'],
  },
  {
    name: 'a required field that nothing sets',
    in: resource('', '{apiVersion: kit.example/v1, kind: Oven, spec: {}}'),
    want: ['required-unset base.spec.model'],
  },
  {name: 'a base without a kind', in: resource('', '{}'), want: ['invalid base']},
  {
    name: 'a kind without a schema',
    in: resource('', '{apiVersion: kit.example/v1, kind: Stove}'),
    want: ['no-schema base'],
  },
  {
    name: 'a kind of cluster scope',
    in: resource('', '{apiVersion: kit.example/v1, kind: Lot}'),
    want: ['scope-mismatch base'],
  },
  {
    name: 'a readiness check of an integer',
    in: resource('readinessChecks: [{type: MatchInteger, fieldPath: status.temp, matchInteger: 1}]'),
    want: ['type-mismatch readinessChecks[0].fieldPath'],
  },
  {
    name: 'a readiness check of no field',
    in: resource('readinessChecks: [{type: NonEmpty, fieldPath: status.x}]'),
    want: ['path-unknown readinessChecks[0].fieldPath'],
  },
  {
    name: 'a readiness check without settings',
    in: resource('readinessChecks: [{type: MatchCondition}]'),
    want: ['input-invalid readinessChecks[0].matchCondition'],
  },
  {
    name: 'a connection detail of no field',
    in: resource('connectionDetails: [{name: a, type: FromFieldPath, fromFieldPath: status.x}]'),
    want: ['path-unknown connectionDetails[0].fromFieldPath'],
  },
  {
    name: 'a connection detail without a type',
    in: resource('connectionDetails: [{name: a, value: b}]'),
    want: ['input-invalid connectionDetails[0].type'],
  },
  {name: 'no resources', in: composition(step('resources: []')), want: ['input-invalid resources']},
  {
    name: 'a resource without a base',
    in: composition(step('resources: [{name: a}]')),
    want: ['input-invalid'],
  },
  {
    name: 'an unknown composite',
    in: composition(step(`resources: [{name: a, base: ${BASE}}]`), 'Brewery'),
    want: ['no-schema spec.compositeTypeRef'],
  },
  {name: 'no steps', in: composition(''), want: ['invalid spec.pipeline']},
]

describe('a Composition', () => {
  it.each(WORKING)('without errors: $name', ({in: text}) => {
    expect(rulesOf(validated(text))).toEqual([])
  })

  it.each(FAILING)('with an error: $name', ({in: text, want}) => {
    expect(rulesOf(validated(text))).toEqual(want)
  })

  it('names the steps of other functions, after which any resource can exist', () => {
    const other =
      '{step: other, functionRef: {name: function-go}, input: {apiVersion: go.example/v1, kind: Input}}'
    const {findings, unread} = validated(composition(`${other}, ${step('resources: [{name: a}]')}`))
    expect(findings).toEqual([])
    expect(unread).toMatchObject([
      {path: 'spec.pipeline[0]', reason: 'the function function-go: its input is not validated'},
    ])
  })

  it('rejects two steps of one name', () => {
    const one = step(`resources: [{name: a, base: ${BASE}}]`)
    const {findings} = validated(composition(`${one}, ${one}`))
    expect(findings).toMatchObject([{rule: 'invalid', path: 'spec.pipeline[1].step'}])
  })
})
