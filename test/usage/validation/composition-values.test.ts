import {describe, expect, it} from '@jest/globals'
import {goPatterns} from '../../../src/adapters/cel/match-pattern.js'
import type {ValidationFinding} from '../../../src/usage/validation/validation.js'
import {crdOf, validated} from './composition-fixtures.js'

const FIELDS = `
  k: {type: integer}
  f: {type: number}
  t: {type: string}
  b: {type: boolean}
  l: {type: array, items: {type: string}}
  o: {type: object, properties: {a: {type: string}, d: {type: string, default: x}}}
  m: {type: object, additionalProperties: {type: string}}
`.replaceAll('\n', '\n                ')

const DEFINITIONS = `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: xshops.town.example}
spec:
  group: town.example
  names: {kind: XShop, plural: xshops}
  claimNames: {kind: Shop, plural: shops}
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
            properties: ${FIELDS}
          status: {type: object, properties: {k: {type: integer, maximum: 5}}}
---
${crdOf({
  kind: 'Lot',
  scope: 'Cluster',
  spec: `
            properties:
              short: {type: string, maxLength: 3}
              few: {type: integer, maximum: 9}
              must: {type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}
              list: {type: array, items: {type: object, properties: {a: {type: string, enum: [x, z]}}}}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}`,
  status: 'k: {type: number}, any: {x-kubernetes-int-or-string: true}',
})}`

interface Parts {
  readonly patches: string
  readonly spec?: string
  readonly kind?: string
  readonly base?: string
  readonly input?: string
  readonly before?: string
  readonly more?: string
  readonly composition?: string
  readonly checks?: string
}

function documents({
  patches,
  spec = '{}',
  kind = 'XShop',
  base = '{}',
  input = '',
  before = '',
  more = '',
  composition = '',
  checks = '[]',
}: Parts): string {
  return `${DEFINITIONS}apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: plan}
spec:
  compositeTypeRef: {apiVersion: town.example/v1, kind: XShop}
  mode: Pipeline
  pipeline:
  ${before}
  - step: parts
    functionRef: {name: fn-pt}
    input:
      apiVersion: pt.fn.crossplane.io/v1beta1
      kind: Resources
      ${input}
      resources:
      - name: lot
        base: {apiVersion: kit.example/v1, kind: Lot, spec: ${base}}
        patches: [${patches}]
        readinessChecks: ${checks}
---
${composition}
apiVersion: town.example/v1
kind: ${kind}
metadata: {name: one${kind === 'Shop' ? ', namespace: town' : ''}}
spec: ${spec}
${more}`
}

/** Rule, place within the resource and message of each finding. */
function findingsOf(parts: Parts): readonly string[] {
  const {findings} = validated(documents(parts), goPatterns())
  return findings.map(
    ({rule, path = '', message}: ValidationFinding) =>
      `${rule} ${path.replace(/^spec\.pipeline\[\d\]\.input\.(?:resources\[0\]\.)?/, '')}: ${message}`,
  )
}

const from = (source: string, target: string, more = '') =>
  `{type: FromCompositeFieldPath, fromFieldPath: ${source}, toFieldPath: ${target}${more}}`
const through = (source: string, target: string, transforms: string) =>
  from(source, target, `, transforms: [${transforms}]`)
const REQUIRED = ', policy: {fromFieldPath: Required}'
const format = (fmt: string) => `{type: string, string: {type: Format, fmt: '${fmt}'}}`

type Case = Parts & {readonly name: string; readonly want: readonly string[]}

const SHORT = 'invalid patches[0].toFieldPath: spec.short: it has more than 3 characters (XShop one)'

const OTHER = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: other}
spec: {compositeTypeRef: {apiVersion: town.example/v1, kind: XShop}, mode: Pipeline, pipeline: [{step: a, functionRef: {name: b}}]}
---`

const CASES: readonly Case[] = [
  {name: 'a value that fits', patches: from('spec.t', 'spec.short'), spec: '{t: abc}', want: []},
  {name: 'a value that is too long', patches: from('spec.t', 'spec.short'), spec: '{t: abcd}', want: [SHORT]},
  {
    name: 'a value of a claim',
    patches: from('spec.t', 'spec.short'),
    spec: '{t: abcd}',
    kind: 'Shop',
    want: [SHORT.replace('XShop one', 'Shop town/one')],
  },
  {name: 'the name of a claim', patches: from('spec.claimRef.name', 'spec.short'), kind: 'Shop', want: []},
  {
    name: 'the name that a claim gets',
    patches: from('metadata.name', 'spec.short', REQUIRED),
    kind: 'Shop',
    want: [],
  },
  {name: 'a status, which is not known', patches: from('status.k', 'spec.few', REQUIRED), want: []},
  {name: 'an uid, which is not known', patches: from('metadata.uid', 'spec.short', REQUIRED), want: []},
  {
    name: 'a value that is required and missing',
    patches: from('spec.t', 'spec.short', REQUIRED),
    want: [
      'patch-failed patches[0].fromFieldPath: spec.t is required and has no value: the resource is not composed (XShop one)',
    ],
  },
  {
    name: 'a default of an object that is there',
    patches: from('spec.o.d', 'spec.short', REQUIRED),
    spec: '{o: {}}',
    want: [],
  },
  {
    name: 'a variable, which another program replaces',
    patches: from('spec.t', 'spec.short'),
    spec: "{t: '${NAME}-long'}",
    want: [],
  },
  {
    name: 'an unknown field, which an API server drops',
    patches: from('spec.t', 'spec.short'),
    spec: '{t: abcd, x: 1}',
    want: [SHORT, 'unknown-field spec.x: the field does not exist'],
  },
  {
    name: 'an object that is rejected',
    patches: from('spec.t', 'spec.short'),
    spec: '{t: 1}',
    want: ['invalid spec.t: it must be of type string, not integer'],
  },
  {
    name: 'a required field of which another is set',
    patches: from('spec.t', 'spec.must.b'),
    spec: '{t: a}',
    want: ['required-unset patches[0].toFieldPath: spec.must.a: it is required (XShop one)'],
  },
  {
    name: 'an item of the base',
    patches: from('spec.t', '"spec.list[*].a"'),
    base: '{list: [{a: x}, {}]}',
    spec: '{t: w}',
    want: ['invalid patches[0].toFieldPath: spec.list[0].a: it must be "x" or "z" (XShop one)'],
  },
  {
    name: 'no item with the field',
    patches: from('spec.t', '"spec.list[*].a"'),
    base: '{list: [{}]}',
    spec: '{t: x}',
    want: ['path-unknown patches[0].toFieldPath: spec.list: no item has the field'],
  },
  {
    name: 'an object that is replaced',
    patches: from('spec.o', 'spec.must'),
    base: '{must: {a: x}}',
    spec: '{o: {}}',
    want: [
      'required-unset patches[0].toFieldPath: spec.must.a: it is required (XShop one)',
      'unknown-field patches[0].toFieldPath: spec.must.d: the field does not exist (XShop one)',
    ],
  },
  {
    name: 'an object that is merged',
    patches: from('spec.m', 'spec.must', ', policy: {toFieldPath: MergeObjects}'),
    base: '{must: {a: x}}',
    spec: '{m: {a: w, b: z}}',
    want: [],
  },
  {
    name: 'a match without a result',
    patches: through(
      'spec.t',
      'spec.short',
      '{type: match, match: {patterns: [{type: regexp, regexp: "^b", result: c}]}}',
    ),
    spec: '{t: a}',
    want: ['type-mismatch patches[0].toFieldPath: spec.short: it is null (XShop one)'],
  },
  {
    name: 'a number in a text',
    patches: through('spec.k', 'spec.short', format('%d')),
    spec: '{k: 7}',
    want: [SHORT],
  },
  {
    name: 'a number that is converted before',
    patches: through('spec.k', 'spec.short', `{type: convert, convert: {toType: int64}}, ${format('%03d')}`),
    spec: '{k: 7}',
    want: [],
  },
  {
    name: 'a format that is not certain',
    patches: through('spec.t', 'spec.short', format('%X')),
    spec: '{t: abcd}',
    want: [],
  },
  {
    name: 'a group of a pattern',
    patches: through(
      'spec.t',
      'spec.short',
      '{type: string, string: {type: Regexp, regexp: {match: "^(.)-(.*)$", group: 2}}}',
    ),
    spec: '{t: a-bcd}',
    want: [],
  },
  {
    name: 'a group that the pattern does not have',
    patches: through(
      'spec.t',
      'spec.short',
      '{type: string, string: {type: Regexp, regexp: {match: "^a", group: 2}}}',
    ),
    spec: '{t: a-b}',
    want: [
      'patch-failed patches[0].transforms[0]: the pattern ^a has no match for group 2 in "a-b" (XShop one)',
    ],
  },
  {
    name: 'the tail of a join',
    patches: through('spec.l', 'spec.short', '{type: string, string: {type: Join, join: {separator: ", "}}}'),
    spec: '{l: [a, b]}',
    want: [SHORT],
  },
  {
    name: 'a maximum of a fraction, which is cut off',
    patches: through('spec.f', 'spec.few', '{type: math, math: {type: ClampMax, clampMax: 8}}'),
    spec: '{f: 8.5}',
    want: [
      'type-mismatch patches[0].toFieldPath: spec.few: it must be of type integer, not number (XShop one)',
    ],
  },
  {
    name: 'a quantity',
    patches: through('spec.t', 'spec.few', '{type: convert, convert: {toType: float64, format: quantity}}'),
    spec: '{t: 1Ki}',
    want: ['invalid patches[0].toFieldPath: spec.few: it is above 9 (XShop one)'],
  },
  {
    name: 'an environment',
    patches: '{type: FromEnvironmentFieldPath, fromFieldPath: area.a, toFieldPath: spec.short}',
    input:
      'environment: {patches: [{type: FromCompositeFieldPath, fromFieldPath: spec.t, toFieldPath: area.a}]}',
    spec: '{t: abcd}',
    want: [SHORT],
  },
  {
    name: 'an environment of another function',
    patches:
      '{type: FromEnvironmentFieldPath, fromFieldPath: area, toFieldPath: spec.short, policy: {fromFieldPath: Required}}',
    before: '- {step: a, functionRef: {name: environment}}',
    want: [],
  },
  {
    name: 'a combined value',
    patches:
      '{type: CombineFromComposite, toFieldPath: spec.short, combine: {strategy: string, string: {fmt: "%s-%[1]s"}, variables: [{fromFieldPath: spec.t}]}}',
    spec: '{t: ab}',
    want: [SHORT],
  },
  {
    name: 'a status that a resource has already',
    patches: '{type: ToCompositeFieldPath, fromFieldPath: status.k, toFieldPath: status.k}',
    more: `---
apiVersion: kit.example/v1
kind: Lot
metadata: {name: lot, annotations: {crossplane.io/composition-resource-name: lot}}
status: {k: 6}
`,
    want: ['invalid patches[0].toFieldPath: status.k: it is above 5 (XShop one)'],
  },
  {
    name: 'a readiness check of a value that a resource has already',
    patches: '',
    checks: '[{type: MatchString, fieldPath: status.any, matchString: a}]',
    more: `---
apiVersion: kit.example/v1
kind: Lot
metadata: {name: lot, annotations: {crossplane.io/composition-resource-name: lot}}
status: {any: 6}
`,
    want: [
      'type-mismatch readinessChecks[0].fieldPath: status.any: the check MatchString fails for the type of the value (XShop one)',
    ],
  },
  {
    name: 'one of two Compositions, of which none is selected',
    patches: from('spec.t', 'spec.short'),
    spec: '{t: abcd}',
    composition: OTHER,
    want: [],
  },
  {
    name: 'one of two Compositions that is selected',
    patches: from('spec.t', 'spec.short'),
    spec: '{t: abcd, compositionRef: {name: plan}}',
    composition: OTHER,
    want: [SHORT],
  },
]

const textual = (count: number, settings: string) =>
  through(
    'spec.t',
    'spec.short',
    Array.from({length: count}, () => `{type: string, string: ${settings}}`).join(', '),
  )

/** Patches of which the text is not made: it would fill the memory, or take minutes. */
const UNBOUND = {
  width: textual(1, "{type: Format, fmt: '%2000000s'}"),
  zeros: textual(1, `{type: Format, fmt: '%${'0'.repeat(200_000)}'}`),
  formats: textual(40, "{type: Format, fmt: '%[1]s%[1]s'}"),
  replacements: textual(12, '{type: Replace, replace: {search: a, replace: aaaaaaaaaa}}'),
  conversions: textual(60, '{type: Convert, convert: ToBase64}'),
  join: through(
    'spec.l',
    'spec.short',
    `{type: string, string: {type: Join, join: {separator: ${'-'.repeat(900_000)}}}}`,
  ),
  combination: `{type: CombineFromComposite, toFieldPath: spec.short, combine: {strategy: string, string: {fmt: '${'%900000[1]s'.repeat(5000)}'}, variables: [{fromFieldPath: spec.t}]}}`,
}

describe('a Composition with the values of composite resources', () => {
  it.each(Object.entries(UNBOUND))('makes no text without a bound: %s', (_name, patches) => {
    expect(findingsOf({patches, spec: '{t: aaaa, l: [a, a]}'})).toEqual([])
  })

  it.each(CASES)('$name', ({want, name: _name, ...parts}) => {
    expect([...findingsOf(parts)].sort()).toEqual([...want].sort())
  })

  it('names one of several composite resources with the same error', () => {
    const two = '---\napiVersion: town.example/v1\nkind: XShop\nmetadata: {name: two}\nspec: {t: wxyz}\n'
    expect(findingsOf({patches: from('spec.t', 'spec.short'), spec: '{t: abcd}', more: two})).toEqual([
      SHORT.replace('XShop one', 'XShop one and 1 more'),
    ])
  })
})
