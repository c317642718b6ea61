import {describe, expect, it} from '@jest/globals'
import {BASE, composition, moved, patch, resource, rulesOf, step, validated} from './composition-fixtures.js'

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
  {
    name: 'a required field that a later step sets',
    in: composition(
      `${step('resources: [{name: oven, base: {apiVersion: kit.example/v1, kind: Oven, spec: {}}}]')}, ${step('resources: [{name: oven, patches: [{fromFieldPath: spec.name, toFieldPath: spec.model}]}]', 'later')}`,
    ),
  },
  {
    name: 'a base that a later one replaces',
    in: composition(
      step(
        `resources: [{name: oven, base: {apiVersion: kit.example/v1, kind: Oven}}, {name: oven, base: ${BASE}}]`,
      ),
    ),
  },
  {
    name: 'all values of a map',
    in: resource(
      'patches: [{fromFieldPath: spec.name, toFieldPath: "metadata.labels[*]"}]',
      '{apiVersion: kit.example/v1, kind: Oven, metadata: {labels: {a: b}}, spec: {model: deck}}',
    ),
  },
  {
    name: 'an input of another kind, which the function does not look at',
    in: composition(
      `{step: a, functionRef: {name: crossplane-contrib-function-patch-and-transform}, input: {apiVersion: a.example/v1, kind: A, resources: [{name: oven, base: ${BASE}}]}}`,
    ),
  },
  {
    name: 'an empty text as a setting',
    in: moved(
      'spec.name',
      'spec.label',
      `${TRANSFORMS}[{type: match, match: {patterns: [{type: literal, literal: "", result: a}]}}]`,
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
    name: 'a path of a resource of an earlier step',
    in: composition(
      `${step(`resources: [{name: oven, base: ${BASE}}]`)}, ${step('resources: [{name: oven, patches: [{fromFieldPath: spec.name, toFieldPath: spec.modell}]}]', 'later')}`,
    ),
    want: ['path-unknown spec.pipeline[1].input.resources[0].patches[0].toFieldPath'],
  },
  {
    name: 'no item with the field',
    in: resource(
      'patches: [{fromFieldPath: spec.size, toFieldPath: "spec.racks[*].slots"}]',
      '{apiVersion: kit.example/v1, kind: Oven, spec: {model: deck, racks: [{}]}}',
    ),
    want: ['path-unknown patches[0].toFieldPath'],
  },
  {
    name: 'no input',
    in: composition('{step: a, functionRef: {name: function-patch-and-transform}}'),
    want: ['input-invalid resources'],
  },
  {
    name: 'a misspelled setting of a transform',
    in: moved(
      'spec.name',
      'spec.label',
      `${TRANSFORMS}[{type: string, string: {type: Format, fmt: a, group: 1}}]`,
    ),
    want: ['input-invalid patches[0].transforms[0].string.group'],
  },
  {
    name: 'a setting of another type',
    in: moved(
      'spec.name',
      'spec.label',
      `${TRANSFORMS}[{type: string, string: {type: TrimPrefix, trim: 1}}]`,
    ),
    want: ['input-invalid patches[0].transforms[0].string.trim'],
  },
  {
    name: 'a patch set that is not used, with an unknown field',
    in: composition(
      step(
        `resources: [{name: oven, base: ${BASE}}], patchSets: [{name: a, patches: [{fromFieldPath: a, patchSetName: b}]}]`,
      ),
    ),
    want: ['input-invalid patchSets[0].patches[0].patchSetName'],
  },
  {
    name: 'a patch set in a patch set',
    in: composition(
      step(`resources: [{name: oven, base: ${BASE}}], patchSets: [{name: a, patches: [{type: PatchSet}]}]`),
    ),
    want: ['input-invalid patchSets[0].patches[0].type'],
  },
  {
    name: 'a match without patterns',
    in: moved('spec.name', 'spec.label', `${TRANSFORMS}[{type: match, match: {fallbackTo: Input}}]`),
    want: ['input-invalid patches[0].transforms[0].match.patterns'],
  },
  {
    name: 'an unknown format of a conversion',
    in: moved(
      'spec.name',
      'spec.trays',
      `${TRANSFORMS}[{type: convert, convert: {toType: int, format: hex}}]`,
    ),
    want: ['input-invalid patches[0].transforms[0].convert.format'],
  },
  {
    name: 'a condition without a status',
    in: resource('readinessChecks: [{type: MatchCondition, matchCondition: {type: Ready}}]'),
    want: ['input-invalid readinessChecks[0].matchCondition.status'],
  },
  {
    name: 'an unknown way to combine values',
    in: patch(
      'type: CombineFromComposite, toFieldPath: spec.label, combine: {variables: [{fromFieldPath: spec.name}]}',
    ),
    want: ['input-invalid patches[0].combine.strategy'],
  },
  {
    name: 'an unknown field of the reference to a Secret',
    in: composition(step(`resources: [{name: oven, base: ${BASE}}], writeConnectionSecretToRef: {nam: a}`)),
    want: ['input-invalid writeConnectionSecretToRef.nam'],
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

  it.each(['constructor', 'toString', '__proto__'])(
    'rejects the type %s, a name of a method of all objects',
    name => {
      const typed = (setting: string, place: string) => ({text: resource(setting), place})
      const transform = (text: string) => `patches: [{fromFieldPath: spec.name, transforms: [${text}]}]`
      const inputs = [
        typed(`patches: [{type: ${name}}]`, 'patches[0].type'),
        typed(`readinessChecks: [{type: ${name}, fieldPath: status.address}]`, 'readinessChecks[0].type'),
        typed(`connectionDetails: [{name: a, type: ${name}}]`, 'connectionDetails[0].type'),
        typed(transform(`{type: ${name}}`), 'patches[0].transforms[0].type'),
        typed(transform(`{type: math, math: {type: ${name}}}`), 'patches[0].transforms[0].math.type'),
        typed(transform(`{type: string, string: {type: ${name}}}`), 'patches[0].transforms[0].string.type'),
        typed(
          transform(`{type: convert, convert: {toType: ${name}}}`),
          'patches[0].transforms[0].convert.toType',
        ),
      ]
      for (const {text, place} of inputs) expect(rulesOf(validated(text))).toContain(`input-invalid ${place}`)
      const schema = moved('spec.size', 'spec.trays').replace(
        'trays: {type: integer}',
        `trays: {type: ${name}}`,
      )
      expect(rulesOf(validated(schema))).toEqual([])
    },
  )

  it('allows a composed kind without a schema', () => {
    const text = resource('', '{apiVersion: kit.example/v1, kind: Stove}')
    expect(validated(text, {allowUnknown: ['kit.example']}).findings).toEqual([])
  })

  it('does not read the mode Resources', () => {
    const text = composition('').replace('mode: Pipeline', 'mode: Resources')
    expect(validated(text)).toMatchObject({findings: [], unread: [{path: 'spec.mode'}]})
  })

  it('rejects two steps of one name', () => {
    const one = step(`resources: [{name: a, base: ${BASE}}]`)
    const {findings} = validated(composition(`${one}, ${one}`))
    expect(findings).toMatchObject([{rule: 'invalid', path: 'spec.pipeline[1].step'}])
  })
})
