import {describe, expect, it} from '@jest/globals'
import {goPatterns} from '../../../src/adapters/cel/match-pattern.js'
import {documentsOf, validated} from './composition-fixtures.js'

/* Inputs that function-patch-and-transform judges only when it runs: what it does not reach does not fail. */

const XRD = (version: string, more: object) => ({
  ...{apiVersion: `apiextensions.crossplane.io/${version}`, kind: 'CompositeResourceDefinition'},
  metadata: {name: 'shops.town.example'},
  spec: {
    ...{group: 'town.example', names: {kind: 'Shop', plural: 'shops'}, ...more},
    versions: [
      {
        ...{name: 'v1', served: true, referenceable: true},
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {t: {type: 'string'}, l: {type: 'array', items: {type: 'string'}}},
              },
            },
          },
        },
      },
    ],
  },
})
const OVEN = {
  ...{
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'ovens.kit.example'},
  },
  spec: {
    ...{group: 'kit.example', scope: 'Cluster'},
    names: {kind: 'Oven', plural: 'ovens', singular: 'oven', listKind: 'OvenList'},
    versions: [
      {
        ...{name: 'v1', served: true, storage: true},
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  label: {type: 'string'},
                  free: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
                  racks: {
                    ...{type: 'array', nullable: true},
                    items: {type: 'object', properties: {slots: {type: 'string'}}},
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
}

interface Parts {
  readonly patches?: readonly object[]
  readonly spec?: object
  readonly base?: object
  readonly input?: object
  readonly more?: object
  readonly later?: readonly object[]
  readonly xrd?: object
}

const LEGACY = XRD('v1', {})
const MODERN = XRD('v2', {scope: 'Cluster'})

/** Rule and place of each finding, within the input or the resource. */
function found({patches = [], spec = {}, base = {}, input = {}, more = {}, later = [], xrd = MODERN}: Parts) {
  const step = (name: string, resource: object, own: object) => ({
    ...{step: name, functionRef: {name: 'function-patch-and-transform'}},
    input: {
      ...{apiVersion: 'pt.fn.crossplane.io/v1beta1', kind: 'Resources', ...own},
      resources: [{name: 'oven', ...resource}],
    },
  })
  const first = step(
    'a',
    {base: {apiVersion: 'kit.example/v1', kind: 'Oven', spec: base}, patches, ...more},
    input,
  )
  const composition = {
    ...{apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', metadata: {name: 'plan'}},
    spec: {
      ...{compositeTypeRef: {apiVersion: 'town.example/v1', kind: 'Shop'}, mode: 'Pipeline'},
      pipeline: [first, ...(later.length === 0 ? [] : [step('b', {patches: later}, {})])],
    },
  }
  const shop = {apiVersion: 'town.example/v1', kind: 'Shop', metadata: {name: 'one'}, spec}
  const {findings} = validated(documentsOf([xrd, OVEN, composition, shop]), goPatterns())
  return findings.map(
    ({rule, path = ''}) =>
      `${rule} ${path.replace(/^spec\.pipeline\[\d\]\.input\.(?:resources\[0\]\.)?/, '')}`,
  )
}

const from = (toFieldPath: string, more: object = {}) => ({
  ...{type: 'FromCompositeFieldPath', fromFieldPath: 'spec.t', toFieldPath, ...more},
})
const match = (...patterns: readonly object[]) => ({type: 'match', match: {patterns}})
const combined = (...transforms: readonly object[]) => ({
  ...{type: 'CombineFromComposite', toFieldPath: 'spec.label', transforms},
  combine: {strategy: 'string', variables: [{fromFieldPath: 'spec.t'}], string: {fmt: '%s'}},
})
const A = {type: 'literal', literal: 'a', result: 'b'}
const replace = {type: 'string', string: {type: 'Replace', replace: {search: '', replace: 'b'}}}
const SECRET = {
  input: {writeConnectionSecretToRef: {name: 'keys', patches: [{type: 'PatchSet', fromFieldPath: 'a'}]}},
  more: {connectionDetails: [{name: 'a', type: 'FromValue', value: 'b'}]},
}

const WORKING: Readonly<Record<string, Parts>> = {
  'a match without patterns of a combined value': {
    patches: [combined({type: 'match', match: {patterns: [], fallbackValue: 'b'}})],
  },
  'a replacement of nothing in a combined value': {patches: [combined(replace)]},
  'an empty expression of a combined value': {
    patches: [combined({type: 'string', string: {type: 'Regexp', regexp: {match: ''}}})],
  },
  'a later pattern of a combined value that is not reached': {
    patches: [combined(match(A, {type: 'other', result: 'c'}))],
    spec: {t: 'a'},
  },
  'a later pattern without a type that is not reached': {
    patches: [from('spec.label', {transforms: [match(A, {literal: 'c', result: 'd'})]})],
    spec: {t: 'a'},
  },
  'patches of the Secret of a composite resource of v1': {...SECRET, xrd: LEGACY},
  'a value of an earlier step that stays': {
    base: {label: 'own'},
    later: [{...from('spec.label', {policy: {toFieldPath: 'MergeObjects'}}), fromFieldPath: 'spec.l'}],
  },
  'all items of a null': {base: {racks: null}, patches: [from('spec.racks[*].slots')], spec: {t: 'a'}},
}

const FAILING: Readonly<Record<string, Parts & {readonly want: readonly string[]}>> = {
  'a transform of a combined value that does not exist': {
    patches: [combined({type: 'other'})],
    want: ['input-invalid patches[0].transforms[0].type'],
  },
  'a conversion of a combined value that does not exist': {
    patches: [combined({type: 'string', string: {type: 'Convert', convert: 'ToOther'}})],
    want: ['input-invalid patches[0].transforms[0].string.convert'],
  },
  'the first pattern of a combined value': {
    patches: [combined(match({type: 'other', result: 'c'}, A))],
    want: ['input-invalid patches[0].transforms[0].match.patterns[0].type'],
  },
  'a replacement of nothing': {
    patches: [from('spec.label', {transforms: [replace]})],
    want: ['input-invalid patches[0].transforms[0].string.replace.search'],
  },
  'a later pattern of an unknown type': {
    patches: [from('spec.label', {transforms: [match(A, {type: 'other', result: 'd'})]})],
    spec: {t: 'a'},
    want: ['input-invalid patches[0].transforms[0].match.patterns[1].type'],
  },
  'a later pattern without a literal': {
    patches: [from('spec.label', {transforms: [match(A, {result: 'd'})]})],
    want: ['input-invalid patches[0].transforms[0].match.patterns[1].literal'],
  },
  'a first pattern without a type': {
    patches: [from('spec.label', {transforms: [match({literal: 'c', result: 'd'})]})],
    want: ['input-invalid patches[0].transforms[0].match.patterns[0].type'],
  },
  'a later pattern without a type that is reached': {
    patches: [from('spec.label', {transforms: [match(A, {literal: 'c', result: 'd'})]})],
    spec: {t: 'c'},
    want: ['patch-failed patches[0].transforms[0]'],
  },
  'a later pattern of a combined value that is reached': {
    patches: [combined(match(A, {type: 'other', result: 'c'}))],
    spec: {t: 'c'},
    want: ['patch-failed patches[0].transforms[0]'],
  },
  'patches of the Secret of a composite resource of v2': {
    ...SECRET,
    want: ['input-invalid writeConnectionSecretToRef.patches[0].type'],
  },
  'a value of an earlier step that is replaced': {
    base: {label: 'own'},
    later: [{...from('spec.label'), fromFieldPath: 'spec.l'}],
    want: ['type-mismatch patches[0]'],
  },
  'all items of a list without the field': {
    base: {racks: []},
    patches: [from('spec.racks[*].slots')],
    want: ['path-unknown patches[0].toFieldPath'],
  },
  'all items of a null that are required': {
    base: {racks: null},
    patches: [from('spec.racks[*].slots', {policy: {fromFieldPath: 'Required'}})],
    spec: {t: 'a'},
    want: ['patch-failed patches[0].fromFieldPath'],
  },
}

describe('what the function judges when it runs', () => {
  it.each(Object.entries(WORKING))('works for %s', (_, parts) => {
    expect(found(parts).filter(finding => !finding.startsWith('scope-mismatch'))).toEqual([])
  })

  it.each(Object.entries(FAILING))('fails for %s', (_, {want, ...parts}) => {
    expect(found(parts).filter(finding => !finding.startsWith('scope-mismatch'))).toEqual(want)
  })
})
